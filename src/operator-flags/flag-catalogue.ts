interface FlagEntry {
  /** At most 20 words. */
  readonly meaning: string;
  /** Keys of `detail`, without personal data. `first` is reserved for the facts of the first occurrence. */
  readonly fields: readonly string[];
  /** At most 20 words. */
  readonly action: string;
}

/** `npm run drawings` writes docs/generated/flags.md from it. */
export const FLAG_CATALOGUE = {
  PAYOUT_PENDING: {
    meaning:
      'A lender has not answered for hours whether it paid out. Closed when the answer arrives.',
    fields: ['lenderCode', 'kind', 'reference', 'subjectId', 'since'],
    action:
      'Ask the lender whether it paid; `admin journeys show` has its reference. Until then, have it paid no other way.',
  },
  ANSWER_PENDING: {
    meaning:
      'A lender has not answered another question, or decided a paid loan, in time. Closed when the answer arrives.',
    fields: ['lenderCode', 'kind', 'reference', 'subjectId', 'since'],
    action:
      'Ask the lender; `admin journeys show` has its reference. The service keeps asking, too.',
  },
  PAYOUT_DIFFERS: {
    meaning: 'A lender paid out another amount, to another account, or on an impossible day.',
    fields: ['inboxId', 'lenderCode', 'kind', 'paidAt', 'amount', 'agreed', 'isOtherAccount'],
    action: 'The money is out: settle it with the lender and the applicant.',
  },
  LATE_ANSWER: {
    meaning: 'An answer arrived when nothing waited for it; it changed nothing.',
    fields: ['inboxId', 'lenderCode', 'kind', 'answer', 'amount', 'state', 'status'],
    action: 'If the answer is `PAID`, the money is out: ask the lender. Otherwise resolve it.',
  },
  UNREADABLE_ANSWER: {
    meaning:
      'An answer or notice cannot be applied: of a kind its question does not have, or processing keeps failing.',
    fields: ['inboxId', 'lenderCode', 'kind', 'answer', 'attempts'],
    action:
      'With `answer`: ask the lender for a correct one. With `attempts`: the log has the error under `inboxId`.',
  },
  LENDER_SILENT: {
    meaning: 'A lender does not answer, or answers only with failures; or a question was given up.',
    fields: ['lenderCode', 'lenders', 'kind', 'reference', 'subjectId', 'failure', 'since'],
    action: 'Run `admin lenders ping`, then ask the lender; the log has the failures.',
  },
  INVALID_QUESTION: {
    meaning: 'A lender refuses a question as malformed.',
    fields: ['lenderCode', 'kind', 'reference', 'subjectId', 'failure'],
    action: 'Compare `failure` with the lender protocol: one side has a bug.',
  },
  LENDER_SIGNATURE_REFUSED: {
    meaning: 'Five messages or answers of a lender within ten minutes had a wrong signature.',
    fields: ['lenderCode', 'message', 'problem'],
    action:
      'With `MISSING`, look for a proxy or error page at its address. Otherwise ask the lender about its keys.',
  },
  LENDER_CERTIFICATE: {
    meaning:
      'A lender’s TLS certificate at `host` expires within 14 days, or has expired. Closed when it is renewed.',
    fields: ['lenderCode', 'host', 'validTo'],
    action: 'Ask the lender to renew it before `validTo`: afterwards it cannot be called.',
  },
  SESSION_ELSEWHERE: {
    meaning:
      'A session’s address is not at the host named for its step (`host`). No applicant was sent there.',
    fields: ['lenderCode', 'step', 'origin', 'host'],
    action:
      'If the page is the lender’s, name its host in `lenders[].providers`. Otherwise ask the lender.',
  },
  OFFER_REFUSED: {
    meaning: 'An offer did not hold when its figures were computed again. The lender was notified.',
    fields: [
      'lenderCode',
      'offerId',
      'offerReference',
      'reason',
      'disagreements',
      'problem',
      'stated',
      'computed',
    ],
    action: 'Ask the lender to correct it: `reason` or `problem` names the rule.',
  },
  OFFER_REVISED: {
    meaning:
      'A revised offer does not hold (`holds: false`), or arrived too late to replace the chosen one.',
    fields: [
      'inboxId',
      'messageId',
      'lenderCode',
      'kind',
      'reason',
      'revisedAt',
      'offerReference',
      'principal',
      'apr',
      'rateKind',
      'repaymentKind',
      'holds',
      'state',
      'figures',
      'problems',
    ],
    action:
      'If it does not hold, send the lender `problems`. If it holds, agree with lender and applicant.',
  },
  OFFER_NOT_KEPT: {
    meaning: 'A lender declined an instant loan after the fee for its binding offer was paid.',
    fields: ['inboxId', 'lenderCode', 'kind', 'offerId', 'answer', 'feeOnDecline'],
    action: 'Ask the lender why. `feeOnDecline` says whether it keeps the fee.',
  },
  LOAN_EVENT: {
    meaning: 'A lender reported an event of a loan that was paid out.',
    fields: ['lenderCode', 'messageId', 'event', 'happenedAt', 'amount', 'isOfAnotherLoan'],
    action: 'Act on `event`. With `isOfAnotherLoan`, ask the lender whether it paid out twice.',
  },
  LENDER_STATEMENT: {
    meaning:
      'A day’s statement differs from the lender’s answers, lacks pages, or cannot be checked.',
    fields: [
      'lenderCode',
      'day',
      'pages',
      'agrees',
      'payoutCount',
      'payoutTotal',
      'differences',
      'firstDifferences',
      'notCompared',
      'missingPages',
      'failedChecks',
    ],
    action: 'Settle `differences` with the lender, or ask for `missingPages`.',
  },
  SMS_NOT_SENT: {
    meaning: 'A text message was refused or given up, or could not be written.',
    fields: ['smsId', 'kind', 'status', 'failure', 'inboxId', 'attempts'],
    action:
      'Correct the gateway or the text’s DLT id; `failure` says which. The text is not sent again.',
  },
  PAYMENT_DIFFERS: {
    meaning:
      'A payment has another amount or currency than its order. It is refunded automatically.',
    fields: ['orderId', 'gatewayPaymentId', 'amount', 'currency', 'ordered'],
    action: 'Find out how it could be taken: a payment link takes only its own amount.',
  },
  PAYMENT_ID_TWICE: {
    meaning:
      'A payment is reported for one order under an id recorded for another. It does not count for this order.',
    fields: ['gatewayPaymentId', 'orderId', 'account', 'recordedFor'],
    action: 'Look for the payment in both accounts; refund it where it belongs to `orderId`.',
  },
  OTHER_ACCOUNT: {
    meaning: 'An account called back about an order or refund of another account.',
    fields: ['orderId', 'refundId', 'account', 'calledFrom'],
    action:
      'Look for the order’s payment in the account `calledFrom`; if it is there, refund it there.',
  },
  GATEWAY_REFUSED: {
    meaning:
      'Razorpay refuses calls: a wrong key, a suspended account, a limit; or it refuses one refund.',
    fields: ['orderId', 'refundId', 'gateway', 'reason'],
    action:
      'Fix the cause in `reason`, or top up the account; waiting work continues automatically.',
  },
  GATEWAY_SILENT: {
    meaning: 'Razorpay gave no usable answer about an order or refund for a day.',
    fields: ['orderId', 'refundId', 'gateway', 'status', 'reason', 'since', 'failures', 'isLong'],
    action:
      'Check the order in the dashboard, and the network. An ended order is asked about no longer.',
  },
  REFUND_FAILED: {
    meaning: 'A refund failed for good. Closed when it succeeds after all.',
    fields: [
      'refundId',
      'orderId',
      'gatewayPaymentId',
      'amount',
      'currency',
      'reason',
      'lastFailure',
      'wasDone',
    ],
    action:
      'Fix `lastFailure` and run `admin refunds retry`; or refund it another way, then resolve it: it then reads as refunded.',
  },
  REFUND_LATE: {
    meaning: 'Razorpay has had a refund for two weeks and still calls it `pending`.',
    fields: ['refundId', 'orderId', 'gatewayPaymentId', 'gatewayRefundId', 'since'],
    action: 'Ask Razorpay’s support about `gatewayRefundId`; the service keeps asking.',
  },
  AUDIT_NOT_CLOSED: {
    meaning: 'A day of the audit has no root an hour after it should. Closed when it has one.',
    fields: ['day'],
    action: 'The log has the error of `audit-root`; with `CLOCK_OFF`, set that clock first.',
  },
  CLOCK_OFF: {
    meaning:
      'The host’s clock is 30 s or more off the database’s. Closed when right, or when the host is gone.',
    fields: ['secondsAhead', 'isReady', 'checkedAt'],
    action:
      'Set the host’s clock by NTP. If every host has this flag, set the database’s clock instead.',
  },
  PARTITION_MISSING: {
    meaning: 'A partition that is needed soon could not be made. Closed when it exists.',
    fields: ['from'],
    action: 'Look in the log for the error; the task tries again every hour.',
  },
} as const satisfies Record<string, FlagEntry>;

export type FlagKind = keyof typeof FLAG_CATALOGUE;

export const FLAG_KINDS = Object.keys(FLAG_CATALOGUE) as FlagKind[];

type FieldOf<Kind extends FlagKind> = (typeof FLAG_CATALOGUE)[Kind]['fields'][number];

export type FlagDetail<Kind extends FlagKind> = { readonly [Field in FieldOf<Kind>]?: unknown };

export type ExactDetail<Kind extends FlagKind, Detail> = Detail & {
  readonly [Field in Exclude<keyof Detail, FieldOf<Kind>>]: never;
};
