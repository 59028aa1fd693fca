import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { REDIRECT_STEPS, type RedirectStep } from '../../journey-steps/index.js';
import type { Refusal, StepEvidence } from '../../lenders/index.js';
import { oneOf } from '../../platform/index.js';
import { Journey } from './journey.entity.js';

/** What is kept of a verdict; the rest of the answer stays in the inbox, sealed. */
export type VerdictEvidence = StepEvidence | Pick<Refusal, 'reason'>;

/** One sending of the applicant to a provider. */
@Entity('journey_redirects')
@Check('journey_redirects_step', oneOf('step', REDIRECT_STEPS))
@Index('journey_redirects_by_journey', ['journeyId'])
@Index('journey_redirects_once_a_choice', ['journeyId', 'step', 'attempt'], {
  unique: true,
  where: 'let_go_at IS NULL',
})
export class Redirect {
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'journey_redirects_pkey' })
  readonly id: string;

  @Column({ name: 'partner_id', type: 'text' })
  readonly partnerId: string;

  @Column({ name: 'journey_id', type: 'text' })
  @ForeignKey(() => Journey, 'id', { name: 'journey_redirects_journey' })
  readonly journeyId: string;

  @Column({ name: 'lender_code', type: 'text' })
  readonly lenderCode: string;

  @Column({ type: 'text' })
  readonly step: RedirectStep;

  /** From 1; a failed try is followed by a fresh redirect. */
  @Column({ type: 'integer' })
  readonly attempt: number;

  @Column({ type: 'text', nullable: true })
  readonly verdict: 'PASSED' | 'FAILED' | 'REFUSED' | null;

  /**
   * What the verdict rests on: of one that passed what proves it, of another why. `RedirectsRepository`
   * opens it: a reference may be the applicant's own number. Null once it is erased.
   */
  @Column({ name: 'evidence_sealed', type: 'text', nullable: true })
  readonly evidenceSealed: string | null;

  /** The steps that its session can pass, as the lender said when it was opened. */
  @Column({ type: 'text', array: true, default: () => `'{}'` })
  readonly covers: readonly RedirectStep[];

  /** Which of its sessions is the newest, from 1: one that has run out is followed by another. */
  @Column({ name: 'session_number', type: 'integer', default: 1 })
  readonly sessionNumber: number;

  /** Until when that one can be used; null when it has no such time, or none is open. */
  @Column({ name: 'session_expires_at', type: 'timestamptz', nullable: true })
  readonly sessionExpiresAt: Date | null;

  /** When its lender was last asked to open a session. */
  @Column({ name: 'session_asked_at', type: 'timestamptz', nullable: true })
  readonly sessionAskedAt: Date | null;

  /** Where the newest session is, as `RedirectsRepository` opens it: its address may hold a token. */
  @Column({ name: 'session_sealed', type: 'text', nullable: true })
  readonly sessionSealed: string | null;

  /** Until then its lender has asked not to be asked, though the applicant be back. */
  @Column({ name: 'ask_again_at', type: 'timestamptz', nullable: true })
  readonly askAgainAt: Date | null;

  @Column({ name: 'visited_at', type: 'timestamptz', nullable: true })
  readonly visitedAt: Date | null;

  @Column({ name: 'returned_at', type: 'timestamptz', nullable: true })
  readonly returnedAt: Date | null;

  /** When the choice whose lender it leads to was let go: what comes of it moves nothing any more. */
  @Column({ name: 'let_go_at', type: 'timestamptz', nullable: true })
  readonly letGoAt: Date | null;

  @Column({ name: 'created_at', type: 'timestamptz', default: () => 'app_now()' })
  readonly createdAt: Date;
}
