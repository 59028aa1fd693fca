import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';
import type { IndianDay, Paise } from '../../loans/index.js';
import { paise } from '../../platform/index.js';

/**
 * A lender's statement of one day. Other sums or another number of pages make another statement, so that pages never
 * mix, in whatever order they come.
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

  /** As the lender states, with `payoutTotal`, for the whole day. */
  @Column({ name: 'payout_count', type: 'integer' })
  readonly payoutCount: number;

  @Column({ name: 'payout_total', type: 'bigint', transformer: paise })
  readonly payoutTotal: Paise;

  @Column({ name: 'pages_here', type: 'integer', array: true, default: '{}' })
  readonly pagesHere: readonly number[];

  /** Payouts on the received pages. */
  @Column({ name: 'lines_here', type: 'integer', default: 0 })
  readonly linesHere: number;

  @Column({ name: 'received_at', type: 'timestamptz', default: () => 'app_now()' })
  readonly receivedAt: Date;

  /** When it will be compared with our books; null once done. */
  @Column({ name: 'check_at', type: 'timestamptz', nullable: true })
  readonly checkAt: Date | null;

  /** Failed checks in a row. */
  @Column({ name: 'failed_checks', type: 'integer', default: 0 })
  readonly failedChecks: number;
}
