import { REDIRECT_DEFINITIONS, type RedirectOutcomeReason } from '../../journey-steps/index.js';
import type { HostedJourneyView } from '../../journeys/index.js';
import { say } from '../../platform/index.js';
import { check, type CheckMark } from './left-behind.js';

type OutcomeReason = NonNullable<HostedJourneyView['outcomeReason']>;
type RejectionReason = Exclude<
  OutcomeReason,
  'CONSENT_WITHDRAWN' | 'PAYMENT_EXPIRED' | 'LOAN_DECLINED'
>;

interface RejectionTexts {
  readonly titleKey: string;
  readonly reasonKey: string;
  readonly adviceKeys: readonly string[];
}

const OF_REDIRECT_STEPS = Object.fromEntries(
  REDIRECT_DEFINITIONS.map(({ reason, textKeys, adviceKeys }): [string, RejectionTexts] => [
    reason,
    { titleKey: textKeys.rejectedTitle, reasonKey: textKeys.rejectedReason, adviceKeys },
  ]),
) as Record<RedirectOutcomeReason, RejectionTexts>;

const REPORT = 'entry.advice.report';

const TEXTS: Record<RejectionReason, RejectionTexts> = {
  ...OF_REDIRECT_STEPS,
  NO_OFFERS: {
    titleKey: 'entry.rejected.noOffers',
    reasonKey: 'entry.rejected.noOffers.why',
    adviceKeys: [REPORT, 'entry.advice.less', 'entry.advice.documents'],
  },
  LENDERS_UNAVAILABLE: {
    titleKey: 'entry.rejected.unavailable',
    reasonKey: 'entry.rejected.unavailable.why',
    adviceKeys: ['entry.advice.later'],
  },
  BANK_ACCOUNT_FAILED: {
    titleKey: 'entry.rejected.account',
    reasonKey: 'entry.rejected.disbursement.why',
    adviceKeys: ['entry.advice.account', 'entry.advice.afresh'],
  },
  DISBURSEMENT_FAILED: {
    titleKey: 'entry.rejected.disbursement',
    reasonKey: 'entry.rejected.disbursement.why',
    adviceKeys: ['entry.advice.account', 'entry.advice.lender'],
  },
};

const UNKNOWN: RejectionTexts = {
  titleKey: 'entry.rejected.unknown',
  reasonKey: 'entry.rejected.unknown.why',
  adviceKeys: ['entry.advice.afresh'],
};

const MARKS: Readonly<Record<string, string>> = {
  [REPORT]: 'score',
  'entry.advice.documents': 'id',
  'entry.advice.account': 'bank',
  'entry.advice.bank': 'bank',
  'entry.advice.lender': 'phone',
  'entry.advice.afresh': 'repeat',
};

export function rejectionTexts(reason: OutcomeReason | null): RejectionTexts {
  return TEXTS[reason as RejectionReason] ?? UNKNOWN;
}

export function adviceRows(
  { adviceKeys }: Pick<RejectionTexts, 'adviceKeys'>,
  lender: string,
): CheckMark[] {
  return adviceKeys.map((key) => ({
    ...check(MARKS[key] ?? 'clock', key, { lender }),
    ...(key === REPORT && { note: say('entry.advice.report.note') }),
  }));
}
