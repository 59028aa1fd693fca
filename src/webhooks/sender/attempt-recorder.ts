import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { BatchQueue, isConnectionLost, logFailure } from '../../platform/index.js';
import type { Attempt } from './delivery-attempt.js';
import { AttemptsRepository, type BatchRecord } from '../store/attempts.repository.js';
import { DeliveryClaims } from './delivery-claims.js';
import { SenderWakeUp } from './sender-wake-up.js';

const MAX_A_BATCH = 512;
/** After a batch: a statement for a few attempts costs the server as much again as the attempts. */
const REST_MS = 10;
/** At this many attempts without a record nothing more is sent: a kill repeats at most these. */
const MAX_UNRECORDED = 1_024;
const TRY_AGAIN_AFTER_MS = 250;
/** While the database is away, from the answer on: longer would outlive the lease. */
const TRY_FOR_MS = 10_000;

/**
 * Called once for each attempt: with true if it is on record, false if it came too late and is void,
 * or an error if it could not be recorded.
 */
export type RecordListener = (attempt: Attempt, outcome: boolean | Error) => void;

interface Ended {
  readonly attempt: Attempt;
  /** By the machine's monotonic clock. */
  readonly endedAt: number;
  readonly listener: RecordListener;
}

interface Terms {
  /** The lanes that are let go of with the batch. */
  readonly letGo: ReadonlySet<string>;
  /** While the database is away, it is tried again until then. */
  readonly until: number;
}

/** Records attempts in batches, one batch at a time, so that batches do not wait for each other's locks. */
@Injectable()
export class AttemptRecorder {
  private readonly logger = new Logger(AttemptRecorder.name);
  private readonly ended = new BatchQueue<Ended>({
    run: (ended) => this.recordAndTell(ended),
    maxItems: MAX_A_BATCH,
    maxInFlight: 1,
    restMs: REST_MS,
  });
  private unrecorded = 0;
  private drains: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly records: AttemptsRepository,
    private readonly claims: DeliveryClaims,
    private readonly wakeUp: SenderWakeUp,
  ) {}

  get isFull(): boolean {
    return this.unrecorded >= MAX_UNRECORDED;
  }

  record(attempt: Attempt, listener: RecordListener): void {
    this.claims.answered(attempt.claim, attempt.result.isSuccess);
    this.unrecorded += 1;
    this.ended.add({ attempt, listener, endedAt: performance.now() });
  }

  /** Resolves when all attempts are recorded and all retries that this made due are due. */
  async settled(): Promise<void> {
    await this.ended.drained();
    await this.drains;
  }

  private async recordAndTell(ended: readonly Ended[]): Promise<void> {
    const attempts = ended.map(({ attempt }) => attempt);
    const outcomes = await this.recordAll(attempts, {
      letGo: this.claims.giveBackLanesAfter(attempts.map(({ claim }) => claim)),
      until: ended[0].endedAt + TRY_FOR_MS,
    });
    this.unrecorded -= ended.length;
    ended.forEach(({ attempt, listener }, index) => listener(attempt, outcomes[index]));
  }

  private async recordAll(
    attempts: readonly Attempt[],
    terms: Terms,
  ): Promise<(boolean | Error)[]> {
    try {
      return await this.recordTogether(attempts, terms);
    } catch (error) {
      // An attempt that cannot be written must not take the others with it.
      if (attempts.length > 1 && !isConnectionLost(error))
        return this.recordHalves(attempts, terms);
      for (const { claim } of attempts) this.claims.giveBackAfterLease(claim);
      return attempts.map(() => asError(error));
    }
  }

  private async recordTogether(
    attempts: readonly Attempt[],
    { letGo, until }: Terms,
  ): Promise<boolean[]> {
    const { isRecorded, toDrain } = await this.whileAway(until, (isAgain) =>
      this.write(attempts, letGo, isAgain),
    );
    for (const attempt of attempts) this.claims.recorded(attempt);
    // The next batch does not wait for it.
    if (toDrain.length > 0) this.drains = Promise.all([this.drains, this.drain(toDrain)]);
    return isRecorded;
  }

  /**
   * If an earlier try was committed and only its answer was lost, another one would count twice
   * against the lanes' health; its drain is left to the upkeep.
   */
  private async write(
    attempts: readonly Attempt[],
    letGo: ReadonlySet<string>,
    isAgain: boolean,
  ): Promise<BatchRecord> {
    if (isAgain) {
      const isRecorded = await this.records.whichAreRecorded(attempts);
      if (isRecorded.includes(true)) return { isRecorded, toDrain: [] };
    }
    return this.records.record(attempts, letGo);
  }

  /** A lane's lease ends with its last attempt. */
  private async recordHalves(
    attempts: readonly Attempt[],
    { letGo, until }: Terms,
  ): Promise<(boolean | Error)[]> {
    const middle = Math.floor(attempts.length / 2);
    const [first, second] = [attempts.slice(0, middle), attempts.slice(middle)];
    const later = new Set(second.map(laneOf));
    const ending = new Set([...letGo].filter((lane) => !later.has(lane)));
    return [
      ...(await this.recordAll(first, { letGo: ending, until })),
      ...(await this.recordAll(second, { letGo, until })),
    ];
  }

  /** If it fails, the upkeep continues it. */
  private async drain(subscriptionIds: readonly string[]): Promise<void> {
    try {
      await this.records.drain(subscriptionIds);
      this.wakeUp.raise();
    } catch (error) {
      logFailure(this.logger, error);
    }
  }

  /** So that a restart of the server causes no second delivery. */
  private async whileAway<Result>(
    until: number,
    work: (isAgain: boolean) => Promise<Result>,
  ): Promise<Result> {
    for (let isAgain = false; ; isAgain = true) {
      try {
        return await work(isAgain);
      } catch (error) {
        if (!isConnectionLost(error) || performance.now() > until) throw error;
        await sleep(TRY_AGAIN_AFTER_MS);
      }
    }
  }
}

function laneOf({ claim }: Attempt): string {
  return claim.lane.subscriptionId;
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
