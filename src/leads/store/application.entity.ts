import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { PartnerColumn } from '../../auth/store/partner.entity.js';
import type { Paise } from '../../loans/index.js';
import {
  CountColumn,
  FlagColumn,
  IdentityColumn,
  NowColumn,
  NullableTextColumn,
  PaiseColumn,
  TextColumn,
  TextKeyColumn,
  TimeColumn,
} from '../../platform/index.js';
import type { LoanAmountSource } from '../leads.dto.js';

/** Partners call it a lead. */
@Entity('applications')
@Index('applications_newest', ['partnerId', 'submittedAt', 'id'])
@Index('applications_by_status', ['partnerId', 'status', 'submittedAt', 'id'])
@Index('applications_by_type', ['partnerId', 'loanType', 'submittedAt', 'id'])
@Index('applications_by_type_and_status', ['partnerId', 'loanType', 'status', 'submittedAt', 'id'])
@Index('applications_by_journey', ['journeyId'])
@Index('applications_by_reference', ['partnerId', 'referenceHash', 'submittedAt', 'id'], {
  where: 'reference_hash IS NOT NULL',
})
@Index('applications_reference_once', ['partnerId', 'referenceHash'], {
  unique: true,
  where: 'is_reference_unique',
})
export class Application {
  @TextKeyColumn
  readonly id: string;

  @PartnerColumn
  readonly partnerId: string;

  /** The product's code. */
  @TextColumn
  readonly loanType: string;

  @PaiseColumn()
  readonly loanAmount: Paise;

  @TextColumn
  readonly loanAmountSource: LoanAmountSource;

  /** For a journey, its state. */
  @TextColumn
  readonly status: string;

  /** Before the last write; may equal `status`. */
  @NullableTextColumn
  readonly previousStatus: string | null;

  /** Counts the changes of the status. */
  @CountColumn
  readonly statusChanges: number;

  @TextColumn
  readonly journeyId: string;

  @NullableTextColumn
  readonly referenceSealed: string | null;

  @NullableTextColumn
  readonly referenceHash: string | null;

  /** The key asked for references that are used once. */
  @FlagColumn
  readonly isReferenceUnique: boolean;

  @TimeColumn
  readonly submittedAt: Date;

  /** When the status last changed. */
  @NowColumn
  readonly updatedAt: Date;
}

/** Leads per day, without the pending deltas. */
@Entity('lead_counts')
export class LeadCount {
  @TextKeyColumn
  readonly partnerId: string;

  /** '' for every type. */
  @TextKeyColumn
  readonly loanType: string;

  /** '' for every status. */
  @TextKeyColumn
  readonly status: string;

  /** In India. */
  @PrimaryColumn('date')
  readonly day: string;

  @Column('bigint')
  readonly leads: number;
}

/** Not folded into the counts yet; written only by triggers. */
@Entity('lead_count_deltas')
export class LeadCountDelta {
  @TextKeyColumn
  readonly partnerId: string;

  @IdentityColumn
  readonly id: number;

  @TextColumn
  readonly loanType: string;

  @TextColumn
  readonly status: string;

  /** Of the submission, in India. */
  @Column('date')
  readonly day: string;

  @Column('smallint')
  readonly change: 1 | -1;
}
