import { Injectable, Module } from '@nestjs/common';
import { Tx } from '../../platform/index.js';

@Injectable()
export class UnpaidChoices {
  async count(tx: Tx, lenderCode: string): Promise<number> {
    const [counted] = await tx.query<{ count: number }>(COUNT, [lenderCode]);
    return counted.count;
  }
}

// Uses the index of expiring applications.
const COUNT = `
  SELECT count(*)::int AS count FROM instant_loans
  WHERE status = 'PAYMENT_PENDING' AND called_off_at IS NULL
    AND lender_code = $1 AND payment_order_id IS NULL
`;

@Module({ providers: [UnpaidChoices], exports: [UnpaidChoices] })
export class UnpaidChoicesModule {}
