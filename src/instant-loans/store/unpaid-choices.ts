import { Injectable, Module } from '@nestjs/common';
import { JourneyFeesRepository } from '../../journeys/index.js';
import { Tx } from '../../platform/index.js';

/** Chosen offers whose fee is not ordered yet. */
@Injectable()
export class UnpaidChoices {
  constructor(private readonly fees: JourneyFeesRepository) {}

  async count(tx: Tx, lenderCode: string): Promise<number> {
    const [counted] = await tx.query<{ count: number }>(COUNT, [lenderCode]);
    return counted.count + (await this.fees.countUnordered(tx, lenderCode));
  }
}

// Uses the index of expiring applications.
const COUNT = `
  SELECT count(*)::int AS count FROM instant_loans
  WHERE status = 'PAYMENT_PENDING' AND called_off_at IS NULL
    AND lender_code = $1 AND payment_order_id IS NULL
`;

@Module({ providers: [UnpaidChoices, JourneyFeesRepository], exports: [UnpaidChoices] })
export class UnpaidChoicesModule {}
