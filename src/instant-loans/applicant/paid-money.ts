import type { ReturnedMoney } from '../../payments/index.js';
import type { InstantLoan } from '../store/instant-loan.entity.js';

/** Whether a declined fee goes back, is kept as was told before, or neither is recorded yet. */
export type DeclinedFee = 'GOES_BACK' | 'KEPT' | 'OPEN';

/** Money that goes back to who paid it, all of it. */
export interface MoneyBack {
  /** In the smallest unit of the currency. */
  readonly amount: number;
  readonly currency: string;
  /** `STUCK`: the gateway has not sent it, however often it was asked, or took it back: a person sees to it. */
  readonly standing: 'ON_ITS_WAY' | 'SENT' | 'STUCK';
  /** Since when it stands so. */
  readonly at: Date;
  /** What the gateway has the payment by, and what goes back; null as long as it has not told. */
  readonly paymentReference: string;
  readonly refundReference: string | null;
}

/** What became of the money that was paid for an application. */
export interface PaidMoney {
  /** Of an application that was declined. */
  readonly declinedFee: DeclinedFee;
  /** The fee that counted, where it goes back. */
  readonly feeBack: MoneyBack | null;
  /** What was paid beside it or too late: all of it goes back. */
  readonly othersBack: readonly MoneyBack[];
}

type Paid = Pick<InstantLoan, 'feeOnDecline' | 'paymentOrderId' | 'gatewayPaymentId'>;

/** @param returned all money of the application that goes back */
export function paidMoneyOf(loan: Paid, returned: readonly ReturnedMoney[]): PaidMoney {
  const { paymentOrderId, gatewayPaymentId, feeOnDecline } = loan;
  const fee = returned.find(
    (one) => one.orderId === paymentOrderId && one.gatewayPaymentId === gatewayPaymentId,
  );
  const kept = feeOnDecline === 'KEPT' ? 'KEPT' : 'OPEN';
  return {
    declinedFee: fee ? 'GOES_BACK' : kept,
    feeBack: fee ? moneyBack(fee) : null,
    othersBack: returned.filter((one) => one !== fee).map(moneyBack),
  };
}

const STANDINGS: Readonly<Record<ReturnedMoney['status'], MoneyBack['standing']>> = {
  REQUESTED: 'ON_ITS_WAY',
  PENDING: 'ON_ITS_WAY',
  DONE: 'SENT',
  FAILED: 'STUCK',
};

function moneyBack(money: ReturnedMoney): MoneyBack {
  const { amount, currency, status, statusAt: at, isTakenBack } = money;
  return {
    amount,
    currency,
    standing: isTakenBack ? 'STUCK' : STANDINGS[status],
    at,
    paymentReference: money.gatewayPaymentId,
    refundReference: money.gatewayRefundId,
  };
}
