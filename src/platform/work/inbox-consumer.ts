import { Logger } from '@nestjs/common';
import { isConnectionLost } from '../database/connection-lost.js';
import type { Database } from '../database/database.js';
import type { Tx } from '../database/tx.js';
import { logFailure } from '../logging/log-failure.js';
import { exponentialBackoff } from './backoff.js';
import { type DuePoller, type DueQuery, UNWOKEN_MS } from './due-poller.js';
import { Slots } from './slots.js';
import { WorkLoop } from './work-loop.js';

/** Workers run in parallel; each holds a connection of the pool that requests use, too. */
const WORKERS = 6;
const BATCH_WORKERS = 3;
/** For the subjects of what was found. Taking waits for no lock, and most looks find nothing. */
const LOCK_TIMEOUT = `SET LOCAL lock_timeout = '1s'`;
const BACKOFF = { firstMs: 500, maxMs: 3_600_000, jitter: 0.2 };
// By then it has been tried for some minutes, so it is not a passing fault.
const ATTEMPTS_BEFORE_FLAG = 10;

/** An entry of an inbox that is claimed and has yet to be processed. */
export interface ClaimedEntry {
  /** The inbox row. */
  readonly id: number;
  /** How often it could not be processed. */
  readonly attempts: number;
}

/** Processes many entries in one transaction, which holds all of their rows and subjects. */
export interface BatchWork<Claimed extends ClaimedEntry> {
  /** How many entries one transaction takes at most. */
  readonly most: number;
  /** The next entries that nobody else is processing, so many at most, their rows locked. */
  readonly take: (tx: Tx, most: number) => Promise<readonly Claimed[]>;
  /**
   * Takes entries to their subjects, and marks them consumed. It waits for no subject: an entry whose
   * subject somebody holds is left as it is.
   * @returns how many it took
   */
  readonly apply: (tx: Tx, claimed: readonly Claimed[]) => Promise<number>;
}

/** An inbox, and what is done with what comes into it. */
export interface InboxWork<Claimed extends ClaimedEntry> {
  /** For the log. */
  readonly name: string;
  /** Whether there is something to take. */
  readonly due: DueQuery;
  /** The next entry that nobody else is processing, its row locked; null when there is none. */
  readonly take: (tx: Tx) => Promise<Claimed | null>;
  /** Takes an entry to its subject, in the transaction that holds its row, and marks it consumed. */
  readonly apply: (tx: Tx, claimed: Claimed) => Promise<void>;
  /** For a busy inbox; an entry that a batch cannot process is processed by itself. */
  readonly together?: BatchWork<Claimed>;
  readonly postpone: (tx: Tx, claimed: Claimed, waitMs: number) => Promise<void>;
  /** Puts an entry before the operator that has failed for some minutes. */
  readonly flag: (
    tx: Tx,
    claimed: Claimed,
    detail: { readonly inboxId: number; readonly attempts: number },
  ) => Promise<void>;
}

/** What one transaction came to. */
interface Turn {
  /** How many entries it found. */
  readonly found: number;
  /** How many of them are to be taken by themselves. */
  readonly left: number;
}

/**
 * Applies the entries of an inbox to their subjects, with a few parallel workers. An entry and its
 * effects are one transaction, so a process that is killed in between leaves the entry for another
 * one. An entry that fails, or whose subject is locked, does not hold up the others: a batch leaves it
 * to a transaction of its own, and one that fails in its own waits for another try.
 */
export class InboxConsumer<Claimed extends ClaimedEntry> {
  private readonly logger: Logger;
  private readonly slots: Slots;
  private readonly loop: WorkLoop;
  /** Whether it was woken while all workers were busy: none of them may have seen the new entry. */
  private isWorkerWanted = false;
  /** Whether a worker is taking single entries that a batch had to leave. */
  private isOneAlone = false;

