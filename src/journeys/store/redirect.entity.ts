import { Check, Column, Entity, Index } from 'typeorm';
import { LINKED_STEPS, type LinkedStep, type RedirectStep } from '../../journey-steps/index.js';
import type { Refusal, StepEvidence } from '../../lenders/index.js';
import {
  IntegerColumn,
  NowColumn,
  NullableTextColumn,
  NullableTimeColumn,
  oneOf,
  TextColumn,
  TextKeyColumn,
} from '../../platform/index.js';
import { JourneyColumn } from './journey.entity.js';

/** The inbox keeps the whole answer, sealed. */
export type VerdictEvidence = StepEvidence | Pick<Refusal, 'reason'>;

@Entity('journey_redirects')
@Check('journey_redirects_step', oneOf('step', LINKED_STEPS))
@Index('journey_redirects_by_journey', ['journeyId'])
@Index('journey_redirects_once_a_choice', ['journeyId', 'step', 'attempt'], {
  unique: true,
  where: 'let_go_at IS NULL',
})
export class Redirect {
  @TextKeyColumn
  readonly id: string;

  @TextColumn
  readonly partnerId: string;

  @JourneyColumn
  readonly journeyId: string;

  @TextColumn
  readonly lenderCode: string;

  @TextColumn
  readonly step: LinkedStep;

  /** From 1; a failed attempt is followed by a new redirect. */
  @IntegerColumn
  readonly attempt: number;

  @NullableTextColumn
  readonly verdict: 'PASSED' | 'FAILED' | 'REFUSED' | null;

  /**
   * Proof of a pass, or the reason of a refusal. Sealed: a reference may be the applicant's own number. Null once
   * erased.
   */
  @NullableTextColumn
  readonly evidenceSealed: string | null;

  /** The steps that its session can pass. */
  @Column('text', { array: true, default: () => `'{}'` })
  readonly covers: readonly RedirectStep[];

  /** From 1; an expired session is followed by the next. */
  @Column('integer', { default: 1 })
  readonly sessionNumber: number;

  /** Null: no expiry, or no open session. */
  @NullableTimeColumn
  readonly sessionExpiresAt: Date | null;

  @NullableTimeColumn
  readonly sessionAskedAt: Date | null;

  /** The URL of the newest session; sealed, since it may contain a token. */
  @NullableTextColumn
  readonly sessionSealed: string | null;

  /** The lender asked for no question before it. */
  @NullableTimeColumn
  readonly askAgainAt: Date | null;

  @NullableTimeColumn
  readonly visitedAt: Date | null;

  @NullableTimeColumn
  readonly returnedAt: Date | null;

  /** The choice of its lender was undone, so its outcome changes nothing. */
  @Column('timestamptz', { name: 'let_go_at', nullable: true })
  readonly releasedAt: Date | null;

  @NowColumn
  readonly createdAt: Date;
}
