import { Injectable } from '@nestjs/common';
import type { Tx } from '../../platform/index.js';
import type { Journey } from '../store/journey.entity.js';
import { JourneyAudit } from '../store/journey-audit.js';
import { JourneyMover } from '../domain/journey-mover.js';
import { IntentsRepository } from '../store/intents.repository.js';
import { JourneysRepository, type OwnedJourney } from '../store/journeys.repository.js';
import { isTerminal } from '../domain/journey-state.js';
import { ErasableRecords, type ErasureSubject } from './erasable-records.js';

/** Why a journey's data cannot be erased now. */
export interface ErasureObstacle {
  readonly id: string;
  readonly state: string;
  readonly reason: 'IN_PROGRESS' | 'ACTION_IN_FLIGHT' | 'MONEY_ON_ITS_WAY';
}

export interface ErasureResult {
  readonly erased: readonly string[];
  /** Of these nothing was left to erase. */
  readonly erasedBefore: readonly string[];
  /** When there is one, nothing at all was erased. */
  readonly inTheWay: readonly ErasureObstacle[];
}

/**
 * Erases an applicant's personal data and keeps what the books need: the journey, its lead, its
 * offers and amounts, the statement that was agreed to (which names no applicant), its events and
 * its audit, which tells of the erasure. To do it again erases what may have come in since.
 */
@Injectable()
export class ApplicantErasure {
  constructor(
    private readonly records: ErasableRecords,
    private readonly journeys: JourneysRepository,
    private readonly intents: IntentsRepository,
    private readonly mover: JourneyMover,
    private readonly audit: JourneyAudit,
  ) {}

  /**
   * @param isForced journeys in progress are abandoned first, as if their applicant had left; one
   *   whose money is on its way never is
   */
  async erase(tx: Tx, subject: ErasureSubject, isForced: boolean): Promise<ErasureResult> {
    const journeys = await this.lockAll(tx, await this.records.find(subject));
    const inTheWay = await this.obstacles(tx, journeys, isForced);
    if (inTheWay.length > 0) return { erased: [], erasedBefore: [], inTheWay };
    const erased: string[] = [];
    for (const journey of journeys) {
      if (await this.eraseOne(tx, journey)) erased.push(journey.id);
    }
    const erasedBefore = journeys.map(({ id }) => id).filter((id) => !erased.includes(id));
    return { erased, erasedBefore, inTheWay };
  }

  /** In the order of their ids, so that two erasures of one applicant wait for each other. */
  private async lockAll(tx: Tx, found: readonly OwnedJourney[]): Promise<Journey[]> {
    const journeys: Journey[] = [];
    for (const { id, partnerId } of found) {
      const journey = await this.journeys.lock(tx, partnerId, id);
      if (journey) journeys.push(journey);
    }
    return journeys;
  }

  private async obstacles(
    tx: Tx,
    journeys: readonly Journey[],
    isForced: boolean,
  ): Promise<ErasureObstacle[]> {
    const obstacles: ErasureObstacle[] = [];
    for (const journey of journeys) {
      const reason = await this.whyNot(tx, journey, isForced);
      if (reason) obstacles.push({ id: journey.id, state: journey.state, reason });
    }
    return obstacles;
  }

  private async whyNot(
    tx: Tx,
    journey: Journey,
    isForced: boolean,
  ): Promise<ErasureObstacle['reason'] | null> {
    if (journey.state === 'DISBURSEMENT_PENDING') return 'MONEY_ON_ITS_WAY';
    if (!isForced && !isTerminal(journey.state)) return 'IN_PROGRESS';
    return (await this.intents.hasActionInFlight(tx, journey)) ? 'ACTION_IN_FLIGHT' : null;
  }

  private async eraseOne(tx: Tx, seen: Journey): Promise<boolean> {
    const journey = isTerminal(seen.state) ? seen : await this.mover.move(tx, seen, 'WENT_IDLE');
    const isErased = await this.records.erase(tx, journey);
    if (isErased) await this.audit.record(tx, journey, 'APPLICANT_ERASED', journey.state);
    return isErased;
  }
}
