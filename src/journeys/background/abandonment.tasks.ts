import { Injectable, Logger } from '@nestjs/common';
import { Database, logFailure, ScheduledTask } from '../../platform/index.js';
import { JourneyMover } from '../domain/journey-mover.js';
import { JourneysRepository, type OwnedJourney } from '../store/journeys.repository.js';
import { ServiceSettings } from '../../settings/index.js';

const EVERY_MS = 10_000;
const MAX_PER_PASS = 2_000;

/**
 * Marks journeys abandoned in which nobody did anything for seven days: each once, on any number
 * of replicas, since the row lock claims it and the move is conditional. Not while an action is in
 * progress, nor while money is on its way.
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
    const passedOver: string[] = [];
    for (let done = 0; done < MAX_PER_PASS; done += 1) {
      if (!(await this.abandonNext(abandonAfterDays, passedOver))) return;
    }
  }

  /** One that fails must not hold up the others: it is passed over until the next pass. */
  private async abandonNext(days: number, passedOver: string[]): Promise<boolean> {
    let idle: OwnedJourney | null | undefined;
    try {
      await this.database.transaction(async (tx) => {
        idle = await this.journeys.claimIdle(tx, days, passedOver);
        const journey = idle && (await this.journeys.lock(tx, idle.partnerId, idle.id));
        if (journey) await this.mover.move(tx, journey, 'WENT_IDLE');
      });
    } catch (error) {
      if (!idle) throw error;
      logFailure(this.logger, error, { journeyId: idle.id });
      passedOver.push(idle.id);
    }
    return Boolean(idle);
  }
}
