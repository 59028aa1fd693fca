import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { IndianDay, Paise } from '../../loans/index.js';
import { paise } from '../../platform/index.js';
import { LenderStatement } from './lender-statement.entity.js';

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

  /** Copied from the statement, with `day`, for the index that finds a transfer on another day. */
  @Column({ name: 'lender_code', type: 'text' })
  readonly lenderCode: string;

  @Column({ type: 'date' })
  readonly day: IndianDay;

  @Column({ name: 'application_id', type: 'text' })
  readonly applicationId: string;

  /** False for instant loans: their payouts are not reported to us. */
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
