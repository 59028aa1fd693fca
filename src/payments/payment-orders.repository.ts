import { Injectable } from '@nestjs/common';
import { Database, Keyring, Signal, Tx } from '../platform/index.js';
import type { GatewayKind } from './payment-gateway.js';
import type {
  FailureStreak,
  LeasedOrder,
  NewPaymentOrder,
  OrderDetails,
  OrderOfSubject,
  PaymentOrder,
} from './payment-order.js';
import type { Closing } from './payment-status.js';

const DETAILS_PURPOSE = 'payment_orders.details';
// Longer than every call that one look at an order makes, so that it only runs out on a holder that
// is gone.
const LEASE_SECONDS = 45;
/** From then on a row of failures is no passing outage. */
const LONG_FAILURE_HOURS = 24;
/**
 * How long after its last look somebody may have an order asked about by coming back: at first every
 * five seconds, for about a minute, then a second later each time, up to a minute; hourly where the
 * gateway has been silent for long. So a page that is forgotten, which comes back by itself, costs
 * little, and whoever really comes back is waited for a minute at most.
 */
const NUDGE_WAIT = `CASE WHEN silent_at IS NOT NULL THEN interval '1 hour'
  ELSE greatest(5, least(60, asks + failures - 7)) * interval '1 second' END`;

/** The orders' rows. An order's id is given to its owner alone, and is what names it to the gateway. */
@Injectable()
export class PaymentOrders {
  /** Raised after there is something to do at once. */
  readonly arrivals = new Signal();

  constructor(
    private readonly database: Database,
    private readonly keyring: Keyring,
  ) {}

  async insert(tx: Tx, id: string, order: NewPaymentOrder): Promise<void> {
    const { description, applicant, returnUrl } = order;
    const details: OrderDetails = { description, applicant, returnUrl };
    await tx.execute(
      `INSERT INTO payment_orders (id, partner_id, subject_id, amount, details_sealed, expires_at,
         status_at, next_attempt_at, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, app_now(), app_now(), app_now())`,
      [id, order.partnerId, order.subjectId, order.amount, this.seal(details), order.expiresAt],
    );
    tx.afterCommit(() => this.arrivals.raise());
  }

  async find(id: string): Promise<PaymentOrder | null> {
    const [row] = await this.database.query<PaymentOrder & Record<string, unknown>>(
      `SELECT ${COLUMNS} FROM payment_orders WHERE id = $1`,
      [id],
    );
    return row ?? null;
  }

  async lock(tx: Tx, id: string): Promise<PaymentOrder | null> {
    return this.lockBy(tx, 'id = $1', [id]);
  }

  async lockByGatewayId(tx: Tx, kind: GatewayKind, id: string): Promise<PaymentOrder | null> {
    return this.lockBy(tx, 'gateway = $1 AND gateway_order_id = $2', [kind, id]);
  }

  /** Whether an order has this name of the gateway's. */
  async hasGatewayId(tx: Tx, kind: GatewayKind, id: string): Promise<boolean> {
    const found = await tx.query(
      'SELECT FROM payment_orders WHERE gateway = $1 AND gateway_order_id = $2',
      [kind, id],
    );
    return found.length > 0;
  }

  /** Takes the lease of so many orders that are due. */
  claimDue(most: number): Promise<LeasedOrder[]> {
    return this.claim(
      `id IN (
         SELECT id FROM payment_orders
         WHERE next_attempt_at <= app_now() AND ${IS_FREE}
         ORDER BY next_attempt_at LIMIT $2 FOR UPDATE SKIP LOCKED)`,
      most,
    );
  }

  /** Takes the lease of one order, due or not; null when somebody else has it. */
  async claimOne(id: string): Promise<LeasedOrder | null> {
    const [order] = await this.claim(`id = $2 AND ${IS_FREE}`, id);
    return order ?? null;
  }

  /** Gives a lease back; `waitMs` null: nothing is left to do. A nudge that came meanwhile is kept. */
  async release(tx: Tx, order: LeasedOrder, waitMs: number | null): Promise<void> {
    await tx.execute(RELEASE, [order.id, order.leaseToken, waitMs]);
  }

  /** Records, under its lease, with which gateway an order is from now on. */
  async bind(order: LeasedOrder, kind: GatewayKind): Promise<void> {
    await this.database.query(
      'UPDATE payment_orders SET gateway = $3 WHERE id = $1 AND lease_token = $2 AND gateway IS NULL',
      [order.id, order.leaseToken, kind],
    );
  }

  /** Has an order closed for good; false when it takes no payment any more. */
  async callOff(tx: Tx, id: string): Promise<boolean> {
    const isCalledOff = await this.markClosing(tx, id, 'CANCELLED');
    if (isCalledOff) {
      await tx.execute('UPDATE payment_orders SET next_attempt_at = app_now() WHERE id = $1', [id]);
      tx.afterCommit(() => this.arrivals.raise());
    }
    return isCalledOff;
  }

  /** Records why an order is being closed; false when it is closed, or is being closed already. */
  async markClosing(tx: Tx, id: string, closing: Closing): Promise<boolean> {
    const marked = await tx.execute(
      `UPDATE payment_orders SET closing = $2
       WHERE id = $1 AND closing IS NULL AND status IN ('NEW', 'OPEN', 'FAILED')`,
      [id, closing],
    );
    return marked > 0;
  }

