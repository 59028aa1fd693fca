import { Injectable, Logger } from '@nestjs/common';
import { Database, logFailure, ScheduledTask, Tx } from '../../platform/index.js';
import type { Journey } from '../store/journey.entity.js';
import { JourneyMover } from '../domain/journey-mover.js';
import { JourneysRepository, type OwnedJourney } from '../store/journeys.repository.js';
import { OfferRoundsRepository } from '../store/offer-rounds.repository.js';
import { OfferRound } from '../offers/offer-round.js';

const EVERY_MS = 1_000;
const MAX_PER_PASS = 500;

/**
 * Looks at journeys whose offers are due: the lenders' deadlines, and offers that have run out. A
 * journey is claimed by its row lock, so any number of replicas may look at once.
 */
@Injectable()
export class OfferDeadlinesTasks {
  private readonly logger = new Logger(OfferDeadlinesTasks.name);

  constructor(
    private readonly database: Database,
    private readonly journeys: JourneysRepository,
    private readonly rounds: OfferRoundsRepository,
    private readonly round: OfferRound,
    private readonly mover: JourneyMover,
  ) {}

  @ScheduledTask('offer-deadlines', EVERY_MS)
  async run(): Promise<void> {
    const passedOver: string[] = [];
    for (let done = 0; done < MAX_PER_PASS && (await this.runNext(passedOver)); done += 1);
  }

  /** One that fails must not hold up the others: it is passed over until the next pass. */
  private async runNext(passedOver: string[]): Promise<boolean> {
    let due: OwnedJourney | null | undefined;
    try {
      await this.database.transaction(async (tx) => {
        due = await this.rounds.claimDue(tx, passedOver);
        const journey = due && (await this.journeys.lock(tx, due.partnerId, due.id));
        if (journey) await this.lookAt(tx, journey);
      });
    } catch (error) {
      if (!due) throw error;
      logFailure(this.logger, error, { journeyId: due.id });
      passedOver.push(due.id);
    }
    return Boolean(due);
  }

  private async lookAt(tx: Tx, journey: Journey): Promise<void> {
    if (journey.state === 'INITIATED') await this.round.evaluate(tx, journey);
    else await this.mover.move(tx, journey, 'OFFERS_RAN_OUT');
  }
}
