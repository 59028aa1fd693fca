import { Check, Entity, Column, Index, PrimaryColumn } from 'typeorm';

/** A lender's own reference of an application or loan. */
@Entity('lender_references')
@Check('lender_references_kind', `kind IN ('APPLICATION', 'LOAN')`)
@Index('lender_references_of_application', ['applicationId'])
export class LenderReferenceRow {
  @PrimaryColumn({
    name: 'lender_code',
    type: 'text',
    primaryKeyConstraintName: 'lender_references_pkey',
  })
  readonly lenderCode: string;

  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'lender_references_pkey' })
  readonly kind: 'APPLICATION' | 'LOAN';

  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'lender_references_pkey' })
  readonly reference: string;

  /** The journey. */
  @PrimaryColumn({
    name: 'subject_id',
    type: 'text',
    primaryKeyConstraintName: 'lender_references_pkey',
  })
  readonly subjectId: string;

  @Column({ name: 'application_id', type: 'text' })
  readonly applicationId: string;

  @Column({ name: 'partner_id', type: 'text' })
  readonly partnerId: string;

  /** Whether the lender tells us of the payout: not of an instant loan's. */
  @Column({ name: 'is_payout_told', type: 'boolean' })
  readonly isPayoutTold: boolean;
}
