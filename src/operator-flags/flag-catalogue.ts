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
      'Ask the lender whether it paid; `admin journeys show` prints its reference. Until then, do not pay another way.',
  },
  ANSWER_PENDING: {
    meaning:
      'A lender has not answered another question, or decided a paid loan, in time. Closed when the answer arrives.',
    fields: ['lenderCode', 'kind', 'reference', 'subjectId', 'since'],
    action:
      'Ask the lender; `admin journeys show` prints its reference. The service also keeps asking.',
  },
  PAYOUT_DIFFERS: {
    meaning: 'A lender paid out another amount, to another account, or on an impossible day.',
    fields: ['inboxId', 'lenderCode', 'kind', 'paidAt', 'amount', 'agreed', 'isOtherAccount'],
    action: 'The money was sent: settle the difference with the lender and the applicant.',
  },
  LATE_ANSWER: {
    meaning: 'An answer arrived too late and changed nothing.',
    fields: ['inboxId', 'lenderCode', 'kind', 'answer', 'amount', 'state', 'status'],
    action:
      'If the answer is `PAID`, the money was sent: ask the lender. Otherwise resolve the flag.',
  },
  UNREADABLE_ANSWER: {
    meaning:
      'An answer or notice cannot be applied: it does not fit its question, or processing keeps failing.',
    fields: ['inboxId', 'lenderCode', 'kind', 'answer', 'attempts'],
    action:
      'With `answer`: ask the lender for a correct answer. With `attempts`: find the error in the log by `inboxId`.',
  },
  LENDER_SILENT: {
    meaning: 'A lender does not answer, or answers only with failures; or a question was given up.',
    fields: ['lenderCode', 'lenders', 'kind', 'reference', 'subjectId', 'failure', 'since'],
    action: 'Run `admin lenders ping`, then ask the lender. The log has the failures.',
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
      'With `MISSING`, check its address for a proxy or an error page. Otherwise ask the lender about its keys.',
  },
  LENDER_CERTIFICATE: {
    meaning:
      'A lender’s TLS certificate at `host` expires within 14 days, or has expired. Closed when it is renewed.',
    fields: ['lenderCode', 'host', 'validTo'],
    action: 'Ask the lender to renew it before `validTo`: after that, calls fail.',
  },
  SESSION_ELSEWHERE: {
    meaning:
      'A session’s address is not at the host named for its step (`host`). No applicant was sent there.',
    fields: ['lenderCode', 'step', 'origin', 'host'],
    action:
      'If the page is the lender’s, name its host in `lenders[].providers`. Otherwise ask the lender.',
  },
  OFFER_REFUSED: {
    meaning: 'An offer’s figures failed our check. The lender was notified.',
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
      'A revised offer is not valid (`holds: false`), or arrived too late to replace the chosen offer.',
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
      'If it is not valid, send `problems` to the lender. Otherwise agree with lender and applicant which offer applies.',
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
    action: 'Ask the gateway how this could happen: a payment link accepts only its own amount.',
  },
  PAYMENT_ID_TWICE: {
    meaning:
      'A payment is reported for one order under an id recorded for another. It does not count for this order.',
    fields: ['gatewayPaymentId', 'orderId', 'account', 'recordedFor'],
    action:
      'Find the payment in both accounts; refund it in the one where it belongs to `orderId`.',
  },
  OTHER_ACCOUNT: {
    meaning: 'A payment account sent a callback about an order or refund of another account.',
    fields: ['orderId', 'refundId', 'account', 'calledFrom'],
    action: 'If the account `calledFrom` has the order’s payment, refund it there.',
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
      'Check the order in the dashboard, and the network. The service no longer asks about ended orders.',
  },
  REFUND_FAILED: {
    meaning: 'A refund failed permanently. Closed if it succeeds later.',
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
      'Fix `lastFailure` and run `admin refunds retry`. Or refund another way and resolve the flag: it then counts as refunded.',
  },
  REFUND_LATE: {
    meaning: 'Razorpay has kept a refund `pending` for two weeks.',
    fields: ['refundId', 'orderId', 'gatewayPaymentId', 'gatewayRefundId', 'since'],
    action: 'Ask Razorpay’s support about `gatewayRefundId`. The service keeps asking, too.',
  },
  AUDIT_NOT_CLOSED: {
    meaning:
      'A day of the audit trail has no root an hour after it was due. Closed when it has one.',
    fields: ['day'],
    action: 'Find the error of `audit-root` in the log; with `CLOCK_OFF`, set that clock first.',
  },
  CLOCK_OFF: {
    meaning:
      'The host’s clock is at least 30 s off the database’s. Closed when correct, or when the host is gone.',
    fields: ['secondsAhead', 'isReady', 'checkedAt'],
    action:
      'Set the host’s clock by NTP. If every host has this flag, set the database’s clock instead.',
  },
  PARTITION_MISSING: {
    meaning: 'A partition that is needed soon could not be created. Closed when it exists.',
    fields: ['from'],
    action: 'Find the error in the log; the task retries every hour.',
  },
} as const satisfies Record<string, FlagEntry>;

export type FlagKind = keyof typeof FLAG_CATALOGUE;

export const FLAG_KINDS = Object.keys(FLAG_CATALOGUE) as FlagKind[];

type FieldOf<Kind extends FlagKind> = (typeof FLAG_CATALOGUE)[Kind]['fields'][number];

export type FlagDetail<Kind extends FlagKind> = { readonly [Field in FieldOf<Kind>]?: unknown };

export type ExactDetail<Kind extends FlagKind, Detail> = Detail & {
  readonly [Field in Exclude<keyof Detail, FieldOf<Kind>>]: never;
};
