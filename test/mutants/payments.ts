import type { Mutant } from './mutant.ts';

const RAZORPAY = ['test/e2e/payments/razorpay-webhooks.spec.ts'];
const ENDINGS = [...RAZORPAY, 'test/e2e/payments/razorpay-orders.spec.ts'];
const LOANS = ['test/e2e/instant-loans/payments.spec.ts'];
const ACCOUNTS = ['test/e2e/payments/fee-accounts.isolated.spec.ts'];
const LEDGER = 'src/payments/payment-ledger.ts';
const NOTICES = 'src/instant-loans/fee/fee-notices.ts';

/** The fee of an instant loan: what counts as paid. */
export const PAYMENTS: readonly Mutant[] = [
  {
    id: 'callback-without-a-signature',
    rule: 'Only the gateway’s signed callback counts',
    file: 'src/payments/razorpay/razorpay-webhook.ts',
    find: "if (!isRight || !equalBytes(Buffer.from(given, 'hex'), made))",
    replace: 'if (!isRight)',
    specs: ['src/payments/razorpay/razorpay-webhook.spec.ts'],
  },
  {
    id: 'callback-counts-twice',
    rule: 'A callback delivered twice changes nothing the second time',
    file: 'src/payments/payment-callbacks.ts',
    find: 'if (await this.isNew(tx, kind, event, { order, refund }))',
    replace: 'await this.isNew(tx, kind, event, { order, refund });',
    specs: ENDINGS,
    equivalent:
      'What a callback says is taken in by its payment’s id as well, so a second time changes nothing ' +
      'there; the callback’s own id spares the work, and the question to the gateway.',
  },
  {
    id: 'payment-counted-twice',
    rule: 'A payment is counted once, by whichever way it is heard of',
    file: LEDGER,
    find: 'if (!isFirst) {',
    replace: 'if (!isFirst && order.amount < 0) {',
    specs: ENDINGS,
  },
  {
    id: 'any-amount-pays',
    rule: 'A payment of another amount does not count, and is put before the operator',
    file: LEDGER,
    find: 'payment.amount === order.amount && payment.currency',
    replace: 'payment.amount > 0 && payment.currency',
    specs: ENDINGS,
  },
  {
    id: 'any-currency-pays',
    rule: 'A payment in another currency does not count',
    file: LEDGER,
    find: 'payment.amount === order.amount && payment.currency === CURRENCY',
    replace: 'payment.amount === order.amount',
    specs: ENDINGS,
  },
  {
    id: 'other-gateways-have-a-say',
    rule: 'A gateway has no say over another’s orders',
    file: 'src/payments/payment-callbacks.ts',
    find: 'if (order?.gateway !== kind) return null;',
    replace: 'if (!order) return null;',
    specs: RAZORPAY,
  },
  {
    id: 'page-of-another-order',
    rule: 'A callback that names one order and the page of another is about neither',
    file: 'src/payments/payment-callbacks.ts',
    find: 'return isMixed ? null : byOrderId;',
    replace: 'return byOrderId;',
    specs: ['test/e2e/payments/razorpay-webhooks.spec.ts'],
  },
  {
    id: 'failure-after-the-money',
    rule: 'A try that failed beside one that passed changes nothing',
    file: LEDGER,
    find: 'if (isEnded(order.status)) return order;',
    replace: '',
    specs: RAZORPAY,
  },
  {
    id: 'late-money-is-kept',
    rule: 'Money that comes twice or too late goes back',
    file: NOTICES,
    find: ': this.tries.giveBack(tx, journey, notice);',
    replace: ': journey;',
    specs: [...LOANS, 'test/e2e/instant-loans/money.spec.ts'],
  },
  {
    id: 'earlier-page-takes-money',
    rule: 'Once an order is paid nobody shall pay the one that took its place',
    file: 'src/instant-loans/fee/fee-tries.ts',
    find: 'await this.paymentOrders.cancel(tx, fee.orderId);',
    replace: '',
    specs: LOANS,
    only: 'cancelled once',
  },
  {
    id: 'closed-page-ends-the-application',
    rule: 'As long as another page may bring money nothing ends an application',
    file: NOTICES,
    find: 'isPending && isLastPage ?',
    replace: 'isPending ?',
    specs: LOANS,
  },
  {
    id: 'other-accounts-have-a-say',
    rule: 'An account has no say over another’s orders',
    file: 'src/payments/payment-callbacks.ts',
    find: 'if (order.account === account) return order;',
    replace: 'if (order.account === account || order.id) return order;',
    specs: ACCOUNTS,
  },
  {
    id: 'fee-without-an-account',
    rule: 'In production the fee of an instant loan goes into the lender’s own account',
    file: 'src/admin/configuration/problems-between-parts.ts',
    find: '!payment &&',
    replace: '!payment && path.length === 0 &&',
    specs: ['src/admin/configuration/fee-accounts.spec.ts'],
  },
  {
    id: 'another-account-under-one-code',
    rule: 'An account in which something is open does not give way to another',
    file: 'src/admin/payment-account-changes.ts',
    find: "if (left === '') return [];",
    replace: 'return [];',
    specs: ['test/e2e/admin/file-in-force.isolated.spec.ts'],
  },
  {
    id: 'account-of-another-lender-counts',
    rule: 'What is open is looked for in the account that is to change',
    file: 'src/payments/store/unsettled-payments.ts',
    find: '       AND o.account IS NOT DISTINCT FROM $2',
    replace: '       AND o.account IS DISTINCT FROM $2',
    specs: ['test/e2e/admin/file-in-force.isolated.spec.ts'],
  },
  {
    id: 'claimed-event-is-skipped',
    rule: 'An event id that another account has named keeps nothing from being taken in',
    file: 'src/payments/store/payments.repository.ts',
    find: 'return !(await tx.repository(PaymentCallback).existsBy({ gateway, eventId, orderId }));',
    replace: 'return false;',
    specs: ACCOUNTS,
  },
  {
    id: 'claimed-payment-is-unseen',
    rule: 'A payment that is recorded for another order is put before the operator',
    file: LEDGER,
    find: 'await this.flagOther(tx, order, gatewayPaymentId);',
    replace: '',
    specs: ACCOUNTS,
  },
];
