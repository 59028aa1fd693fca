import { REDIRECT_DEFINITIONS, type RedirectOutcomeReason } from '../../journey-steps/index.js';
import type { HostedJourneyView } from '../../journeys/index.js';

type OutcomeReason = NonNullable<HostedJourneyView['outcomeReason']>;
/** Who stops is not rejected. */
type RejectionReason = Exclude<OutcomeReason, 'CONSENT_WITHDRAWN'>;

/** What is said of a loan that could not be had; every entry is a key. */
export interface RejectionTexts {
  readonly titleKey: string;
  readonly reasonKey: string;
  /** What the applicant can do now. */
  readonly adviceKeys: readonly string[];
}

const OF_REDIRECT_STEPS = Object.fromEntries(
  REDIRECT_DEFINITIONS.map(({ reason, textKeys, adviceKeys }): [string, RejectionTexts] => [
    reason,
    { titleKey: textKeys.rejectedTitle, reasonKey: textKeys.rejectedReason, adviceKeys },
  ]),
) as Record<RedirectOutcomeReason, RejectionTexts>;

const TEXTS: Record<RejectionReason, RejectionTexts> = {
  ...OF_REDIRECT_STEPS,
  NO_OFFERS: {
    titleKey: 'steps.rejected.noOffers.title',
    reasonKey: 'steps.rejected.noOffers.reason',
    adviceKeys: ['steps.rejected.advice.report', 'steps.rejected.advice.less'],
  },
  LENDERS_UNAVAILABLE: {
    titleKey: 'steps.rejected.unavailable.title',
    reasonKey: 'steps.rejected.unavailable.reason',
    adviceKeys: ['steps.rejected.advice.later'],
  },
  BANK_ACCOUNT_FAILED: {
    titleKey: 'steps.rejected.account.title',
    reasonKey: 'steps.rejected.account.reason',
    adviceKeys: ['steps.rejected.advice.account', 'steps.rejected.advice.afresh'],
  },
  DISBURSEMENT_FAILED: {
    titleKey: 'steps.rejected.disbursement.title',
    reasonKey: 'steps.rejected.disbursement.reason',
    adviceKeys: ['steps.rejected.advice.account', 'steps.rejected.advice.lender'],
  },
};

const UNKNOWN: RejectionTexts = {
  titleKey: 'steps.rejected.unknown.title',
  reasonKey: 'steps.rejected.unknown.reason',
  adviceKeys: ['steps.rejected.advice.afresh'],
};

/** Honest and kind: why there is no loan, without blame, and what can be done about it. */
export function rejectionTexts(reason: OutcomeReason | null): RejectionTexts {
  return reason === null || reason === 'CONSENT_WITHDRAWN' ? UNKNOWN : TEXTS[reason];
}
