import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Partner } from '../../auth/store/partner.entity.js';
import type { JourneyStep } from '../../journey-steps/index.js';
import type { LoanAmountSource } from '../../leads/index.js';
import { Application } from '../../leads/store/application.entity.js';
import type { Paise } from '../../loans/index.js';
import {
  CountColumn,
  IdentityColumn,
  Leased,
  NowColumn,
  NullableColumn,
  oneOf,
  PaiseColumn,
} from '../../platform/index.js';
import {
  JOURNEY_STATES,
  type JourneyState,
  NEVER_IDLE,
  type OutcomeReason,
} from '../domain/journey-state.js';
import type { Channel, EndedRound, Payout, Selection } from '../domain/journey.js';

@Entity('journeys')
@Check('journeys_channel', `channel IN ('API_HOSTED', 'API_HEADLESS')`)
@Check('journeys_state', oneOf('state', JOURNEY_STATES))
@Index('journeys_offers_due', ['offersDueAt'], {
  where: `state IN ('INITIATED', 'OFFERS_RECEIVED')`,
})
@Index('journeys_idle', ['lastActivityAt'], {
  where: `NOT ${oneOf('state', NEVER_IDLE)}`,
})
@Index('journeys_by_mobile', ['mobileHash'])
@Index('journeys_by_pan', ['panHash'])
export class Journey extends Leased {
  @PrimaryColumn('text')
  readonly id: string;

  @Column('text')
  @ForeignKey(() => Partner)
  readonly partnerId: string;

  @Column('text')
  readonly keyId: string;

  @Column('text')
  @ForeignKey(() => Application)
  readonly applicationId: string;

  @Column('text')
  readonly productCode: string;

  @Column('text')
  readonly channel: Channel;

  @Column('text')
  readonly state: JourneyState;

  @Column('text', { array: true })
  readonly steps: readonly JourneyStep[];

  @PaiseColumn()
  readonly loanAmount: Paise;

  @Column('text')
  readonly loanAmountSource: LoanAmountSource;

  /** The lead's, so that events and answers need no second read. */
  @NullableColumn('text')
  readonly referenceSealed: string | null;

  @NullableColumn('text')
  readonly applicantSealed: string | null;

  @NullableColumn('text')
  readonly mobileHash: string | null;

  @NullableColumn('text')
  readonly panHash: string | null;

  @NullableColumn('text')
  readonly bankAccountSealed: string | null;

  @NullableColumn('text')
  readonly sessionHash: string | null;

  @Column('integer', { default: 1 })
  readonly offerRound: number;

  /** INITIATED: the lenders' deadline; OFFERS_RECEIVED: when the last offer expires. */
  @NullableColumn('timestamptz')
  readonly offersDueAt: Date | null;

  @NullableColumn('timestamptz')
  readonly offersGivenUpAt: Date | null;

  @NullableColumn('jsonb')
  readonly lendersWithoutOffer: EndedRound | null;

  @NullableColumn('text')
  readonly selectedOfferId: string | null;

  @NullableColumn('jsonb')
  readonly selection: Selection | null;

  @NullableColumn('text')
  readonly selectedBranchId: string | null;

  @NullableColumn('text')
  readonly redirectId: string | null;

  /** The applicant has returned from the redirect; there is no verdict. */
  @Column('boolean', { default: false })
  readonly isReturned: boolean;

  @CountColumn
  readonly stepFailures: number;

  @NullableColumn('text')
  readonly outcomeReason: OutcomeReason | null;

  @CountColumn
  readonly eventSequence: number;

  @Column('timestamptz')
  readonly lastActivityAt: Date;

  @Column('timestamptz')
  readonly createdAt: Date;

  @Column('timestamptz')
  readonly updatedAt: Date;

  @NullableColumn('timestamptz')
  readonly finishedAt: Date | null;

  @NullableColumn('timestamptz')
  readonly disbursedAt: Date | null;

  @NullableColumn('jsonb')
  readonly payout: Payout | null;
}

@Entity('journey_audit')
@Index('journey_audit_by_journey', ['journeyId'])
export class JourneyAuditRow {
  @IdentityColumn
  readonly id: number;

  @Column('text')
  readonly partnerId: string;

  @Column('text')
  readonly journeyId: string;

  @Column('text')
  readonly trigger: string;

  @NullableColumn('text')
  readonly fromState: JourneyState | null;

  @Column('text')
  readonly toState: JourneyState;

  @Column('jsonb')
  readonly detail: object;

  @NowColumn
  readonly createdAt: Date;
}
