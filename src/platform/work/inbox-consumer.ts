import { Logger } from '@nestjs/common';
import { isConnectionLost } from '../database/connection-lost.js';
import type { Database } from '../database/database.js';
import type { Tx } from '../database/tx.js';
import { logFailure } from '../logging/log-failure.js';
import { exponentialBackoff, Slots, WorkLoop } from './work-loop.js';
import { type DuePoller, UNWOKEN_MS } from './due-poller.js';
import type { DueWork } from './due-work.js';

/** Each holds a connection of the shared pool. */
const WORKERS = 6;
const BATCH_WORKERS = 3;
/** For the subjects; taking entries waits for no lock. */
const LOCK_TIMEOUT = `SET LOCAL lock_timeout = '1s'`;
const BACKOFF = { firstMs: 500, maxMs: 3_600_000, jitter: 0.2 };
// By then it has failed for minutes.
const ATTEMPTS_BEFORE_FLAG = 10;

interface ClaimedEntry {
  readonly id: number;
  /** Failed attempts. */
  readonly attempts: number;
}

interface BatchWork<Claimed extends ClaimedEntry> {
  readonly most: number;
  readonly take: (tx: Tx, most: number) => Promise<readonly Claimed[]>;
  /**
   * Skips entries with a locked subject.
   * @returns how many it applied
   */
  readonly apply: (tx: Tx, claimed: readonly Claimed[]) => Promise<number>;
}

export interface InboxWork<Claimed extends ClaimedEntry> {
  /** For the log. */
  readonly name: string;
  readonly due: DueWork;
  /** Skips entries in progress. */
  readonly take: (tx: Tx) => Promise<Claimed | null>;
  /** In the transaction that locked the entry. */
  readonly apply: (tx: Tx, claimed: Claimed) => Promise<void>;
  /** Entries that a batch cannot process are processed singly. */
  readonly together?: BatchWork<Claimed>;
  readonly postpone: (tx: Tx, claimed: Claimed, waitMs: number) => Promise<void>;
  /** Notifies the operator after minutes of failures. */
  readonly flag: (
    tx: Tx,
    claimed: Claimed,
    detail: { readonly inboxId: number; readonly attempts: number },
  ) => Promise<void>;
}

interface Turn {
  readonly found: number;
  readonly left: number;
}

/**
 * Each entry and its effects share a transaction, so a killed process loses nothing. A failed or
 * locked entry blocks no other.
 */
export class InboxConsumer<Claimed extends ClaimedEntry> {
  private readonly logger: Logger;
  private readonly slots: Slots;
  private readonly loop: WorkLoop;
  /** Woken while all workers were busy: they may have missed the new entry. */
  private isWorkerWanted = false;
  private hasSingleEntryWorker = false;

  /** @param fraction of the jitter, 0 to 1 */
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

  /** Waits for work in progress. */
  async stop(): Promise<void> {
    await this.loop.stop();
    await this.slots.drained();
  }

  /** A worker that finds work starts the next one. */
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
        // The single-entry worker processes what is left.
        if (turn.found === 0 || (this.hasSingleEntryWorker && turn.left === turn.found)) return;
        // There may be more than this worker can process.
        if (turn.left > 0 || turn.found >= (together?.most ?? 1)) this.loop.wake();
        if (!this.hasSingleEntryWorker) await this.consumeSingly(turn.left);
      }
    } catch (error) {
      logFailure(this.logger, error);
    }
  }

  /** One worker only: others would wait for the same locked subject. */
  private async consumeSingly(most: number): Promise<void> {
    this.hasSingleEntryWorker = true;
    try {
      for (let count = 0; count < most && !this.loop.isStopping; count += 1) {
        if ((await this.consumeOne()).found === 0) return;
      }
    } finally {
      this.hasSingleEntryWorker = false;
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
