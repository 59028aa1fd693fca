import { Injectable } from '@nestjs/common';
import { In, IsNull, Not } from 'typeorm';
import { appNow, Columns, Database, dueRows, Keyring, Signal, Tx } from '../../platform/index.js';
import type { GatewayKind } from '../payment-gateway.js';
import type {
  FailureStreak,
  LeasedOrder,
  NewPaymentOrder,
  OrderDetails,
} from '../payment-order.js';
import type { Closing, PaymentStatus } from '../payment-status.js';
import { PaymentOrder } from './payment-order.entity.js';

const columns = new Columns(PaymentOrder);

/** The page may still take a payment. */
const UNENDED = In<PaymentStatus>(['NEW', 'OPEN', 'FAILED']);
const DETAILS_PURPOSE = 'payment_orders.details';
// Longer than all calls of one check.
const LEASE_SECONDS = 45;
const LONG_FAILURE_HOURS = 24;
/**
 * Between checks by visits: five seconds for a minute, then growing to a minute; hourly after long silence. So a page
 * that reloads costs little.
 */
const NUDGE_WAIT = `CASE WHEN silent_at IS NOT NULL THEN interval '1 hour'
  ELSE greatest(5, least(60, asks + failures - 7)) * interval '1 second' END`;

@Injectable()
export class PaymentOrdersRepository {
  static readonly PERSONAL_COLUMNS = columns.qualified(['detailsSealed']);

  static readonly DUE = dueRows({ table: 'payment_orders', at: 'next_attempt_at', isLeased: true });

  readonly arrivals = new Signal();

  constructor(
    private readonly database: Database,
    private readonly keyring: Keyring,
  ) {}

  async insert(
    tx: Tx,
    id: string,
    order: Omit<NewPaymentOrder, 'payee'>,
    account: string | null,
  ): Promise<void> {
    const { description, payeeName, applicant, returnUrl } = order;
    const details: OrderDetails = { description, payeeName, applicant, returnUrl };
    await tx.repository(PaymentOrder).insert({
      id,
      partnerId: order.partnerId,
      subjectId: order.subjectId,
      amount: order.amount,
      account,
      detailsSealed: this.seal(details),
      expiresAt: order.expiresAt,
    });
    tx.afterCommit(() => this.arrivals.raise());
  }

  async find(tx: Tx, id: string): Promise<PaymentOrder | null> {
    return tx.repository(PaymentOrder).findOneBy({ id });
  }

  async lock(tx: Tx, id: string): Promise<PaymentOrder | null> {
    return tx
      .repository(PaymentOrder)
      .findOne({ where: { id }, lock: { mode: 'pessimistic_write' } });
  }

  async lockByGatewayId(
    tx: Tx,
    gateway: GatewayKind,
    gatewayOrderId: string,
  ): Promise<PaymentOrder | null> {
    return tx
      .repository(PaymentOrder)
      .findOne({ where: { gateway, gatewayOrderId }, lock: { mode: 'pessimistic_write' } });
  }

  async hasGatewayId(tx: Tx, gateway: GatewayKind, gatewayOrderId: string): Promise<boolean> {
    return tx.repository(PaymentOrder).existsBy({ gateway, gatewayOrderId });
  }

  async unendedOf(tx: Tx, partnerId: string, subjectId: string): Promise<string[]> {
    const orders = await tx.repository(PaymentOrder).find({
      select: { id: true },
      where: { partnerId, subjectId, status: UNENDED },
      order: { id: 'ASC' },
    });
    return orders.map(({ id }) => id);
  }

  async learn(
    tx: Tx,
    id: string,
    { gatewayOrderId, url }: Pick<PaymentOrder, 'gatewayOrderId' | 'url'>,
  ): Promise<PaymentOrder> {
    const [learned] = await tx.query<PaymentOrder>(
      `UPDATE payment_orders SET gateway_order_id = $2, url = $3 WHERE id = $1
       RETURNING ${columns.selected()}`,
      [id, gatewayOrderId, url],
    );
    return learned;
  }

  /** @returns null when the status has changed */
  move(tx: Tx, { id, status }: PaymentOrder, to: PaymentStatus): Promise<PaymentOrder | null> {
    return tx.first(
      `UPDATE payment_orders SET status = $3, status_at = app_now(), asks = 0
       WHERE id = $1 AND status = $2 RETURNING ${columns.selected()}`,
      [id, status, to],
    );
  }

  async markRetried(tx: Tx, id: string, retriedAs: string): Promise<void> {
    await tx.update(PaymentOrder, { id }, { retriedAs });
  }

  claimDue(most: number): Promise<LeasedOrder[]> {
    return this.claim(
      `id IN (
         SELECT id FROM payment_orders
         WHERE next_attempt_at <= app_now() AND ${IS_FREE}
         ORDER BY next_attempt_at LIMIT $2 FOR UPDATE SKIP LOCKED)`,
      most,
    );
  }

  /** @returns null when another holder has the lease */
  async claimOne(id: string): Promise<LeasedOrder | null> {
    const [order] = await this.claim(`id = $2 AND ${IS_FREE}`, id);
    return order ?? null;
  }

