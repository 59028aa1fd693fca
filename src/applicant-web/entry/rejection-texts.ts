import { REDIRECT_DEFINITIONS, type RedirectOutcomeReason } from '../../journey-steps/index.js';
import type { HostedJourneyView } from '../../journeys/index.js';
import { type Language, translate } from '../../platform/index.js';
import type { CheckMark } from './left-behind.js';

type OutcomeReason = NonNullable<HostedJourneyView['outcomeReason']>;
/** An applicant who stops is not rejected. */
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
  NO_OFFERS: texts('noOffers', ['report', 'less', 'documents']),
  LENDERS_UNAVAILABLE: texts('unavailable', ['later']),
  BANK_ACCOUNT_FAILED: texts('account', ['account', 'afresh']),
  DISBURSEMENT_FAILED: texts('disbursement', ['account', 'lender']),
};

const UNKNOWN = texts('unknown', ['afresh']);

const REPORT = 'entry.advice.report';

const MARKS: Readonly<Record<string, string>> = {
  [REPORT]: 'score',
  'entry.advice.documents': 'id',
  'entry.advice.account': 'bank',
  'entry.advice.bank': 'bank',
  'entry.advice.lender': 'phone',
  'entry.advice.afresh': 'repeat',
};

/** Why there is no loan, without blame, and what can be done about it. */
export function rejectionTexts(reason: OutcomeReason | null): RejectionTexts {
  return reason === null || reason === 'CONSENT_WITHDRAWN' ? UNKNOWN : TEXTS[reason];
}

export function adviceRows(
  { adviceKeys }: RejectionTexts,
  lender: string,
  language: Language,
): CheckMark[] {
  return adviceKeys.map((key) => ({
    mark: MARKS[key] ?? 'clock',
    text: translate(language, key, { lender }),
    ...(key === REPORT && { note: translate(language, `${REPORT}.note`) }),
  }));
}

function texts(name: string, advice: readonly string[]): RejectionTexts {
  return {
    titleKey: `entry.rejected.${name}`,
    reasonKey: `entry.rejected.${name}.why`,
    adviceKeys: advice.map((each) => `entry.advice.${each}`),
  };
}
