import { Injectable, Logger } from '@nestjs/common';
import {
  Database,
  DuePoller,
  logFailure,
  ScheduledTask,
  takeInTurn,
  type Tx,
} from '../../platform/index.js';
import { JourneyMover } from '../progress/journey-mover.js';
import { JourneysRepository, type OwnedJourney } from '../store/journeys.repository.js';
import { OfferRoundsRepository } from '../store/offer-rounds.repository.js';
import { isStillAsking } from '../offers/ended-rounds.js';
import { isInstant } from '../domain/journey.js';
import { OfferRound } from '../offers/offer-round.js';

const EVERY_MS = 1_000;
const MAX_PER_PASS = 500;

/** Lenders' deadlines and expired offers; the row lock claims a journey. */
@Injectable()
export class OfferDeadlinesTasks {
  private readonly logger = new Logger(OfferDeadlinesTasks.name);

  constructor(
    private readonly database: Database,
    private readonly journeys: JourneysRepository,
    private readonly rounds: OfferRoundsRepository,
    private readonly round: OfferRound,
    private readonly mover: JourneyMover,
    private readonly poller: DuePoller,
  ) {}

  @ScheduledTask('offer-deadlines', EVERY_MS)
  async run(): Promise<void> {
    await takeInTurn(this.database, {
      max: MAX_PER_PASS,
      isAnyDue: () => this.poller.isDue('journey-offers', OfferRoundsRepository.DUE),
      claim: (tx, passedOver) => this.rounds.claimDue(tx, passedOver),
      work: (tx, due) => this.handle(tx, due),
      onFailure: (error, { id }) => logFailure(this.logger, error, { journeyId: id }),
    });
  }

  private async handle(tx: Tx, { partnerId, id }: OwnedJourney): Promise<void> {
    const journey = await this.journeys.lock(tx, partnerId, id);
    if (!journey) return;
    if (journey.state === 'INITIATED' || isStillAsking(journey))
      await this.round.evaluate(tx, journey);
    else await this.mover.move(tx, journey, isInstant(journey) ? 'FEE_UNPAID' : 'OFFERS_RAN_OUT');
  }
}
