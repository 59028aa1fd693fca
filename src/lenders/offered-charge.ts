import type { ContingentCharge, UnpaidCharge } from '../settings/index.js';

/** A charge, and what it comes to for an unpaid instalment, where the lender states that. */
export interface OfferedCharge extends ContingentCharge {
  readonly ifUnpaid?: Omit<UnpaidCharge, 'name'>;
}
