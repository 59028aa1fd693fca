import { Injectable, Logger } from '@nestjs/common';
import { Fault, logFailure, ScheduledTask } from '../../platform/index.js';
import { IntentsRepository } from '../store/intents.repository.js';
import { SubmitActionService } from '../use-cases/submit-action.service.js';
import { JourneysRepository } from '../store/journeys.repository.js';

const EVERY_MS = 10_000;
const MAX_PER_PASS = 50;

/** Resolves actions whose holder died, should no later action have done so. */
@Injectable()
export class OrphanedActionsTasks {
  private readonly logger = new Logger(OrphanedActionsTasks.name);

  constructor(
    private readonly intents: IntentsRepository,
    private readonly journeys: JourneysRepository,
    private readonly actions: SubmitActionService,
  ) {}

  @ScheduledTask('orphaned-actions', EVERY_MS)
  async run(): Promise<void> {
    for (const { partnerId, journeyId } of await this.intents.orphaned(MAX_PER_PASS)) {
      await this.resolve(partnerId, journeyId);
    }
  }

  /** One that fails must not hold up the others. */
  private async resolve(partnerId: string, journeyId: string): Promise<void> {
    try {
      const journey = await this.journeys.find(partnerId, journeyId);
      if (journey) await this.actions.resolveOrphan(journey);
    } catch (error) {
      // Still not known: it is asked about again.
      if (error instanceof Fault && error.code === 'lender_unavailable') return;
      logFailure(this.logger, error, { journeyId });
    }
  }
}
