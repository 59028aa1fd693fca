import type { HostedChoices, HostedJourneyView, OfferChange } from '../../journeys/index.js';
import { isFault, Page, type ScreenModel } from '../../platform/index.js';
import type { BindingStep } from '../../settings/index.js';
import { questionOf, type QuestionPage, stopHref } from '../entry/current-screen.js';
import type { JourneyVisit } from '../entry/signed-in.js';

export function questionPage(
  view: HostedJourneyView,
  page: QuestionPage,
  name: string,
  model: ScreenModel,
  status?: number,
): Page {
  const place = {
    shown: view.stamp,
    question: questionOf(view, page),
    leaving: leavingChoices(view),
    stopHref: stopHref(view),
  };
  return new Page(name, { ...model, ...place }, status);
}

/**
 * When the lender cannot be reached, nothing has changed and the applicant can retry.
 * @throws any other error
 */
export function lenderAwayPage(error: unknown, lenderName: string, retryHref: string): Page {
  if (!isFault(error, 'lender_unavailable')) throw error;
  const model = {
    titleKey: 'offers.away',
    titleValues: { lender: lenderName },
    languageReturn: retryHref,
    lenderName,
    retryHref,
  };
  return new Page('offers/lender-away', model, error.status);
}

const NOTES: Readonly<Record<OfferChange, string | null>> = {
  OPEN: null,
  BOUND: 'steps.leaving.bound',
  MAY_BE_SIGNED: 'steps.leaving.maybeSigned',
  NONE_LEFT: 'steps.leaving.noneLeft',
};

export const BOUND_KEYS: Readonly<Record<BindingStep, string>> = {
  KYC: 'steps.leaving.until.kyc',
  BANK_ACCOUNT: 'steps.leaving.until.bankAccount',
  MANDATE: 'steps.leaving.until.mandate',
};

function leavingChoices(view: HostedJourneyView) {
  const { offerChange, mayStop, bindsNow, mayCoverSignature } = view;
  return {
    // Why, or until when before the signature, the choice can be changed.
    note: noteOf(view),
    mayChooseAnother: offerChange === 'OPEN',
    // This step's visit may include the signature; meanwhile the choice is fixed.
    signsNow: mayCoverSignature && mayStop,
    // This step makes the choice final.
    bindsNow: bindsNow && offerChange === 'OPEN',
  };
}

function noteOf({ offerChange, bindsAfter, bindsNow }: HostedJourneyView): string | null {
  // The page of the binding step says so itself.
  const isAhead = offerChange === 'OPEN' && bindsAfter !== null && !bindsNow;
  if (isAhead) return BOUND_KEYS[bindsAfter];
  return offerChange === null ? null : NOTES[offerChange];
}

interface StepAction {
  readonly kind: 'SELECT_GOLD_LOAN_BRANCH' | 'SUBMIT_BANK_ACCOUNT';
  readonly payload: object;
  readonly retryHref: string;
}

/**
 * @returns `REFUSED` when the data or the lender rejects it; a page when the lender cannot be
 * reached
 */
export async function takeAction(
  choices: HostedChoices,
  { view, session }: JourneyVisit,
  { kind, payload, retryHref }: StepAction,
): Promise<'TAKEN' | 'REFUSED' | Page> {
  try {
    await choices.act(session, kind, payload);
    return 'TAKEN';
  } catch (error) {
    if (isFault(error, 'validation_failed')) return 'REFUSED';
    return lenderAwayPage(error, view.selected?.offer.lenderName ?? '', retryHref);
  }
}
