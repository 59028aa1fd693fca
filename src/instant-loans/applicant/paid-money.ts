import type { ReturnedMoney } from '../../payments/index.js';

export interface MoneyBack {
  /** In the currency's smallest unit. */
  readonly amount: number;
  readonly currency: string;
  /** `STUCK`: the gateway failed or reversed the refund; the operator handles it. */
  readonly standing: 'ON_ITS_WAY' | 'SENT' | 'STUCK';
  readonly at: Date;
  /** The gateway's references; null until it gives one. */
  readonly paymentReference: string;
  readonly refundReference: string | null;
}

export interface PaidMoney {
  readonly feeBack: MoneyBack | null;
  /** Duplicate or late payments: refunded in full. */
  readonly othersBack: readonly MoneyBack[];
}

/** The fee of the chosen offer. */
interface Paid {
  readonly orderId: string | null;
  readonly gatewayPaymentId: string | null;
}

export function paidMoneyOf(paid: Paid | null, returned: readonly ReturnedMoney[]): PaidMoney {
  const fee = returned.find(
    (one) => one.orderId === paid?.orderId && one.gatewayPaymentId === paid.gatewayPaymentId,
  );
  return {
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
