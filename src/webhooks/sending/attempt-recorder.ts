import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { Batcher, isConnectionLost, logFailure } from '../../platform/index.js';
import type { Attempt } from './attempt.js';
import { AttemptRecords } from './attempt-records.repository.js';
import { DeliveryClaims } from './delivery-claims.js';
import { LEASE_SECONDS } from './lane-leases.repository.js';

const MOST_A_BATCH = 128;
const TRY_AGAIN_AFTER_MS = 250;
/** While the database is away; past this, the leases are as good as gone. */
const TRY_FOR_MS = 10_000;

/**
 * Gathers what ends while a batch is being recorded into the next one. A lane on which nothing else
 * is in flight is let go of in the same statement.
 */
@Injectable()
export class AttemptRecorder {
  private readonly logger = new Logger(AttemptRecorder.name);
  private readonly batcher = new Batcher<Attempt, boolean | Error>({
    run: (attempts) => this.recordAll(attempts),
    mostItems: MOST_A_BATCH,
    mostInFlight: 1,
  });

  constructor(
    private readonly records: AttemptRecords,
    private readonly claims: DeliveryClaims,
  ) {}

  /**
   * @returns false when the attempt came too late and is void
   * @throws Error when it could not be recorded; the delivery will be sent again after a lease
   */
  async record(attempt: Attempt): Promise<boolean> {
    const outcome = await this.batcher.add(attempt);
    if (outcome instanceof Error) throw outcome;
    return outcome;
  }

  private async recordAll(attempts: Attempt[]): Promise<(boolean | Error)[]> {
    const letGo = this.lanesThatEndWith(attempts);
    try {
      return await this.recordTogether(attempts, letGo);
    } catch (error) {
      // One that cannot be written, whatever the reason, must not take the others with it.
      if (attempts.length > 1 && !isConnectionLost(error)) return this.recordSingly(attempts);
      const { held } = this.claims;
      for (const { claim } of attempts) held.abandon(claim, LEASE_SECONDS * 1_000);
      return attempts.map(() => asError(error));
    }
  }

  private async recordTogether(
    attempts: readonly Attempt[],
    letGo: ReadonlySet<string>,
  ): Promise<boolean[]> {
    const { isRecorded, recovered } = await this.whileAway(() =>
      this.records.record(attempts, letGo),
    );
    for (const { claim } of attempts) this.claims.held.end(claim);
    if (recovered.length > 0) await this.drain(recovered);
    return isRecorded;
  }

  private async recordSingly(attempts: readonly Attempt[]): Promise<(boolean | Error)[]> {
    const outcomes: (boolean | Error)[] = [];
    for (const attempt of attempts) outcomes.push(...(await this.recordAll([attempt])));
    return outcomes;
  }

  /** If it fails, what waits for a retry waits for its own time. */
  private async drain(subscriptionIds: readonly string[]): Promise<void> {
    try {
      await this.records.drain(subscriptionIds);
    } catch (error) {
      logFailure(this.logger, error);
    }
  }

  /** None while a claim is under way: it may be giving one of them something new. */
  private lanesThatEndWith(attempts: readonly Attempt[]): Set<string> {
    if (this.claims.isClaiming) return new Set();
    const ending = new Set(attempts.map(({ claim }) => claim.deliveryId));
    const lanes = new Set(attempts.map(({ claim }) => claim.lane.subscriptionId));
    return new Set([...lanes].filter((lane) => this.claims.held.letGoAfter(lane, ending)));
  }

  /** A server that is restarted need not cost the receivers a second delivery. */
  private async whileAway<Result>(work: () => Promise<Result>): Promise<Result> {
    const deadline = performance.now() + TRY_FOR_MS;
    for (;;) {
      try {
        return await work();
      } catch (error) {
        if (!isConnectionLost(error) || performance.now() > deadline) throw error;
        await sleep(TRY_AGAIN_AFTER_MS);
      }
    }
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
