import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { IndianDay, Paise } from '../../loans/index.js';
import { paise } from '../../platform/index.js';
import { LenderStatement } from './lender-statement.entity.js';

const primaryKeyConstraintName = 'lender_statement_payouts_pkey';

/** One payout in a lender's statement. */
@Entity('lender_statement_payouts')
@Index('lender_statement_payouts_utr', ['lenderCode', 'utr', 'applicationId', 'day'])
export class LenderStatementPayout {
  @PrimaryColumn({ name: 'statement_id', type: 'bigint', primaryKeyConstraintName })
  @ForeignKey(() => LenderStatement, 'id', { name: 'lender_statement_payouts_statement' })
  readonly statementId: number;

  @PrimaryColumn({ type: 'integer', primaryKeyConstraintName })
  readonly page: number;

  /** Its place on the page, from 0. */
  @PrimaryColumn({ type: 'integer', primaryKeyConstraintName })
  readonly line: number;

  /** Of the statement: here, too, for the index that finds a transfer on another day. */
  @Column({ name: 'lender_code', type: 'text' })
  readonly lenderCode: string;

  /** Likewise. */
  @Column({ type: 'date' })
  readonly day: IndianDay;

  @Column({ name: 'application_id', type: 'text' })
  readonly applicationId: string;

  /** Whether we are told when the application is paid out: of an instant loan we are not. */
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
