import { Injectable } from '@nestjs/common';
import { makeRetriesDue } from '../retries-due.js';
import type { Attempt } from './attempt.js';
import { batchColumns } from './batch-columns.js';
import { RECORD } from './record-statement.js';
import { SenderDatabase } from './sender-database.js';

/** What came of recording a batch. */
export interface Recorded {
  /** For each attempt, in the batch's order: false when it came too late and is void. */
  readonly isRecorded: boolean[];
  /** The subscriptions whose breaker was open, and on which a probe has succeeded. */
  readonly recovered: string[];
}

/** Writes down what came of attempts: their log, the deliveries' state and the lanes' health. */
@Injectable()
export class AttemptRecords {
  constructor(private readonly database: SenderDatabase) {}

  /**
   * Records many attempts, in the order in which they ended, in one statement: all of it, or nothing.
   * An attempt counts only while its lane has not changed hands since the claim and the delivery is
   * still open.
   *
   * The statement does not wait for the disk. What a crash of the server loses is sent again under
   * the same event id, as after any crash between a receiver's answer and its record.
   * @param letGo the lanes on which nothing else is in flight: their leases end with this
   */
  async record(attempts: readonly Attempt[], letGo: ReadonlySet<string>): Promise<Recorded> {
    const rows = await this.database.prepared<{ place: number }>(
      'webhook-attempts-record',
      RECORD,
      batchColumns(attempts, letGo),
    );
    const isRecorded = attempts.map(() => false);
    const recovered = new Set<string>();
    for (const { place } of rows) {
      const { claim, result } = attempts[place - 1];
      isRecorded[place - 1] = true;
      if (claim.lane.isProbe && result.isSuccess) recovered.add(claim.lane.subscriptionId);
    }
    return { isRecorded, recovered: [...recovered] };
  }

  /**
   * Makes due what waits for a retry on subscriptions that work again, in many short statements: it
   * takes a second for every 100,000, and keeps nobody waiting.
   */
  async drain(subscriptionIds: readonly string[]): Promise<void> {
    for (const id of subscriptionIds) {
      await makeRetriesDue(
        (sql, values) => this.database.prepared('webhook-lanes-drain', sql, values),
        id,
      );
    }
  }
}
