export const INSTANT_LOAN_STATUSES = [
  'PAYMENT_PENDING',
  'PAYMENT_FAILED',
  'PAYMENT_RECEIVED',
  'SANCTIONED',
  'REJECTED',
  'EXPIRED',
] as const;

/** Partners read it as the lead's status. */
export type InstantLoanStatus = (typeof INSTANT_LOAN_STATUSES)[number];

export function isUnpaid(status: InstantLoanStatus): boolean {
  return status === 'PAYMENT_PENDING' || status === 'PAYMENT_FAILED';
}

export function isOver(status: InstantLoanStatus): boolean {
  return status === 'SANCTIONED' || status === 'REJECTED' || status === 'EXPIRED';
}
