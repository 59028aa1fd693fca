import { Injectable } from '@nestjs/common';
import { dayInIndia } from '../../loans/index.js';
import type { Tx } from '../../platform/index.js';
import { LenderPayout } from './lender-payout.entity.js';

/** Payouts by the lenders' verdicts; kept as long as the books. */
@Injectable()
export class LenderPayouts {
  /** Stores an application's payout once. */
  async note(tx: Tx, payout: Omit<LenderPayout, 'day'>): Promise<void> {
    await tx.insertOnce(LenderPayout, { ...payout, day: dayInIndia(payout.paidAt) });
  }
}
