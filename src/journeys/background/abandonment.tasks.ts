import { Injectable, Logger } from '@nestjs/common';
import { Database, logFailure, ScheduledTask, takeInTurn, type Tx } from '../../platform/index.js';
import { JourneyMover } from '../progress/journey-mover.js';
import { JourneysRepository, type OwnedJourney } from '../store/journeys.repository.js';
import { ServiceSettings } from '../../settings/index.js';

const EVERY_MS = 10_000;
const MAX_PER_PASS = 2_000;

/**
 * Each journey once over all replicas: the row lock claims it and the move is conditional. Not during an
 * action or a payout.
 */
@Injectable()
export class AbandonmentTasks {
  private readonly logger = new Logger(AbandonmentTasks.name);

  constructor(
    private readonly database: Database,
    private readonly settings: ServiceSettings,
    private readonly journeys: JourneysRepository,
    private readonly mover: JourneyMover,
  ) {}

  @ScheduledTask('abandonment', EVERY_MS)
  async run(): Promise<void> {
    const { abandonAfterDays } = await this.settings.operating();
    await takeInTurn(this.database, {
      max: MAX_PER_PASS,
      claim: (tx, passedOver) => this.journeys.claimIdle(tx, abandonAfterDays, passedOver),
      work: (tx, idle) => this.abandon(tx, idle),
      onFailure: (error, { id }) => logFailure(this.logger, error, { journeyId: id }),
    });
  }

  private async abandon(tx: Tx, { partnerId, id }: OwnedJourney): Promise<void> {
    const journey = await this.journeys.lock(tx, partnerId, id);
    if (journey) await this.mover.move(tx, journey, 'WENT_IDLE');
  }
}
