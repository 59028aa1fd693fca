import { Injectable } from '@nestjs/common';
import { Database, type Tx } from '../platform/index.js';
import type { AttemptResult } from './attempt-result.js';
import type { DeliveryToSend } from './delivery-claims.repository.js';
import type { DeliveryStatus } from './webhook-delivery.entity.js';

/** Both must be true before a failing subscription goes inactive. */
const FAILURES_BEFORE_INACTIVE = 20;
const DAYS_BEFORE_INACTIVE = 3;

interface Attempt {
  readonly delivery: DeliveryToSend;
  readonly startedAt: Date;
  readonly result: AttemptResult;
  /** The wait before the next attempt; null when there is none. */
  readonly retryDelayMs: number | null;
}

interface Standing {
  isActive: boolean;
  /** Whether one more failure is one too many. */
  isAtItsEnd: boolean;
}

/** Writes down what came of an attempt: the attempt, its delivery and the subscription's health. */
@Injectable()
export class AttemptRecords {
  constructor(private readonly database: Database) {}

  /**
   * All in one transaction, and only while the claim is still the delivery's latest and nobody has
   * cancelled it. Whoever touches a subscription together with its deliveries locks the subscription
   * first, so no two of them wait for each other.
   * @returns false when the result came too late and is void
   */
  async record(attempt: Attempt): Promise<boolean> {
    return this.database.transaction(async (tx) => {
      const { subscriptionId } = attempt.delivery;
      const standing = await this.lockSubscription(tx, subscriptionId);
      const { isSuccess, isGone } = attempt.result;
      const staysActive = standing.isActive && (isSuccess || !(isGone || standing.isAtItsEnd));
      const isRecorded = await this.write(tx, attempt, staysActive);
      if (isRecorded && standing.isActive && !staysActive) await this.pause(tx, subscriptionId);
      return isRecorded;
    });
  }

  private async lockSubscription(tx: Tx, id: string): Promise<Standing> {
    const [standing] = await tx.query<Standing>(LOCK_SUBSCRIPTION, [
      id,
      FAILURES_BEFORE_INACTIVE,
      DAYS_BEFORE_INACTIVE,
    ]);
    if (!standing) throw new Error(`the subscription ${id} of a delivery is not there`);
    return standing;
  }

  private async write(tx: Tx, attempt: Attempt, staysActive: boolean): Promise<boolean> {
    const { delivery, result, startedAt, retryDelayMs } = attempt;
    const written = await tx.execute(WRITE, [
      delivery.deliveryId,
      delivery.leaseToken,
      statusAfter(attempt, staysActive),
      retryDelayMs ?? 0,
      startedAt,
      result.durationMs,
      result.responseStatus,
      result.responseExcerpt,
      result.failure,
      delivery.subscriptionId,
      result.isSuccess,
      staysActive,
    ]);
    return written === 1;
  }

  /** Those in flight are paused, too: they go on, and a success still counts. */
  private async pause(tx: Tx, subscriptionId: string): Promise<void> {
    await tx.execute(
      `UPDATE webhook_deliveries SET status = 'PAUSED'
       WHERE subscription_id = $1 AND status = 'PENDING'`,
      [subscriptionId],
    );
  }
}

function statusAfter({ result, retryDelayMs }: Attempt, isActive: boolean): DeliveryStatus {
  if (result.isSuccess) return 'SUCCEEDED';
  if (retryDelayMs === null) return 'EXHAUSTED';
  return isActive ? 'PENDING' : 'PAUSED';
}

const LOCK_SUBSCRIPTION = `
  SELECT is_active AS "isActive",
    coalesce(failure_count + 1 >= $2 AND failing_since <= app_now() - $3 * interval '1 day', false)
      AS "isAtItsEnd"
  FROM webhook_subscriptions WHERE id = $1
  FOR NO KEY UPDATE
`;

const WRITE = `
  WITH delivery AS (
    UPDATE webhook_deliveries
    SET status = $3, attempts = attempts + 1, lease_until = NULL,
      next_attempt_at = app_now() + $4 * interval '1 millisecond',
      finished_at = CASE WHEN $3 IN ('SUCCEEDED', 'EXHAUSTED') THEN app_now() END
    WHERE id = $1 AND lease_token = $2 AND status IN ('PENDING', 'PAUSED')
    RETURNING id, attempts, partner_id
  ),
  attempt AS (
    INSERT INTO webhook_attempts (delivery_id, attempt, partner_id, started_at, duration_ms,
      response_status, response_excerpt, failure)
    SELECT id, attempts, partner_id, $5, $6, $7, $8, $9 FROM delivery
  )
  UPDATE webhook_subscriptions
  SET failure_count = CASE WHEN $11 THEN 0 ELSE failure_count + 1 END,
    failing_since = CASE WHEN $11 THEN NULL ELSE coalesce(failing_since, app_now()) END,
    last_delivery_at = CASE WHEN $11 THEN app_now() ELSE last_delivery_at END,
    is_active = $12
  WHERE id = $10 AND EXISTS (SELECT FROM delivery)
`;
