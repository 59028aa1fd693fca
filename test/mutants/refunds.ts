import type { Mutant } from './mutant.ts';

const REFUNDS = ['test/e2e/payments/razorpay-refunds.spec.ts'];
const ACCOUNTS = ['test/e2e/payments/fee-accounts.isolated.spec.ts'];
const SETTLEMENT = ['test/e2e/instant-loans/payments.spec.ts'];
const SETTLER = 'src/instant-loans/fee/fee-settlement.ts';
const LEDGER = 'src/payments/payment-ledger.ts';

/** Refunds: what goes back, once, and who is told. */
export const REFUNDS_MADE: readonly Mutant[] = [
  {
    id: 'declined-fee-is-kept',
    rule: 'The fee of a declined application goes back, unless the lender’s terms keep it',
    file: SETTLER,
    find: "? 'KEPT' : 'DECLINED';",
    replace: "? 'KEPT' : 'KEPT';",
    specs: ['src/instant-loans/fee/fee-settlement.spec.ts'],
  },
  {
    id: 'missing-refund-is-never-requested',
    rule: 'The settlement requests a refund that is missing',
    file: SETTLER,
    find: 'const refundId = await this.refunds.request(tx, refund);',
    replace: 'const refundId = null as string | null;',
    specs: SETTLEMENT,
  },
  {
    id: 'other-amount-is-kept',
    rule: 'A payment of another amount goes back',
    file: LEDGER,
    find: 'await this.refunds.request(tx, refund);',
    replace: '',
    specs: REFUNDS,
  },
  {
    id: 'wrong-key-ends-a-refund',
    rule: 'Only the refusal of the refund itself ends it',
    file: 'src/payments/refunds/refund-processing.ts',
    find: 'const isTurnedDown = error instanceof RefundRefused;',
    replace: 'const isTurnedDown = true;',
    specs: REFUNDS,
  },
  {
    id: 'unknown-state-is-no-refund',
    rule: 'A refund in a state that is not known is on its way',
    file: 'src/payments/razorpay/razorpay-fields.ts',
    find: " ?? 'PENDING';",
    replace: " ?? 'FAILED';",
    specs: REFUNDS,
  },
  {
    id: 'refund-without-a-look',
    rule: 'A refund whose answer was lost is looked for before the money is asked for again',
    file: 'src/payments/refunds/refund-processing.ts',
    find: 'leaseToken > 1 ?',
    replace: 'leaseToken < 0 ?',
    specs: REFUNDS,
  },
  {
    id: 'refund-of-another-attempt',
    rule: 'News of an earlier attempt at a refund change nothing',
    file: 'src/payments/payment-order.ts',
    find: 'key === keyOf(refund) &&',
    replace: '',
    specs: REFUNDS,
  },
  {
    id: 'refund-without-a-key',
    rule: 'A refund is asked for under our own idempotency key',
    file: 'src/payments/razorpay/razorpay-client.ts',
    find: 'setIdempotencyKey(config);',
    replace: '',
    specs: REFUNDS,
  },
  {
    id: 'other-accounts-refund',
    rule: 'An account has no say over another’s refunds',
    file: 'src/payments/payment-callbacks.ts',
    find: 'if (refund.account === account) return refund;',
    replace: 'if (refund.account === account || refund.id) return refund;',
    specs: ACCOUNTS,
  },
  {
    id: 'held-back-counts-as-told',
    rule: 'An applicant whose texts of the day are used up is told of a refund when it is over',
    file: 'src/instant-loans/background/payments.consumer.ts',
    find: 'put.isHeldBack ? await this.sms.noTextUntil(tx, mobile) : null;',
    replace: 'put.isHeldBack ? null : null;',
    specs: ['test/e2e/messaging/replicas.isolated.spec.ts'],
    only: 'that money went back is told',
  },
  {
    id: 'failed-flag-stays-open',
    rule: 'A refund that is done after it had failed closes its flag',
    file: 'src/payments/refunds/refund-ledger.ts',
    find: "if (refund.status === 'FAILED') await this.resolveFailure(tx, refund);",
    replace: '',
    specs: REFUNDS,
  },
  {
    id: 'taken-back-is-dropped',
    rule: 'A refund that is taken back after it was done is put before the operator',
    file: 'src/payments/refunds/refund-ledger.ts',
    find: "if (refund.status === 'DONE') return this.revoke(tx, refund, { source, gatewayRefundId });",
    replace: '',
    specs: REFUNDS,
  },
  {
    id: 'failed-while-it-is-on-its-way',
    rule: 'A refund that the gateway has taken in the meantime is not given up',
    file: 'src/payments/refunds/refund-processing.ts',
    find: "if (refund.status !== 'REQUESTED') return;",
    replace: '',
    specs: REFUNDS,
  },
  {
    id: 'refused-since-the-beginning-of-time',
    rule: 'Only refusals in a row for a week end a refund',
    file: 'src/payments/store/payment-refunds.repository.ts',
    find: 'refused_since = CASE WHEN $5 THEN coalesce(refused_since, app_now()) END',
    replace: 'refused_since = CASE WHEN $5 THEN coalesce(failing_since, app_now()) END',
    specs: REFUNDS,
  },
  {
    id: 'refund-from-the-operators-account',
    rule: 'Money goes back from the account that took it',
    file: 'src/payments/refunds/refunds.ts',
    find: 'this.refunds.insert(tx, { id, account, reason }, payment);',
    replace: 'this.refunds.insert(tx, { id, account: null, reason }, payment);',
    specs: ACCOUNTS,
  },
];