  /** @param fraction of the jitter, 0 to 1, drawn again at each call */
  constructor(
    private readonly database: Database,
    poller: DuePoller,
    private readonly fraction: () => number,
    private readonly work: InboxWork<Claimed>,
  ) {
    this.logger = new Logger(`inbox:${work.name}`);
    this.slots = new Slots(work.together ? BATCH_WORKERS : WORKERS);
    this.loop = new WorkLoop({
      name: work.name,
      run: () => this.startWorker(),
      pollMs: UNWOKEN_MS,
      beginsAtRest: true,
    });
    poller.watch(work.due, () => this.loop.wake());
  }

  start(): void {
    this.loop.start();
  }

  wake(): void {
    this.loop.wake();
  }

  /** Lets what is in progress end, and starts nothing more. */
  async stop(): Promise<void> {
    await this.loop.stop();
    await this.slots.drained();
  }

  /** Starts one more worker; a worker that finds work has the next one started beside it. */
  private startWorker(): Promise<number> {
    this.isWorkerWanted = this.slots.free === 0;
    if (!this.isWorkerWanted) {
      this.slots.start(
        () => this.consumeUntilEmpty(),
        () => {
          if (this.isWorkerWanted) this.loop.wake();
        },
      );
    }
    return Promise.resolve(0);
  }

  private async consumeUntilEmpty(): Promise<void> {
    const { together } = this.work;
    try {
      while (!this.loop.isStopping) {
        const turn = together ? await this.consume(together) : await this.consumeOne();
        // What is left for the worker that takes single entries is no reason to go on, or to wake another.
        if (turn.found === 0 || (this.isOneAlone && turn.left === turn.found)) return;
        // There may be more than this worker can do.
        if (turn.left > 0 || turn.found >= (together?.most ?? 1)) this.loop.wake();
        if (!this.isOneAlone) await this.consumeAlone(turn.left);
      }
    } catch (error) {
      logFailure(this.logger, error);
    }
  }

  /** Only one worker does so at a time: the others must not wait for the same locked subject. */
  private async consumeAlone(most: number): Promise<void> {
    this.isOneAlone = true;
    try {
      for (let count = 0; count < most && !this.loop.isStopping; count += 1) {
        if ((await this.consumeOne()).found === 0) return;
      }
    } finally {
      this.isOneAlone = false;
    }
  }

  private async consume({ most, take, apply }: BatchWork<Claimed>): Promise<Turn> {
    let found = 0;
    let taken = 0;
    try {
      await this.database.plannedTransaction(async (tx) => {
        const claimed = await take(tx, most);
        found = claimed.length;
        if (found === 0) return;
        await tx.execute(LOCK_TIMEOUT);
        taken = await apply(tx, claimed);
      });
    } catch (error) {
      if (found === 0 || isConnectionLost(error)) throw error;
      // One that cannot be processed must not take the others with it.
      this.logger.warn({ err: error, entries: found });
      taken = 0;
    }
    return { found, left: found - taken };
  }

  private async consumeOne(): Promise<Turn> {
    let claimed: Claimed | null = null;
    try {
      await this.database.transaction(async (tx) => {
        claimed = await this.work.take(tx);
        if (!claimed) return;
        await tx.execute(LOCK_TIMEOUT);
        await this.work.apply(tx, claimed);
      });
    } catch (error) {
      if (!claimed) throw error;
      await this.putBack(claimed, error);
    }
    return { found: claimed === null ? 0 : 1, left: 0 };
  }

  private async putBack(claimed: Claimed, error: unknown): Promise<void> {
    const attempts = claimed.attempts + 1;
    logFailure(this.logger, error, { inboxId: claimed.id, attempts: claimed.attempts });
    const wait = exponentialBackoff(attempts, BACKOFF, this.fraction());
    await this.database.transaction(async (tx) => {
      await this.work.postpone(tx, claimed, wait);
      if (attempts === ATTEMPTS_BEFORE_FLAG) {
        await this.work.flag(tx, claimed, { inboxId: claimed.id, attempts });
      }
    });
  }
}
