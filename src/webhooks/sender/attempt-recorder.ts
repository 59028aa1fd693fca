import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { BatchQueue, isConnectionLost, logFailure } from '../../platform/index.js';
import {
  type Attempt,
  AttemptsRepository,
  type BatchRecord,
} from '../store/attempts.repository.js';
import { DeliveryClaims } from './delivery-claims.js';
import { SenderWakeUp } from './sender-wake-up.js';

const MAX_A_BATCH = 512;
/** Between batches: a statement with few attempts costs about twice as much per attempt. */
const PAUSE_MS = 10;
/** At this limit sending stops; a kill repeats at most these attempts. */
const MAX_UNRECORDED = 1_024;
const RETRY_PAUSE_MS = 250;
/** Counted from the response; recording is retried while the database is down. Longer would outlive the lease. */
const RETRY_FOR_MS = 10_000;

/** Called once per attempt. Outcome: true if recorded, false if too late, or the error. */
export type RecordListener = (attempt: Attempt, outcome: boolean | Error) => void;

interface Ended {
  readonly attempt: Attempt;
  /** Monotonic clock. */
  readonly endedAt: number;
  readonly listener: RecordListener;
}

/** One batch at a time, so that batches do not wait for each other's locks. */
@Injectable()
export class AttemptRecorder {
  private readonly logger = new Logger(AttemptRecorder.name);
  private readonly ended = new BatchQueue<Ended>({
    run: (ended) => this.recordBatch(ended),
    maxItems: MAX_A_BATCH,
    maxInFlight: 1,
    restMs: PAUSE_MS,
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
    this.claims.markAnswered(attempt.claim, attempt.result.isSuccess);
    this.unrecorded += 1;
    this.ended.add({ attempt, listener, endedAt: performance.now() });
  }

  /** Resolves when all attempts are recorded and the resulting retries are due. */
  async settled(): Promise<void> {
    await this.ended.drained();
    await this.drains;
  }

  private async recordBatch(ended: readonly Ended[]): Promise<void> {
    const attempts = ended.map(({ attempt }) => attempt);
    const outcomes = await this.outcomesOf(attempts, ended[0].endedAt + RETRY_FOR_MS);
    this.unrecorded -= ended.length;
    ended.forEach(({ attempt, listener }, index) => listener(attempt, outcomes[index]));
  }

  private async outcomesOf(
    attempts: readonly Attempt[],
    until: number,
  ): Promise<(boolean | Error)[]> {
    try {
      return await this.recordTogether(attempts, until);
    } catch (error) {
      if (attempts.length === 1 || isConnectionLost(error)) {
        for (const { claim } of attempts) this.claims.releaseAfterLease(claim);
        return attempts.map(() => (error instanceof Error ? error : new Error(String(error))));
      }
    }
    const outcomes: (boolean | Error)[] = [];
    for (const attempt of attempts) outcomes.push(...(await this.outcomesOf([attempt], until)));
    return outcomes;
  }

  private async recordTogether(attempts: readonly Attempt[], until: number): Promise<boolean[]> {
    const { isRecorded, toDrain } = await this.write(attempts, until);
    for (const attempt of attempts) this.claims.markRecorded(attempt);
    // The next batch does not wait for it.
    if (toDrain.length > 0) this.drains = Promise.all([this.drains, this.drain(toDrain)]);
    return isRecorded;
  }

  /**
   * Retries while the database is away. If an earlier try was committed, the health must not count
   * it again; the upkeep does the drain.
   */
  private async write(attempts: readonly Attempt[], until: number): Promise<BatchRecord> {
    for (let isRetry = false; ; isRetry = true) {
      try {
        const isRecorded = isRetry ? await this.records.whichAreRecorded(attempts) : [];
        if (isRecorded.includes(true)) return { isRecorded, toDrain: [] };
        return await this.records.record(attempts);
      } catch (error) {
        if (!isConnectionLost(error) || performance.now() > until) throw error;
        await sleep(RETRY_PAUSE_MS);
      }
    }
  }

  /** On failure, the upkeep continues. */
  private async drain(subscriptionIds: readonly string[]): Promise<void> {
    try {
      await this.records.drain(subscriptionIds);
      this.wakeUp.raise();
    } catch (error) {
      logFailure(this.logger, error);
    }
  }
}
