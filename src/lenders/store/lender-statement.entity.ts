import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { IndianDay, Paise } from '../../loans/index.js';
import {
  CountColumn,
  IdentityColumn,
  IntegerColumn,
  NowColumn,
  NullableTimeColumn,
  PaiseColumn,
  TextColumn,
  TextKeyColumn,
  TimeColumn,
} from '../../platform/index.js';

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
  @IdentityColumn
  readonly id: number;

  @TextColumn
  readonly lenderCode: string;

  @Column('date')
  readonly day: IndianDay;

  @IntegerColumn
  readonly pages: number;

  /** As the lender states, for the whole day. */
  @IntegerColumn
  readonly payoutCount: number;

  @PaiseColumn()
  readonly payoutTotal: Paise;

  @Column('integer', { array: true, default: '{}' })
  readonly pagesHere: readonly number[];

  @CountColumn
  readonly linesHere: number;

  @NowColumn
  readonly receivedAt: Date;

  /** When it will be compared with our books; null once done. */
  @NullableTimeColumn
  readonly checkAt: Date | null;

  @CountColumn
  readonly failedChecks: number;
}

@Entity('lender_statement_payouts')
@Index('lender_statement_payouts_utr', ['lenderCode', 'utr', 'applicationId', 'day'])
export class LenderStatementPayout {
  @PrimaryColumn('bigint')
  @ForeignKey(() => LenderStatement)
  readonly statementId: number;

  @PrimaryColumn('integer')
  readonly page: number;

  /** From 0. */
  @PrimaryColumn('integer')
  readonly line: number;

  /** Copied, with `day`, for the index that finds a transfer on another day. */
  @TextColumn
  readonly lenderCode: string;

  @Column('date')
  readonly day: IndianDay;

  @TextColumn
  readonly applicationId: string;

  /** False for instant loans: their lenders report no payouts. */
  @Column('boolean')
  readonly isFollowed: boolean;

  @TextColumn
  readonly loanReference: string;

  @PaiseColumn()
  readonly amount: Paise;

  @TextColumn
  readonly utr: string;

  @TimeColumn
  readonly paidAt: Date;
}

/** A payout by a lender's verdict, to be compared with its statements. */
@Entity('lender_payouts')
@Index('lender_payouts_of_day', ['lenderCode', 'day'])
@Index('lender_payouts_utr', ['lenderCode', 'utr'])
export class LenderPayout {
  @TextKeyColumn
  readonly lenderCode: string;

  @TextKeyColumn
  readonly applicationId: string;

  @PaiseColumn()
  readonly amount: Paise;

  @TextColumn
  readonly utr: string;

  @TimeColumn
  readonly paidAt: Date;

  /** The day of `paidAt` in India. */
  @Column('date')
  readonly day: IndianDay;
}
