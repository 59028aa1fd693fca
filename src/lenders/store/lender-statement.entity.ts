import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';
import type { IndianDay, Paise } from '../../loans/index.js';
import { paise } from '../../platform/index.js';

/**
 * A lender's statement of one day. One that says another number of pages or other sums is another
 * statement, so that pages of the two never mix, in whichever order they come.
 */
@Entity('lender_statements')
@Index('lender_statements_once', ['lenderCode', 'day', 'pages', 'payoutCount', 'payoutTotal'], {
  unique: true,
})
@Index('lender_statements_to_check', ['lenderCode', 'checkAt'], { where: '(check_at IS NOT NULL)' })
export class LenderStatement {
  @PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    generatedIdentity: 'ALWAYS',
    primaryKeyConstraintName: 'lender_statements_pkey',
  })
  readonly id: number;

  @Column({ name: 'lender_code', type: 'text' })
  readonly lenderCode: string;

  @Column({ type: 'date' })
  readonly day: IndianDay;

  @Column({ type: 'integer' })
  readonly pages: number;

  /** Of the whole day, as the lender says. */
  @Column({ name: 'payout_count', type: 'integer' })
  readonly payoutCount: number;

  /** Likewise. */
  @Column({ name: 'payout_total', type: 'bigint', transformer: paise })
  readonly payoutTotal: Paise;

  @Column({ name: 'pages_here', type: 'integer', array: true, default: '{}' })
  readonly pagesHere: readonly number[];

  /** How many payouts those have. */
  @Column({ name: 'lines_here', type: 'integer', default: 0 })
  readonly linesHere: number;

  @Column({ name: 'received_at', type: 'timestamptz', default: () => 'app_now()' })
  readonly receivedAt: Date;

  /** When it is held against our books; null once it was. */
  @Column({ name: 'check_at', type: 'timestamptz', nullable: true })
  readonly checkAt: Date | null;

  /** How often in a row it could not be. */
  @Column({ name: 'failed_checks', type: 'integer', default: 0 })
  readonly failedChecks: number;
}
