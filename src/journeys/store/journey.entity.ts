import { applyDecorators } from '@nestjs/common';
import { Check, Column, Entity, ForeignKey, Index } from 'typeorm';
import { PartnerColumn } from '../../auth/store/partner.entity.js';
import type { JourneyStep } from '../../journey-steps/index.js';
import type { LoanAmountSource } from '../../leads/index.js';
import { Application } from '../../leads/store/application.entity.js';
import type { Paise } from '../../loans/index.js';
import {
  CountColumn,
  FlagColumn,
  IdentityColumn,
  JsonColumn,
  Leased,
  NowColumn,
  NullableColumn,
  NullableTextColumn,
  NullableTimeColumn,
  oneOf,
  PaiseColumn,
  TextColumn,
  TextKeyColumn,
  TimeColumn,
} from '../../platform/index.js';
import {
  JOURNEY_STATES,
  type JourneyState,
  NEVER_IDLE,
  type OutcomeReason,
} from '../domain/journey-state.js';
import type { Channel, EndedRound, Payout, Selection } from '../domain/journey.js';

export const JourneyColumn = applyDecorators(
  TextColumn,
  ForeignKey(() => Journey),
);

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
  @TextKeyColumn
  readonly id: string;

  @PartnerColumn
  readonly partnerId: string;

  @TextColumn
  readonly keyId: string;

  @TextColumn
  @ForeignKey(() => Application)
  readonly applicationId: string;

  @TextColumn
  readonly productCode: string;

  @TextColumn
  readonly channel: Channel;

  @TextColumn
  readonly state: JourneyState;

  @Column('text', { array: true })
  readonly steps: readonly JourneyStep[];

  @PaiseColumn()
  readonly loanAmount: Paise;

  @TextColumn
  readonly loanAmountSource: LoanAmountSource;

  /** The lead's, so that events and answers need no second read. */
  @NullableTextColumn
  readonly referenceSealed: string | null;

  @NullableTextColumn
  readonly applicantSealed: string | null;

  @NullableTextColumn
  readonly mobileHash: string | null;

  @NullableTextColumn
  readonly panHash: string | null;

  @NullableTextColumn
  readonly bankAccountSealed: string | null;

  @NullableTextColumn
  readonly sessionHash: string | null;

  @Column('integer', { default: 1 })
  readonly offerRound: number;

  /** INITIATED: the lenders' deadline; OFFERS_RECEIVED: when the last offer expires. */
  @NullableTimeColumn
  readonly offersDueAt: Date | null;

  @NullableTimeColumn
  readonly offersGivenUpAt: Date | null;

  @NullableColumn('jsonb')
  readonly lendersWithoutOffer: EndedRound | null;

  @NullableTextColumn
  readonly selectedOfferId: string | null;

  @NullableColumn('jsonb')
  readonly selection: Selection | null;

  @NullableTextColumn
  readonly selectedBranchId: string | null;

  @NullableTextColumn
  readonly redirectId: string | null;

  /** The applicant has returned from the redirect; there is no verdict. */
  @FlagColumn
  readonly isReturned: boolean;

  @CountColumn
  readonly stepFailures: number;

  @NullableTextColumn
  readonly outcomeReason: OutcomeReason | null;

  @CountColumn
  readonly eventSequence: number;

  @TimeColumn
  readonly lastActivityAt: Date;

  @TimeColumn
  readonly createdAt: Date;

  @TimeColumn
  readonly updatedAt: Date;

  @NullableTimeColumn
  readonly finishedAt: Date | null;

  @NullableTimeColumn
  readonly disbursedAt: Date | null;

  @NullableColumn('jsonb')
  readonly payout: Payout | null;
}

@Entity('journey_audit')
@Index('journey_audit_by_journey', ['journeyId'])
export class JourneyAuditRow {
  @IdentityColumn
  readonly id: number;

  @TextColumn
  readonly partnerId: string;

  @TextColumn
  readonly journeyId: string;

  @TextColumn
  readonly trigger: string;

  @NullableTextColumn
  readonly fromState: JourneyState | null;

  @TextColumn
  readonly toState: JourneyState;

  @JsonColumn
  readonly detail: object;

  @NowColumn
  readonly createdAt: Date;
}
