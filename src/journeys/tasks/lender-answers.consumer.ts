import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { type ClaimedAnswer, LenderInbox } from '../../lenders/index.js';
import {
  Database,
  exponentialBackoff,
  logFailure,
  OperatorFlags,
  RandomSource,
  Slots,
  WorkLoop,
} from '../../platform/index.js';
import { LenderAnswers } from '../lender-answers.js';

const POLL_MS = 1_000;
const SLOTS = 6;
const LOCK_TIMEOUT_MS = 1_000;
const BACKOFF = { firstMs: 500, mostMs: 3_600_000, jitter: 0.2 };
// By then it has been tried for some minutes, so it is no passing fault.
const ATTEMPTS_BEFORE_FLAG = 10;

/**
 * Takes what comes into the lenders' inbox to the journeys. An answer and what it moves are one
 * transaction, so a process that is killed in between leaves the answer for the next one. An answer
 * that cannot be taken up, or whose journey is held by somebody, makes room for the others.
 */
@Injectable()
export class LenderAnswersConsumer implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(LenderAnswersConsumer.name);
  private readonly slots = new Slots(SLOTS);
  private readonly loop = new WorkLoop({
    name: 'lender-answers',
    run: () => this.openLane(),
    pollMs: POLL_MS,
  });

  constructor(
    private readonly database: Database,
    private readonly inbox: LenderInbox,
    private readonly answers: LenderAnswers,
    private readonly flags: OperatorFlags,
    private readonly random: RandomSource,
  ) {
    inbox.arrivals.listen(() => this.loop.wake());
  }

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.loop.stop();
    await this.slots.drained();
  }

  /** Opens one more lane; a lane that finds work has the next one opened beside it. */
  private openLane(): Promise<number> {
    if (this.slots.free > 0) {
      this.slots.start(
        () => this.consumeUntilEmpty(),
        () => undefined,
      );
    }
    return Promise.resolve(0);
  }

  private async consumeUntilEmpty(): Promise<void> {
    try {
      while (!this.loop.isStopping && (await this.consumeOne())) this.loop.wake();
    } catch (error) {
      logFailure(this.logger, error);
    }
  }

  private async consumeOne(): Promise<boolean> {
    let claimed: ClaimedAnswer | null = null;
    try {
      await this.database.transaction(async (tx) => {
        await tx.execute(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`);
        claimed = await this.inbox.take(tx);
        if (claimed) await this.answers.apply(tx, claimed.read());
      });
    } catch (error) {
      if (!claimed) throw error;
      await this.putBack(claimed, error);
    }
    return claimed !== null;
  }

  private async putBack(claimed: ClaimedAnswer, error: unknown): Promise<void> {
    const { id, attempts, partnerId, subjectId } = claimed;
    logFailure(this.logger, error, { inboxId: id, attempts });
    const wait = exponentialBackoff(attempts + 1, BACKOFF, this.random.fraction());
    await this.database.transaction(async (tx) => {
      await this.inbox.postpone(tx, id, wait);
      if (attempts + 1 !== ATTEMPTS_BEFORE_FLAG) return;
      const detail = { inboxId: id, attempts: attempts + 1 };
      await this.flags.raise(tx, { partnerId, subjectId, kind: 'UNREADABLE_ANSWER', detail });
    });
  }
}
