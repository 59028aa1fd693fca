import { Injectable, Logger } from '@nestjs/common';
import { Fault, logFailure, ScheduledTask } from '../../platform/index.js';
import { IntentsRepository, type Orphan } from '../store/intents.repository.js';
import { SubmitActionService } from '../use-cases/submit-action.service.js';
import { JourneysRepository } from '../store/journeys.repository.js';

const EVERY_MS = 10_000;
const MAX_PARALLEL = 8;
// A lender that hangs delays only its own.
const MAX_PER_LENDER = 2;

/** Resolves actions whose holder died or did not learn the outcome. */
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
    const busy = new Map<string, number>();
    const running = new Set<Promise<void>>();
    for (;;) {
      const room = { most: MAX_PARALLEL - running.size, aLender: MAX_PER_LENDER, busy };
      for (const orphan of await this.intents.claimOrphans(room)) {
        const resolved = this.inLane(orphan, busy).finally(() => running.delete(resolved));
        running.add(resolved);
      }
      if (running.size === 0) return;
      await Promise.race(running);
    }
  }

  private async inLane(orphan: Orphan, busy: Map<string, number>): Promise<void> {
    const { lane } = orphan;
    busy.set(lane, (busy.get(lane) ?? 0) + 1);
    await this.resolve(orphan);
    busy.set(lane, (busy.get(lane) ?? 1) - 1);
  }

  private async resolve({ partnerId, journeyId }: Orphan): Promise<void> {
    try {
      const journey = await this.journeys.find(partnerId, journeyId);
      if (journey) await this.actions.resolveOrphan(journey);
    } catch (error) {
      // Still unknown: it will be asked again.
      if (error instanceof Fault && error.code === 'lender_unavailable') return;
      logFailure(this.logger, error, { journeyId });
    }
  }
}
