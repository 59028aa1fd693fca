import { Column, Entity, ForeignKey, Index, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';
import type { IndianDay, Paise } from '../../loans/index.js';
import { paise } from '../../platform/index.js';

/**
 * A lender's statement of one day. Other totals or another number of pages make another statement, so pages never
 * mix, in any order of arrival.
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

  /** As the lender states, for the whole day. */
  @Column({ name: 'payout_count', type: 'integer' })
  readonly payoutCount: number;

  @Column({ name: 'payout_total', type: 'bigint', transformer: paise })
  readonly payoutTotal: Paise;

  @Column({ name: 'pages_here', type: 'integer', array: true, default: '{}' })
  readonly pagesHere: readonly number[];

  @Column({ name: 'lines_here', type: 'integer', default: 0 })
  readonly linesHere: number;

  @Column({ name: 'received_at', type: 'timestamptz', default: () => 'app_now()' })
  readonly receivedAt: Date;

  /** When it will be compared with our books; null once done. */
  @Column({ name: 'check_at', type: 'timestamptz', nullable: true })
  readonly checkAt: Date | null;

  @Column({ name: 'failed_checks', type: 'integer', default: 0 })
  readonly failedChecks: number;
}

const primaryKeyConstraintName = 'lender_statement_payouts_pkey';

@Entity('lender_statement_payouts')
@Index('lender_statement_payouts_utr', ['lenderCode', 'utr', 'applicationId', 'day'])
export class LenderStatementPayout {
  @PrimaryColumn({ name: 'statement_id', type: 'bigint', primaryKeyConstraintName })
  @ForeignKey(() => LenderStatement, 'id', { name: 'lender_statement_payouts_statement' })
  readonly statementId: number;

  @PrimaryColumn({ type: 'integer', primaryKeyConstraintName })
  readonly page: number;

  /** From 0. */
  @PrimaryColumn({ type: 'integer', primaryKeyConstraintName })
  readonly line: number;

  /** Copied, with `day`, for the index that finds a transfer on another day. */
  @Column({ name: 'lender_code', type: 'text' })
  readonly lenderCode: string;

  @Column({ type: 'date' })
  readonly day: IndianDay;

  @Column({ name: 'application_id', type: 'text' })
  readonly applicationId: string;

  /** False for instant loans: their lenders report no payouts. */
  @Column({ name: 'is_followed', type: 'boolean' })
  readonly isFollowed: boolean;

  @Column({ name: 'loan_reference', type: 'text' })
  readonly loanReference: string;

  @Column({ type: 'bigint', transformer: paise })
  readonly amount: Paise;

  @Column({ type: 'text' })
  readonly utr: string;

  @Column({ name: 'paid_at', type: 'timestamptz' })
  readonly paidAt: Date;
}

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