  /**
   * Keeps an earlier nudge.
   * @param waitMs null: nothing left to do
   */
  async release(tx: Tx, order: LeasedOrder, waitMs: number | null): Promise<void> {
    await tx.execute(RELEASE, [order.id, order.leaseToken, waitMs]);
  }

  /** @returns false when another holder has the lease */
  async bind(order: LeasedOrder, kind: GatewayKind): Promise<boolean> {
    const { affected } = await this.database.with(PaymentOrder, (orders) =>
      orders.update(
        { id: order.id, leaseToken: order.leaseToken, gateway: IsNull() },
        { gateway: kind },
      ),
    );
    return affected === 1;
  }

  /** @returns false when it takes no more payments */
  async callOff(tx: Tx, id: string): Promise<boolean> {
    const isCalledOff = await this.markClosing(tx, id, 'CANCELLED');
    if (isCalledOff) {
      await tx.update(PaymentOrder, { id }, { nextAttemptAt: appNow });
      tx.afterCommit(() => this.arrivals.raise());
    }
    return isCalledOff;
  }

  /** @returns false when it is closed or closing */
  async markClosing(tx: Tx, id: string, closing: Closing): Promise<boolean> {
    return (
      (await tx.update(PaymentOrder, { id, closing: IsNull(), status: UNENDED }, { closing })) === 1
    );
  }

  async nudge(tx: Tx, id: string): Promise<void> {
    await tx.execute(
      `UPDATE payment_orders
       SET next_attempt_at = least(next_attempt_at, greatest(app_now(), asked_at + ${NUDGE_WAIT}))
       WHERE id = $1 AND status <> 'PAID'`,
      [id],
    );
    tx.afterCommit(() => this.arrivals.raise());
  }

  async noteAnswer(tx: Tx, order: LeasedOrder): Promise<void> {
    await tx.update(
      PaymentOrder,
      { id: order.id, leaseToken: order.leaseToken },
      {
        asks: () => 'asks + 1',
        failures: 0,
        lastFailure: null,
        failingSince: null,
        silentAt: null,
      },
    );
  }

  /** @returns null when another holder has the lease */
  noteFailure(tx: Tx, order: LeasedOrder, reason: string): Promise<FailureStreak | null> {
    return tx.first(
      `UPDATE payment_orders SET failures = failures + 1, last_failure = $3,
         failing_since = coalesce(failing_since, app_now())
       WHERE id = $1 AND lease_token = $2
       RETURNING failures, failing_since AS since,
         failing_since <= app_now() - $4 * interval '1 hour' AS "isLong"`,
      [order.id, order.leaseToken, reason, LONG_FAILURE_HOURS],
    );
  }

  /** @returns false when it was already marked */
  async markSilent(tx: Tx, id: string): Promise<boolean> {
    return (await tx.update(PaymentOrder, { id, silentAt: IsNull() }, { silentAt: appNow })) === 1;
  }

  /** @returns false when it was already marked */
  async markRefused(tx: Tx, id: string): Promise<boolean> {
    return (
      (await tx.update(PaymentOrder, { id, refusedAt: IsNull() }, { refusedAt: appNow })) === 1
    );
  }

  /** @returns how many orders still had details */
  eraseDetails(tx: Tx, partnerId: string, subjectId: string): Promise<number> {
    return tx.update(
      PaymentOrder,
      { partnerId, subjectId, detailsSealed: Not(IsNull()) },
      { detailsSealed: null, url: null },
    );
  }

  /** @throws Error when the details are erased */
  detailsOf(order: PaymentOrder): OrderDetails {
    if (order.detailsSealed === null) throw new Error('the order’s details are erased');
    return JSON.parse(this.keyring.open(order.detailsSealed, DETAILS_PURPOSE)) as OrderDetails;
  }

  private seal(details: OrderDetails): string {
    return this.keyring.seal(JSON.stringify(details), DETAILS_PURPOSE);
  }

  private claim(where: string, value: unknown): Promise<LeasedOrder[]> {
    return this.database.query(
      // Materialised: one reading of the clock for both columns.
      `WITH lease AS MATERIALIZED (SELECT app_now() + $1 * interval '1 second' AS until)
       UPDATE payment_orders
       SET lease_token = lease_token + 1, lease_until = lease.until, next_attempt_at = lease.until,
         asked_at = app_now()
       FROM lease WHERE ${where} RETURNING ${columns.selected()}`,
      [LEASE_SECONDS, value],
    );
  }
}

const IS_FREE = '(lease_until IS NULL OR lease_until < app_now())';

// A claim sets the next attempt to the lease's end; an earlier one is a nudge.
const RELEASE = `
  UPDATE payment_orders SET lease_until = NULL,
    next_attempt_at = CASE
      WHEN $3::bigint IS NULL THEN NULL
      WHEN next_attempt_at < lease_until
        THEN least(next_attempt_at, app_now() + $3 * interval '1 millisecond')
      ELSE app_now() + $3 * interval '1 millisecond' END
  WHERE id = $1 AND lease_token = $2
`;
