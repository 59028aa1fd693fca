import { Controller, Get } from '@nestjs/common';
import { REDIRECT_DEFINITIONS, redirectDefinition } from '../../journey-steps/index.js';
import {
  type HostedJourneyView,
  type HostedSelection,
  HostedVisits,
} from '../../journeys/index.js';
import { addMonths, dayInIndia } from '../../loans/index.js';
import {
  Clock,
  formatRupees,
  type Page,
  say,
  sayDate,
  type ScreenModel,
} from '../../platform/index.js';
import { JourneyHere, type JourneyVisit, SignedIn } from '../entry/signed-in.js';
import { exitFold } from '../offers/confirmed-terms.js';
import { type Fold, goldFolds } from '../offers/gold-folds.js';
import { row, shortAccount, shortName } from '../offers/offer-card.js';
import { signedLoan } from './paid-out-loan.js';
import { questionPage } from './step-pages.js';

type Mandates = Awaited<ReturnType<HostedVisits['remains']>>['mandates'];
type Definition = ReturnType<typeof redirectDefinition>;

const TEMPLATES: Readonly<Record<Definition['shows'], string>> = {
  NOTHING: 'steps/visit',
  INSTALMENT: 'steps/mandate',
  AGREEMENT: 'steps/esign',
};

@Controller('hosted')
@SignedIn()
export class RedirectStepsController {
  constructor(
    private readonly visits: HostedVisits,
    private readonly clock: Clock,
  ) {}

  @Get(REDIRECT_DEFINITIONS.map(({ page }) => page))
  async show(@JourneyHere() { view, session }: JourneyVisit): Promise<Page> {
    if (!view.redirect || !view.selected) throw new Error('a redirect step has a redirect');
    const { step, url, attempt, isDeciding, provider } = view.redirect;
    const definition = redirectDefinition(step);
    const { page, textKeys, maxTries, shows } = definition;
    // Before the mandate is set up, its own page says how to end it.
    const mayHaveMandate = shows === 'AGREEMENT' || (shows === 'INSTALMENT' && isDeciding);
    const mandates = mayHaveMandate ? (await this.visits.remains(session)).mandates : [];
    const hasFailed = attempt > 1;
    const model = {
      titleKey: textKeys.title,
      leadKey: textKeys.lead,
      buttonKey: hasFailed ? textKeys.again : textKeys.button,
      lenderName: view.selected.offer.lenderName,
      shortName: shortName(view.selected.offer),
      provider,
      href: url,
    };
    if (isDeciding) {
      return questionPage(view, page, 'steps/checking', {
        ...model,
        titleKey: textKeys.checking,
        buttonKey: textKeys.again,
        moments: [
          { text: say('steps.checking'), note: say('steps.close'), isNow: true },
          { text: say('steps.checking.next') },
        ],
        folds: mandates.length > 0 ? [stoppingFold(view, mandates)] : [],
        refreshSeconds: view.pollIntervalSeconds,
      });
    }
    const failed = { what: say(textKeys.failed), count: maxTries + 1 - attempt };
    return questionPage(view, page, TEMPLATES[shows], {
      ...model,
      ...shownTerms(view, definition, this.clock.now()),
      ...(shows === 'AGREEMENT' && { folds: signingFolds(view, mandates) }),
      ...(hasFailed && { failure: say('steps.failed', failed) }),
    });
  }
}

function shownTerms(
  { selected, bankAccount }: HostedJourneyView,
  { shows, textKeys }: Definition,
  now: Date,
): ScreenModel {
  if (!selected) return {};
  const { offer } = selected;
  if (shows === 'INSTALMENT') {
    const recoveryAgent = offer.terms.recoveryAgentLsp;
    return { ...mandateTerms(selected, bankAccount, now), recoveryAgent };
  }
  if (shows === 'AGREEMENT') {
    return { ...signedLoan(selected), kfsHref: selected.kfsUrl };
  }
  const keys = [textKeys.leave, textKeys.act, 'steps.visit.back'];
  const short = shortName(offer);
  return {
    moments: keys.flatMap((key) => (key === undefined ? [] : [{ text: say(key, { short }) }])),
  };
}

function signingFolds(view: HostedJourneyView, mandates: Mandates) {
  return [exitFold(view.selected!), stoppingFold(view, mandates)];
}

/** @param mandates of lenders that may have set up Autopay */
function stoppingFold(
  { selected }: Pick<HostedJourneyView, 'selected'>,
  mandates: readonly { readonly lenderName: string }[],
): Fold {
  const [gold] = selected?.branch ? goldFolds(selected.offer.terms) : [];
  return {
    mark: 'clock',
    heading: say('steps.stopNow'),
    gist: gold?.gist ?? say(mandates.length > 0 ? 'steps.stopNow.autopay' : 'steps.stopNow.free'),
    texts: [
      ...mandates.map(({ lenderName: lender }) => say('steps.stopNow.mandate', { lender })),
      say('steps.stopNow.enquiry'),
      ...(gold?.texts ?? []),
    ],
  };
}

type Agreed = Pick<HostedSelection, 'offer' | 'selection'>;

/** The first instalment is due a month after the payout, which is today at the earliest. */
function mandateTerms(
  { offer, selection }: Agreed,
  account: HostedJourneyView['bankAccount'],
  now: Date,
) {
  const { instalment, tenureMonths: count } = selection;
  const { mandateLimitPercent: percent } = offer.terms;
  const later = (months: number) =>
    say('steps.mandate.later', { when: sayDate(addMonths(dayInIndia(now), months)) });
  // The instalment is whole rupees, so its percentage is whole paise.
  const most = percent === undefined ? null : formatRupees((instalment * percent) / 100);
  return {
    figures: [
      { label: say('offers.emi', { count }), value: formatRupees(instalment) },
      ...(most === null ? [] : [{ label: say('steps.mandate.most'), value: most }]),
    ],
    rows: [
      ...(most === null ? [row('steps.mandate.most', say('steps.mandate.most.unknown'))] : []),
      row('steps.mandate.by', offer.lenderName),
      ...(account
        ? [
            row(
              'steps.mandate.account',
              `${account.ifscCode} ${shortAccount(account.maskedNumber)}`,
            ),
          ]
        : []),
      row('steps.mandate.first', later(1)),
      row('steps.mandate.last', later(count)),
    ],
    limit:
      most === null
        ? {
            heading: say('steps.mandate.limit.unknown'),
            textKey: 'steps.mandate.limit.text.unknown',
          }
        : {
            heading: say('steps.mandate.limit', { amount: most }),
            textKey: 'steps.mandate.limit.text',
          },
  };
}