  /** Has an order asked about soon: at once, unless it was not long ago (`NUDGE_WAIT`). */
  async nudge(tx: Tx, id: string): Promise<void> {
    await tx.execute(
      `UPDATE payment_orders
       SET next_attempt_at = least(next_attempt_at, greatest(app_now(), asked_at + ${NUDGE_WAIT}))
       WHERE id = $1 AND status <> 'PAID'`,
      [id],
    );
    tx.afterCommit(() => this.arrivals.raise());
  }

  /** Records that the lease's holder has heard how the order stands. */
  async noteAnswer(tx: Tx, order: LeasedOrder): Promise<void> {
    await tx.execute(
      `UPDATE payment_orders SET asks = asks + 1, failures = 0, last_failure = NULL,
         failing_since = NULL, silent_at = NULL
       WHERE id = $1 AND lease_token = $2`,
      [order.id, order.leaseToken],
    );
  }

  /**
   * Records that the lease's holder has heard nothing usable.
   * @returns null when the lease is another's by now
   */
  async noteFailure(tx: Tx, order: LeasedOrder, reason: string): Promise<FailureStreak | null> {
    const [streak] = await tx.query<FailureStreak & Record<string, unknown>>(
      `UPDATE payment_orders SET failures = failures + 1, last_failure = $3,
         failing_since = coalesce(failing_since, app_now())
       WHERE id = $1 AND lease_token = $2
       RETURNING failures, failing_since AS since,
         failing_since <= app_now() - $4 * interval '1 hour' AS "isLong"`,
      [order.id, order.leaseToken, reason, LONG_FAILURE_HOURS],
    );
    return streak ?? null;
  }

  /** Marks an order whose gateway is silent; whether it was not marked yet. */
  async markSilent(tx: Tx, id: string): Promise<boolean> {
    const marked = await tx.execute(
      'UPDATE payment_orders SET silent_at = app_now() WHERE id = $1 AND silent_at IS NULL',
      [id],
    );
    return marked > 0;
  }

  /** Marks an order whose gateway turned a call down; whether it was the first time. */
  async markRefused(tx: Tx, id: string): Promise<boolean> {
    const marked = await tx.execute(
      'UPDATE payment_orders SET refused_at = app_now() WHERE id = $1 AND refused_at IS NULL',
      [id],
    );
    return marked > 0;
  }

  /** Whether a subject has another order that may still be paid, or whose page is not closed yet. */
  async hasOtherOpen(tx: Tx, { partnerId, subjectId, orderId }: OrderOfSubject): Promise<boolean> {
    const open = await tx.query(
      `SELECT 1 FROM payment_orders WHERE partner_id = $1 AND subject_id = $2 AND id <> $3
         AND status IN ('NEW', 'OPEN', 'FAILED') LIMIT 1`,
      [partnerId, subjectId, orderId],
    );
    return open.length > 0;
  }

  /** @throws Error when the details are erased */
  detailsOf(order: PaymentOrder): OrderDetails {
    if (order.detailsSealed === null) throw new Error('the order’s details are erased');
    return JSON.parse(this.keyring.open(order.detailsSealed, DETAILS_PURPOSE)) as OrderDetails;
  }

  private seal(details: OrderDetails): string {
    return this.keyring.seal(JSON.stringify(details), DETAILS_PURPOSE);
  }

  private async lockBy(tx: Tx, where: string, values: unknown[]): Promise<PaymentOrder | null> {
    const [row] = await tx.query<PaymentOrder>(
      `SELECT ${COLUMNS} FROM payment_orders WHERE ${where} FOR UPDATE`,
      values,
    );
    return row ?? null;
  }

  private claim(where: string, value: unknown): Promise<LeasedOrder[]> {
    return this.database.query<LeasedOrder & Record<string, unknown>>(
      // Materialised, so that the lease's end and the next attempt are the same moment, not two
      // readings of the clock.
      `WITH lease AS MATERIALIZED (SELECT app_now() + $1 * interval '1 second' AS until)
       UPDATE payment_orders
       SET lease_token = lease_token + 1, lease_until = lease.until, next_attempt_at = lease.until,
         asked_at = app_now()
       FROM lease WHERE ${where} RETURNING ${COLUMNS}, lease_token AS "leaseToken"`,
      [LEASE_SECONDS, value],
    );
  }
}

const IS_FREE = '(lease_until IS NULL OR lease_until < app_now())';

const COLUMNS = `id, partner_id AS "partnerId", subject_id AS "subjectId", amount,
  expires_at AS "expiresAt", status, status_at AS "statusAt", gateway,
  gateway_order_id AS "gatewayOrderId", url, closing, retried_as AS "retriedAs",
  details_sealed AS "detailsSealed", asks, failures, refused_at IS NOT NULL AS "isRefused"`;

// A claim puts the next attempt at the end of the lease: whoever has the order asked about sooner
// meanwhile puts it before that, and this keeps to it.
const RELEASE = `
  UPDATE payment_orders SET lease_until = NULL,
    next_attempt_at = CASE
      WHEN $3::bigint IS NULL THEN NULL
      WHEN next_attempt_at < lease_until
        THEN least(next_attempt_at, app_now() + $3 * interval '1 millisecond')
      ELSE app_now() + $3 * interval '1 millisecond' END
  WHERE id = $1 AND lease_token = $2
`;
