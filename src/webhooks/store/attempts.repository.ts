import { Injectable } from '@nestjs/common';
import { makeRetriesDue } from './make-retries-due.js';
import type { Attempt } from '../sender/attempt-result.js';
import { batchColumns, RECORD } from './record-batch.js';
import { SenderDatabase } from './sender-database.js';

/** What came of the record of a batch. */
export interface BatchRecord {
  /** For each attempt, in the batch's order: false when it came too late and is void. */
  readonly isRecorded: boolean[];
  /** The subscriptions that work again: what waits for a retry on them is to be made due. */
  readonly toDrain: readonly string[];
}

/** Writes down what came of attempts: their log, the deliveries' state and the lanes' health. */
@Injectable()
export class AttemptsRepository {
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
  async record(attempts: readonly Attempt[], letGo: ReadonlySet<string>): Promise<BatchRecord> {
    const [row] = await this.database.prepared<{ ordinals: string | null; toDrain: string | null }>(
      'webhook-attempts-record',
      RECORD,
      batchColumns(attempts, letGo),
    );
    return {
      isRecorded: marked(attempts, row?.ordinals?.split(' ').map(Number) ?? []),
      toDrain: row?.toDrain?.split(' ') ?? [],
    };
  }

  /** Of each attempt whether it is on record. */
  async whichAreRecorded(attempts: readonly Attempt[]): Promise<boolean[]> {
    const rows = await this.database.prepared<{ ordinal: number }>(
      'webhook-attempts-recorded',
      RECORDED,
      [attempts.map(({ claim }) => claim.deliveryId), attempts.map(({ claim }) => claim.attempt)],
    );
    return marked(
      attempts,
      rows.map(({ ordinal }) => ordinal),
    );
  }

  /**
   * Makes due what waits for a retry on subscriptions that work again, in many short statements: it
   * takes a few seconds for every 100,000, and keeps hardly anybody waiting.
   */
  async drain(subscriptionIds: readonly string[]): Promise<void> {
    const run = this.database.prepared.bind(this.database);
    for (const id of subscriptionIds) await makeRetriesDue(run, id);
  }
}

/** @param ordinals from 1 */
function marked(attempts: readonly Attempt[], ordinals: readonly number[]): boolean[] {
  const isIn = attempts.map(() => false);
  for (const ordinal of ordinals) isIn[ordinal - 1] = true;
  return isIn;
}

/** Which attempts of a batch are on record. */
export const RECORDED = `
  SELECT given.ordinal::int
  FROM unnest($1::text[], $2::int[]) WITH ORDINALITY AS given (delivery_id, attempt, ordinal)
  CROSS JOIN LATERAL (
    SELECT FROM webhook_attempts
    WHERE delivery_id = given.delivery_id AND attempt = given.attempt OFFSET 0
  ) AS a
`;
