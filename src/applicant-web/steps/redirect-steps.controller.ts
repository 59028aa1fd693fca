import { Controller, Get } from '@nestjs/common';
import { REDIRECT_DEFINITIONS, redirectDefinition } from '../../journey-steps/index.js';
import {
  HostedJourneys,
  type HostedJourneyView,
  type HostedSelection,
} from '../../journeys/index.js';
import { addMonths, dayInIndia } from '../../loans/index.js';
import {
  Clock,
  formatDate,
  formatRupees,
  type Language,
  type Page,
  type ScreenModel,
  translate,
} from '../../platform/index.js';
import { readAt } from '../entry/current-screen.js';
import { CurrentVisit, SignedIn, type Visit } from '../entry/signed-in.js';
import { exitFold } from '../offers/confirmed-terms.js';
import { type Fold, goldFolds } from '../offers/gold-folds.js';
import { type CardFigure, type CardRow, shortAccount, shortName } from '../offers/offer-card.js';
import { signedLoan } from './paid-out-loan.js';
import { questionPage } from './step-pages.js';

type Mandates = Awaited<ReturnType<HostedJourneys['remains']>>['mandates'];
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
    private readonly hosted: HostedJourneys,
    private readonly clock: Clock,
  ) {}

  @Get(REDIRECT_DEFINITIONS.map(({ page }) => page))
  async show(@CurrentVisit() { session, language, request }: Visit): Promise<Page> {
    const { path } = request.route as { path: string };
    const view = await readAt(this.hosted, session, path);
    if (!view.redirect || !view.selected) throw new Error('the redirect step has no redirect');
    const { step, url, attempt, isDeciding, provider } = view.redirect;
    const definition = redirectDefinition(step);
    const { page, textKeys, maxTries, shows } = definition;
    // Before the mandate is set up, its own page says how to end it.
    const mayHaveMandate = shows === 'AGREEMENT' || (shows === 'INSTALMENT' && isDeciding);
    const mandates = mayHaveMandate ? (await this.hosted.remains(session)).mandates : [];
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
        moments: checkingMoments(language),
        folds: mandates.length > 0 ? [stoppingFold(view, mandates, language)] : [],
        refreshSeconds: view.pollIntervalSeconds,
      });
    }
    const failed = {
      what: translate(language, textKeys.failed),
      count: maxTries + 1 - attempt,
    };
    return questionPage(view, page, TEMPLATES[shows], {
      ...model,
      ...shownTerms(view, definition, this.clock.now(), language),
      ...(shows === 'AGREEMENT' && { folds: signingFolds(view, mandates, language) }),
      ...(hasFailed && { failure: translate(language, 'steps.failed', failed) }),
    });
  }
}

function checkingMoments(language: Language) {
  return [
    {
      text: translate(language, 'steps.checking'),
      note: translate(language, 'steps.close'),
      isNow: true,
    },
    { text: translate(language, 'steps.checking.next') },
  ];
}

function shownTerms(
  { selected, bankAccount }: HostedJourneyView,
  { shows, textKeys }: Definition,
  now: Date,
  language: Language,
): ScreenModel {
  if (!selected) return {};
  const { offer } = selected;
  if (shows === 'INSTALMENT') {
    return {
      ...mandateTerms(selected, bankAccount, now, language),
      recoveryAgent: offer.terms.recoveryAgentLsp,
    };
  }
  if (shows === 'AGREEMENT') {
    return {
      ...signedLoan(selected, language),
      kfsHref: selected.kfsUrl,
    };
  }
  const keys = [textKeys.leave, textKeys.act, 'steps.visit.back'];
  const short = shortName(offer);
  return {
    moments: keys.flatMap((key) =>
      key === undefined ? [] : [{ text: translate(language, key, { short }) }],
    ),
  };
}

function signingFolds(view: HostedJourneyView, mandates: Mandates, language: Language) {
  return [exitFold(view.selected!, language), stoppingFold(view, mandates, language)];
}

/** @param mandates of lenders that may have set up Autopay */
function stoppingFold(
  { selected }: Pick<HostedJourneyView, 'selected'>,
  mandates: readonly { readonly lenderName: string }[],
  language: Language,
): Fold {
  const [gold] = selected?.branch ? goldFolds(selected.offer.terms, language) : [];
  return {
    mark: 'clock',
    heading: translate(language, 'steps.stopNow'),
    gist:
      gold?.gist ??
      translate(language, mandates.length > 0 ? 'steps.stopNow.autopay' : 'steps.stopNow.free'),
    texts: [
      ...mandates.map(({ lenderName: lender }) =>
        translate(language, 'steps.stopNow.mandate', { lender }),
      ),
      translate(language, 'steps.stopNow.enquiry'),
      ...(gold?.texts ?? []),
    ],
  };
}

type Agreed = Pick<HostedSelection, 'offer' | 'selection'>;

interface MandateTerms {
  readonly figures: readonly CardFigure[];
  readonly rows: readonly CardRow[];
  readonly limit: { readonly heading: string; readonly textKey: string };
}

/** The first instalment is due a month after the payout, which is today at the earliest. */
function mandateTerms(
  { offer, selection }: Agreed,
  account: HostedJourneyView['bankAccount'],
  now: Date,
  language: Language,
): MandateTerms {
  const { instalment, tenureMonths: count } = selection;
  const { mandateLimitPercent: percent } = offer.terms;
  const say = (key: string) => translate(language, key);
  const later = (months: number) =>
    translate(language, 'steps.mandate.later', {
      when: formatDate(language, addMonths(dayInIndia(now), months)),
    });
  // The instalment is whole rupees, so its percentage is whole paise.
  const most = percent === undefined ? null : formatRupees((instalment * percent) / 100);
  return {
    figures: [
      { label: translate(language, 'offers.emi', { count }), value: formatRupees(instalment) },
      ...(most === null ? [] : [{ label: say('steps.mandate.most'), value: most }]),
    ],
    rows: [
      ...(most === null
        ? [{ label: say('steps.mandate.most'), value: say('steps.mandate.most.unknown') }]
        : []),
      { label: say('steps.mandate.by'), value: offer.lenderName },
      ...(account
        ? [
            {
              label: say('steps.mandate.account'),
              value: `${account.ifscCode} ${shortAccount(account.maskedNumber)}`,
            },
          ]
        : []),
      { label: say('steps.mandate.first'), value: later(1) },
      { label: say('steps.mandate.last'), value: later(count) },
    ],
    limit:
      most === null
        ? {
            heading: say('steps.mandate.limit.unknown'),
            textKey: 'steps.mandate.limit.text.unknown',
          }
        : {
            heading: translate(language, 'steps.mandate.limit', { amount: most }),
            textKey: 'steps.mandate.limit.text',
          },
  };
}
