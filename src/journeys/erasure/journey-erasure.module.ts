import { Injectable, Module } from '@nestjs/common';
import { ConsentsModule } from '../../consents/index.js';
import {
  ErasureModule,
  type ErasureObstacle,
  type LoanHolder,
  type LoanSearch,
  PersonalDataRegistry,
} from '../../erasure/index.js';
import { FEE } from '../../journey-steps/index.js';
import { KeyFactsModule } from '../../key-facts/index.js';
import { LeadPersonalData, LeadWriter, PartnerReferences } from '../../leads/index.js';
import { LenderRecordsModule } from '../../lenders/index.js';
import { SmsRecordsModule } from '../../messaging/index.js';
import { UnsettledPayments } from '../../payments/index.js';
import { Idempotency, type Tx } from '../../platform/index.js';
import { EventsModule } from '../../webhooks/index.js';
import { Consents } from '../access/consents.js';
import { isPast, isTerminal } from '../domain/journey-state.js';
import { OfferRequests } from '../offers/offer-requests.js';
import { ApplicantFiles } from '../progress/applicant-file.js';
import { CoveredSteps, DecisionRequest, FeeStep, StateEntry } from '../progress/state-entry.js';
import { JourneyMetrics, JourneyMover } from '../progress/journey-mover.js';
import { LenderWithdrawals } from '../progress/lender-withdrawals.js';
import { LeadStatuses } from '../progress/lead-statuses.js';
import { Milestones } from '../progress/milestones.js';
import { SelectedPayloads } from '../progress/selected-payload.js';
import { RedirectSteps } from '../redirects/redirect-steps.js';
import { ConsentsRepository } from '../store/consents.repository.js';
import { HostedLinksRepository } from '../store/hosted-links.repository.js';
import { HostedSessionsRepository } from '../store/hosted-sessions.repository.js';
import { IntentsRepository } from '../store/intents.repository.js';
import { JourneyAudit } from '../store/journey-audit.js';
import { JourneyFeesRepository } from '../store/journey-fees.repository.js';
import type { Journey } from '../store/journey.entity.js';
import { JourneysRepository, type OwnedJourney } from '../store/journeys.repository.js';
import { MilestonesRepository } from '../store/milestones.repository.js';
import { OfferRoundsRepository } from '../store/offer-rounds.repository.js';
import { OffersRepository } from '../store/offers.repository.js';
import { OneTimeCodesRepository } from '../store/one-time-codes.repository.js';
import { RedirectsRepository } from '../store/redirects.repository.js';
import { startOperation } from '../use-cases/journey-starts.js';

@Injectable()
class SignInTraces {
  static readonly PERSONAL_COLUMNS = [
    ...ConsentsRepository.PERSONAL_COLUMNS,
    ...OneTimeCodesRepository.PERSONAL_COLUMNS,
  ];

  constructor(
    private readonly consents: ConsentsRepository,
    private readonly codes: OneTimeCodesRepository,
    private readonly sessions: HostedSessionsRepository,
    private readonly links: HostedLinksRepository,
  ) {}

  /**
   * Also ends every session.
   * @returns how many rows still had personal data
   */
  async erase(tx: Tx, journey: Journey): Promise<number> {
    await this.sessions.endAllOf(tx, journey);
    await this.links.expireAllOf(tx, journey);
    const addresses = await this.consents.eraseAddresses(tx, journey);
    return addresses + (await this.codes.deleteAllOf(tx, journey));
  }
}

@Injectable()
class JourneyPersonalData implements LoanHolder<Journey> {
  readonly order = 1;

  readonly personalColumns = [
    ...JourneysRepository.PERSONAL_COLUMNS,
    ...IntentsRepository.PERSONAL_COLUMNS,
    ...SignInTraces.PERSONAL_COLUMNS,
    ...RedirectsRepository.PERSONAL_COLUMNS,
    ...Idempotency.KEPT_COLUMNS,
  ];

  constructor(
    registry: PersonalDataRegistry,
    private readonly journeys: JourneysRepository,
    private readonly intents: IntentsRepository,
    private readonly redirects: RedirectsRepository,
    private readonly traces: SignInTraces,
    private readonly mover: JourneyMover,
    private readonly audit: JourneyAudit,
    private readonly idempotency: Idempotency,
  ) {
    registry.registerLoans(this);
  }

  async find(tx: Tx, { by, values }: LoanSearch): Promise<OwnedJourney[]> {
    return this.journeys.findOf(tx, by === 'journeyId' ? 'id' : by, values);
  }

  lock(tx: Tx, { partnerId, id }: OwnedJourney): Promise<Journey | null> {
    return this.journeys.lock(tx, partnerId, id);
  }

  async obstacle(tx: Tx, journey: Journey, isForced: boolean): Promise<ErasureObstacle | null> {
    const reason = await this.whyNot(tx, journey, isForced);
    return reason && { id: journey.id, state: journey.state, reason };
  }

  async end(tx: Tx, journey: Journey): Promise<Journey> {
    return isTerminal(journey.state) ? journey : this.mover.move(tx, journey, 'WENT_IDLE');
  }

  async erase(tx: Tx, journey: Journey): Promise<number> {
    const { id, partnerId } = journey;
    const erased =
      (await this.journeys.eraseApplicant(tx, journey)) +
      (await this.intents.erase(tx, journey)) +
      (await this.redirects.erase(tx, journey)) +
      (await this.traces.erase(tx, journey)) +
      (await this.idempotency.forget(tx, {
        partnerId,
        operation: startOperation(journey),
        at: journey.createdAt,
        isMeant: (answer) => 'journeyId' in answer && answer.journeyId === id,
      }));
    return erased;
  }

  recordErasure(tx: Tx, journey: Journey): Promise<void> {
    return this.audit.record(tx, journey, 'APPLICANT_ERASED');
  }

  private async whyNot(
    tx: Tx,
    journey: Journey,
    isForced: boolean,
  ): Promise<ErasureObstacle['reason'] | null> {
    const isPaidFor = isPast(journey, FEE.name);
    if (journey.state === 'DISBURSEMENT_PENDING' || isPaidFor) return 'MONEY_ON_ITS_WAY';
    if (!isForced && !isTerminal(journey.state)) return 'IN_PROGRESS';
    return (await this.intents.hasActionInFlight(tx, journey)) ? 'ACTION_IN_FLIGHT' : null;
  }
}

/** For the command line: only ends journeys and erases applicants. */
@Module({
  imports: [
    ConsentsModule,
    ErasureModule,
    KeyFactsModule,
    LenderRecordsModule,
    SmsRecordsModule,
    EventsModule,
  ],
  providers: [
    JourneyPersonalData,
    SignInTraces,
    JourneysRepository,
    IntentsRepository,
    ConsentsRepository,
    OneTimeCodesRepository,
    HostedSessionsRepository,
    HostedLinksRepository,
    OfferRoundsRepository,
    RedirectsRepository,
    JourneyFeesRepository,
    MilestonesRepository,
    JourneyMover,
    LeadStatuses,
    Milestones,
    JourneyMetrics,
    JourneyAudit,
    StateEntry,
    FeeStep,
    UnsettledPayments,
    DecisionRequest,
    CoveredSteps,
    SelectedPayloads,
    LenderWithdrawals,
    ApplicantFiles,
    Consents,
    OfferRequests,
    OffersRepository,
    RedirectSteps,
    LeadWriter,
    LeadPersonalData,
    PartnerReferences,
  ],
})
export class JourneyErasureModule {}
