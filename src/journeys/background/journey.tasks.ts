import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import {
  Database,
  DuePoller,
  DueTimes,
  isFault,
  logFailure,
  ScheduledTask,
  takeInTurn,
  type Tx,
  UNWOKEN_MS,
  WorkLoop,
} from '../../platform/index.js';
import { ServiceSettings } from '../../settings/index.js';
import { FreshLinks } from '../access/hosted-links.js';
import { isInstant } from '../domain/journey.js';
import { isStillAsking } from '../offers/ended-rounds.js';
import { OfferRound } from '../offers/offer-round.js';
import { JourneyMover } from '../progress/journey-mover.js';
import { LinkRequestsRepository } from '../store/hosted-links.repository.js';
import { HostedSessionsRepository } from '../store/hosted-sessions.repository.js';
import { IntentsRepository, type Orphan } from '../store/intents.repository.js';
import { idleTimes, ORPHAN_TIMES } from '../store/journey-times.js';
import { JourneysRepository, type OwnedJourney } from '../store/journeys.repository.js';
import { OfferRoundsRepository } from '../store/offer-rounds.repository.js';
import { OneTimeCodesRepository } from '../store/one-time-codes.repository.js';
import { SubmitActionService } from '../use-cases/submit-action.service.js';

/**
 * A row lock claims each journey once over all replicas. Skips journeys in an action or a payout.
 */
@Injectable()
export class AbandonmentTasks {
  private readonly logger = new Logger(AbandonmentTasks.name);

  constructor(
    private readonly database: Database,
    private readonly settings: ServiceSettings,
    private readonly journeys: JourneysRepository,
    private readonly mover: JourneyMover,
    times: DueTimes,
  ) {
    times.watch(
      async () => idleTimes((await settings.operating()).abandonAfterDays),
      () => this.run(),
    );
  }

  @ScheduledTask('abandonment', 10_000)
  async run(): Promise<void> {
    const { abandonAfterDays } = await this.settings.operating();
    await takeInTurn(this.database, {
      max: 2_000,
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

@Injectable()
export class OfferDeadlinesTasks {
  private readonly logger = new Logger(OfferDeadlinesTasks.name);

  constructor(
    private readonly database: Database,
    private readonly journeys: JourneysRepository,
    private readonly rounds: OfferRoundsRepository,
    private readonly round: OfferRound,
    private readonly mover: JourneyMover,
    poller: DuePoller,
  ) {
    poller.watch(OfferRoundsRepository.DUE, () => void this.run());
  }

  @ScheduledTask('offer-deadlines', UNWOKEN_MS)
  async run(): Promise<void> {
    await takeInTurn(this.database, {
      max: 500,
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

const MAX_PARALLEL = 8;
// A lender that hangs delays only its own actions.
const MAX_PER_LENDER = 2;

/** Resolves actions whose process died or did not learn the outcome. */
@Injectable()
export class OrphanedActionsTasks {
  private readonly logger = new Logger(OrphanedActionsTasks.name);

  constructor(
    private readonly intents: IntentsRepository,
    private readonly journeys: JourneysRepository,
    private readonly actions: SubmitActionService,
    times: DueTimes,
  ) {
    times.watch(ORPHAN_TIMES, () => this.run());
  }

  @ScheduledTask('orphaned-actions', 10_000)
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
      if (isFault(error, 'lender_unavailable')) return;
      logFailure(this.logger, error, { journeyId });
    }
  }
}

const MAX_PER_PASS = 5_000;

/** Ended sessions are kept for a month: with them a browser can request a fresh link. */
@Injectable()
export class HostedUpkeepTasks {
  constructor(
    private readonly database: Database,
    private readonly codes: OneTimeCodesRepository,
    private readonly sessions: HostedSessionsRepository,
  ) {}

  @ScheduledTask('hosted-upkeep', 600_000)
  async run(): Promise<void> {
    await this.database.transaction((tx) => this.codes.deleteOld(tx, MAX_PER_PASS));
    await this.database.transaction((tx) => this.sessions.deleteOld(tx, MAX_PER_PASS));
  }
}

/**
 * Polls instead of being woken: work right after a response would reveal, by its timing, that the journey exists.
 */
@Injectable()
export class FreshLinksWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(FreshLinksWorker.name);
  private readonly loop = new WorkLoop({
    name: 'fresh-links',
    run: () => this.pass(),
    pollMs: UNWOKEN_MS,
    beginsAtRest: true,
  });

  constructor(
    private readonly freshLinks: FreshLinks,
    poller: DuePoller,
  ) {
    poller.watch(LinkRequestsRepository.DUE, () => this.loop.wake());
  }

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.loop.stop();
  }

  /** @returns 0, to pause after every pass */
  private async pass(): Promise<number> {
    while (!this.loop.isStopping && (await this.freshLinks.sendNext(this.postponed)));
    return 0;
  }

  private readonly postponed = (error: unknown): void => logFailure(this.logger, error);
}
