import { Injectable } from '@nestjs/common';
import { dayInIndia } from '../../loans/index.js';
import type { Tx } from '../../platform/index.js';
import { LenderPayout } from './lender-payout.entity.js';

/** What lenders have paid out, as their verdicts said. It is kept as long as the books. */
@Injectable()
export class LenderPayouts {
  /** Notes a payout; an application is paid out once. */
  async note(tx: Tx, payout: Omit<LenderPayout, 'day'>): Promise<void> {
    await tx.insertOnce(LenderPayout, { ...payout, day: dayInIndia(payout.paidAt) });
  }
}
