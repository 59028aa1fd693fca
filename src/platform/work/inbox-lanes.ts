import { Logger } from '@nestjs/common';
import type { Database } from '../database/database.js';
import type { Tx } from '../database/tx.js';
import { logFailure } from '../logging/log-failure.js';
import { exponentialBackoff } from './backoff.js';
import { Slots } from './slots.js';
import { WorkLoop } from './work-loop.js';

const POLL_MS = 1_000;
const SLOTS = 6;
const LOCK_TIMEOUT_MS = 1_000;
const BACKOFF = { firstMs: 500, mostMs: 3_600_000, jitter: 0.2 };
// By then it has been tried for some minutes, so it is no passing fault.
const ATTEMPTS_BEFORE_FLAG = 10;

/** An entry of an inbox that is claimed and has yet to be taken up. */
export interface ClaimedEntry {
  /** The inbox row. */
  readonly id: number;
  /** How often it could not be taken up. */
  readonly attempts: number;
}

/** An inbox, and what is done with what comes into it. */
export interface InboxWork<Claimed extends ClaimedEntry> {
  /** For the log. */
  readonly name: string;
  /** The next entry that nobody else is taking up, its row locked; null when there is none. */
  readonly take: (tx: Tx) => Promise<Claimed | null>;
  /** Takes an entry to its subject, in the transaction that holds its row, and marks it consumed. */
  readonly apply: (tx: Tx, claimed: Claimed) => Promise<void>;
  readonly postpone: (tx: Tx, claimed: Claimed, waitMs: number) => Promise<void>;
  /** Puts an entry before the operator that has failed for some minutes. */
  readonly flag: (tx: Tx, claimed: Claimed, detail: Record<string, unknown>) => Promise<void>;
}

/**
 * Takes what comes into an inbox to its subjects, in a few lanes side by side. An entry and what it
 * moves are one transaction, so a process that is killed in between leaves the entry for the next
 * one. An entry that cannot be taken up, or whose subject is held by somebody, makes room for the
 * others.
 */
export class InboxLanes<Claimed extends ClaimedEntry> {
  private readonly logger: Logger;
  private readonly slots = new Slots(SLOTS);
  private readonly loop: WorkLoop;

  /** @param fraction of the jitter, 0 to 1, drawn anew at each call */
  constructor(
    private readonly database: Database,
    private readonly fraction: () => number,
    private readonly work: InboxWork<Claimed>,
  ) {
    this.logger = new Logger(`inbox:${work.name}`);
    this.loop = new WorkLoop({ name: work.name, run: () => this.openLane(), pollMs: POLL_MS });
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
    let claimed: Claimed | null = null;
    try {
      await this.database.transaction(async (tx) => {
        await tx.execute(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`);
        claimed = await this.work.take(tx);
        if (claimed) await this.work.apply(tx, claimed);
      });
    } catch (error) {
      if (!claimed) throw error;
      await this.putBack(claimed, error);
    }
    return claimed !== null;
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
