import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { IndianDay, Paise } from '../../loans/index.js';
import { paise } from '../../platform/index.js';

/** A payout by a lender's verdict, to be compared with its statements. */
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

  /** The day of `paidAt` in India. */
  @Column({ type: 'date' })
  readonly day: IndianDay;
}
