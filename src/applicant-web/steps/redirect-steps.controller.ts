import { Controller, Get } from '@nestjs/common';
import { REDIRECT_DEFINITIONS, redirectDefinition } from '../../journey-steps/index.js';
import { HostedJourneys, type HostedJourneyView } from '../../journeys/index.js';
import {
  Clock,
  type Language,
  type Page,
  type ScreenModel,
  translate,
} from '../../platform/index.js';
import { readAt } from '../entry/current-screen.js';
import { CurrentVisit, SignedIn, type Visit } from '../entry/signed-in.js';
import { exitFold } from '../offers/confirmed-terms.js';
import { type Fold, goldFolds } from '../offers/gold-folds.js';
import { shortName } from '../short-names.js';
import { signedLoan } from './agreed-loan.js';
import { mandateTerms } from './mandate-terms.js';
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
    if (!view.redirect || !view.selected) throw new Error('a redirect step has a redirect');
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
