import type { RefundReason, UnsettledPayment } from '../../payments/index.js';
import type { InstantLoan } from '../store/instant-loan.entity.js';

export type Settlement = 'OPEN' | 'KEPT' | RefundReason;

type Standing = Pick<InstantLoan, 'status' | 'gatewayPaymentId' | 'paidAt' | 'feeOnDecline'>;

export function settlementOf(
  loan: Standing,
  { isCounted, gatewayPaymentId }: Pick<UnsettledPayment, 'isCounted' | 'gatewayPaymentId'>,
): Settlement {
  if (!isCounted) return 'OTHER_AMOUNT';
  if (loan.gatewayPaymentId !== gatewayPaymentId) {
    if (loan.paidAt !== null) return 'PAID_TWICE';
    return loan.status === 'EXPIRED' ? 'PAID_TOO_LATE' : 'OPEN';
  }
  switch (loan.status) {
    case 'SANCTIONED':
      return 'KEPT';
    case 'REJECTED':
      return loan.feeOnDecline === 'KEPT' ? 'KEPT' : 'DECLINED';
    default:
      return 'OPEN';
  }
}
