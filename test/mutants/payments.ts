import type { Mutant } from './mutant.ts';

const RAZORPAY = ['test/e2e/payments/razorpay-webhooks.spec.ts'];
const ANY_ORDER = [
  'test/e2e/payments/any-order.spec.ts',
  'test/e2e/payments/razorpay-questions.spec.ts',
  'test/e2e/payments/razorpay-endings.spec.ts',
];
const LOANS = ['test/e2e/instant-loans/payments.spec.ts'];
const REFUNDS = ['test/e2e/payments/razorpay-refunds.spec.ts'];
const MONEY = ['test/e2e/instant-loans/money.spec.ts'];
const TABLE = ['src/instant-loans/domain/transition-table.spec.ts'];
const LEDGER = 'src/payments/payment-ledger.ts';
const NEWS = 'src/instant-loans/background/payment-notices.ts';

/** The fee of an instant loan: what counts as paid, and what comes of it. */
export const PAYMENTS: readonly Mutant[] = [
  {
    id: 'callback-without-a-signature',
    rule: 'Only the gateway’s signed callback counts',
    file: 'src/payments/razorpay/razorpay-webhook.ts',
    find: "if (!isRight || !equalBytes(Buffer.from(given, 'hex'), made))",
    replace: 'if (!isRight)',
    specs: ['test/e2e/payments/razorpay-forged.spec.ts'],
  },
  {
    id: 'callback-counts-twice',
    rule: 'A callback delivered twice changes nothing the second time',
    file: 'src/payments/payment-callbacks.ts',
    find: 'if (await this.isNew(tx, kind, event, { order, refund }))',
    replace: 'await this.isNew(tx, kind, event, { order, refund });',
    specs: [...RAZORPAY, ...ANY_ORDER],
    equivalent:
      'What a callback says is taken in by its payment’s id as well, so a second time changes nothing ' +
      'there; the callback’s own id spares the work, and the question to the gateway.',
  },
  {
    id: 'payment-counted-twice',
    rule: 'A payment is counted once, by whichever way it is heard of',
    file: LEDGER,
    find: 'if (!isFirst) return order;',
    replace: '',
    specs: [...RAZORPAY, ...ANY_ORDER],
  },
  {
    id: 'any-amount-pays',
    rule: 'A payment of another amount does not count, and is put before the operator',
    file: LEDGER,
    find: 'payment.amount === order.amount && payment.currency',
    replace: 'payment.amount > 0 && payment.currency',
    specs: [...RAZORPAY, ...ANY_ORDER],
  },
  {
    id: 'any-currency-pays',
    rule: 'A payment in another currency does not count',
    file: LEDGER,
    find: 'payment.amount === order.amount && payment.currency === CURRENCY',
    replace: 'payment.amount === order.amount',
    specs: [...RAZORPAY, ...ANY_ORDER],
  },
  {
    id: 'other-gateways-have-a-say',
    rule: 'A gateway has no say over another’s orders',
    file: 'src/payments/payment-callbacks.ts',
    find: 'if (byOurs.gateway !== kind) return null;',
    replace: '',
    specs: [...RAZORPAY, 'test/e2e/payments/gateway-contract.spec.ts'],
  },
  {
    id: 'page-of-another-order',
    rule: 'A callback that names one order and the page of another is about neither',
    file: 'src/payments/payment-callbacks.ts',
    find: 'return isMixed ? null : byOurs;',
    replace: 'return byOurs;',
    specs: ['test/e2e/payments/razorpay-webhooks.spec.ts'],
  },
  {
    id: 'failure-after-the-money',
    rule: 'A try that failed beside one that passed changes nothing',
    file: LEDGER,
    find: 'if (isEnded(order.status)) return order;',
    replace: '',
    specs: ANY_ORDER,
  },
  {
    id: 'late-money-is-kept',
    rule: 'Money that comes twice or too late goes back',
    file: NEWS,
    find: 'await this.giveBack(tx, loan, notice);',
    replace: '',
    specs: [...LOANS, 'test/e2e/instant-loans/two-orders.spec.ts'],
  },
  {
    id: 'earlier-page-takes-money',
    rule: 'Once an order is paid nobody shall pay the one that took its place',
    file: NEWS,
    find: 'if (loan.paymentOrderId !== orderId) await this.paymentOrders.cancel(tx, loan.paymentOrderId);',
    replace: '',
    specs: ['test/e2e/instant-loans/two-orders.spec.ts'],
    only: 'cancelled once',
  },
  {
    id: 'closed-page-ends-the-application',
    rule: 'As long as another page may bring money nothing ends an application',
    file: NEWS,
    find: 'if (isEnd && (await this.paymentOrders.hasOtherOpen(tx, notice))) {',
    replace: 'if (!isEnd && (await this.paymentOrders.hasOtherOpen(tx, notice)) && false) {',
    specs: [
      'test/e2e/instant-loans/two-orders.spec.ts',
      'test/e2e/instant-loans/any-order.spec.ts',
    ],
  },
  {
    id: 'lender-is-not-asked-after-the-money',
    rule: 'Whether a paid application is sanctioned is asked of the lender',
    file: NEWS,
    find: 'await this.decision.put(tx, paid);',
    replace: '',
    specs: [...LOANS, 'test/e2e/instant-loans/whole-way.spec.ts'],
  },
  {
    id: 'paid-is-sanctioned',
    rule: 'A paid application is sanctioned by its lender alone',
    file: 'src/instant-loans/domain/transition-table.ts',
    find: "PAYMENT_PENDING: {\n    PAID: 'PAYMENT_RECEIVED',",
    replace: "PAYMENT_PENDING: {\n    PAID: 'SANCTIONED',",
    specs: TABLE,
  },
  {
    id: 'paid-applications-expire',
    rule: 'Only an unpaid application expires',
    file: 'src/instant-loans/domain/transition-table.ts',
    find: "DECLINED: 'REJECTED' },",
    replace: "DECLINED: 'REJECTED', TIME_RAN_OUT: 'EXPIRED' },",
    specs: TABLE,
  },
  {
    id: 'return-of-the-browser-pays',
    rule: 'That the applicant is back proves nothing: the gateway is asked',
    file: 'src/instant-loans/applicant/instant-loan-pages.ts',
    find: 'if (loan && isUnpaid(loan.status)) await this.payments.askNow(loan.paymentOrderId);',
    replace: '',
    specs: [
      ...LOANS,
      'test/e2e/instant-loans/pages.spec.ts',
      'test/e2e/payments/sandbox-page.spec.ts',
    ],
  },
  {
    id: 'agreement-is-not-recorded',
    rule: 'Which statement was agreed to, and when, is recorded before the payment',
    file: 'src/instant-loans/applicant/instant-loan-pages.ts',
    find: 'await this.agree(tx, loan);',
    replace: '',
    specs: ['test/e2e/instant-loans/pages.spec.ts', 'test/e2e/instant-loans/whole-way.spec.ts'],
  },
  {
    id: 'page-after-the-deadline',
    rule: 'After its 72 hours an application cannot be paid any more',
    file: 'src/instant-loans/applicant/instant-loan-pages.ts',
    find: ' || isPastPaying(loan, this.clock.now())',
    replace: '',
    specs: ['test/e2e/instant-loans/pages.spec.ts'],
  },
  {
    id: 'declined-fee-is-kept',
    rule: 'The fee of a declined application goes back, unless the lender’s terms keep it',
    file: 'src/instant-loans/background/decision-answers.ts',
    find: 'if (moved) await this.settleFee(tx, moved, answer.kind);',
    replace: '',
    specs: MONEY,
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
    file: 'src/payments/refunds/refund.ts',
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
];
