import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { RedirectStep } from '../../journey-steps/index.js';
import type { PageDecision } from '../sandbox-outcomes.js';

/** The loan agreement as far as the lender knows it, shown at the signature. */
export interface SimulatedAgreement {
  readonly lender: string;
  /** All in paise. */
  readonly loanAmount: number;
  readonly totalPayable: number | null;
  readonly netDisbursed: number | null;
  /** SHA-256 of the agreed Key Facts Statement. */
  readonly keyFactsHash: string | null;
}

/** A visit to a simulated provider; empty in production. */
@Entity('sandbox_sessions')
export class SandboxSessionRow {
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'sandbox_sessions_pkey' })
  readonly reference: string;

  @Column({ type: 'text' })
  readonly step: RedirectStep;

  @Column({ name: 'lender_code', type: 'text' })
  readonly lenderCode: string;

  @Column({ name: 'partner_id', type: 'text' })
  readonly partnerId: string;

  @Column({ name: 'subject_id', type: 'text' })
  readonly subjectId: string;

  @Column({ type: 'integer' })
  readonly attempt: number;

  @Column({ name: 'pan_sealed', type: 'text' })
  readonly panSealed: string;

  @Column({ name: 'return_url', type: 'text' })
  readonly returnUrl: string;

  @Column({ type: 'text', nullable: true })
  readonly decision: Exclude<PageDecision, 'leave'> | null;

  @Column({ name: 'decided_at', type: 'timestamptz', nullable: true })
  readonly decidedAt: Date | null;

  @Column({ name: 'created_at', type: 'timestamptz', default: () => 'app_now()' })
  readonly createdAt: Date;

  @Column({ type: 'jsonb' })
  readonly agreement: SimulatedAgreement;
}
