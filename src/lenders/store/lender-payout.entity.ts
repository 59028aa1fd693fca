import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { IndianDay, Paise } from '../../loans/index.js';
import { paise } from '../../platform/index.js';

/** That a lender has paid a loan out, as its verdict said: our side of what its statements say. */
@Entity('lender_payouts')
@Index('lender_payouts_of_day', ['lenderCode', 'day'])
@Index('lender_payouts_utr', ['lenderCode', 'utr'])
export class LenderPayout {
  @PrimaryColumn({
    name: 'lender_code',
    type: 'text',
    primaryKeyConstraintName: 'lender_payouts_pkey',
  })
  readonly lenderCode: string;

  @PrimaryColumn({
    name: 'application_id',
    type: 'text',
    primaryKeyConstraintName: 'lender_payouts_pkey',
  })
  readonly applicationId: string;

  @Column({ type: 'bigint', transformer: paise })
  readonly amount: Paise;

  @Column({ type: 'text' })
  readonly utr: string;

  @Column({ name: 'paid_at', type: 'timestamptz' })
  readonly paidAt: Date;

  /** That of `paidAt` in India. */
  @Column({ type: 'date' })
  readonly day: IndianDay;
}
