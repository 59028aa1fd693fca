import { Injectable } from '@nestjs/common';
import {
  type ErasureObstacle,
  type LoanHolder,
  type LoanSearch,
  PersonalDataRegistry,
} from '../../erasure/index.js';
import { FEE } from '../../journey-steps/index.js';
import { Idempotency, type Tx } from '../../platform/index.js';
import { JourneyMover } from '../progress/journey-mover.js';
import { isPast, isTerminal } from '../domain/journey-state.js';
import { IntentsRepository } from '../store/intents.repository.js';
import { JourneyAudit } from '../store/journey-audit.js';
import type { Journey } from '../store/journey.entity.js';
import { JourneysRepository, type OwnedJourney } from '../store/journeys.repository.js';
import { RedirectsRepository } from '../store/redirects.repository.js';
import { SignInTraces } from './sign-in-traces.js';
import { startOperation } from '../use-cases/journey-starts.js';

@Injectable()
export class JourneyPersonalData implements LoanHolder<Journey> {
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
    return this.audit.record(tx, journey, 'APPLICANT_ERASED', journey.state);
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
