import { Injectable } from '@nestjs/common';
import { Columns, Database } from '../../platform/index.js';
import type { DeliveryStatus } from '../domain/webhook-events.js';
import { SHOWN_STATUS } from './deliveries.repository.js';
import { WebhookAttempt, WebhookDelivery } from './webhook-delivery.entity.js';
import type { WebhookEvent } from './webhook-event.entity.js';

const columns = new Columns(WebhookDelivery);
const attemptColumns = new Columns(WebhookAttempt);
const SHOWN_OF_ATTEMPTS = [
  'attempt',
  'startedAt',
  'durationMs',
  'responseStatus',
  'responseExcerpt',
  'failure',
] as const;

/** Null means no filter. */
export interface DeliveriesPageQuery {
  readonly status: DeliveryStatus | null;
  readonly before: string | null;
  readonly limit: number;
}

interface AttemptRow extends Pick<
  WebhookAttempt,
  Exclude<(typeof SHOWN_OF_ATTEMPTS)[number], 'startedAt'>
> {
  /** ISO 8601. */
  readonly startedAt: string;
}

export interface DeliveryRow extends Pick<WebhookDelivery, 'id' | 'eventId' | 'createdAt'> {
  readonly event: WebhookEvent['name'];
  readonly journeyId: WebhookEvent['journeyId'];
  readonly status: DeliveryStatus;
  readonly nextAttemptAt: Date | null;
  readonly attempts: readonly AttemptRow[];
}

interface DeliveryRows {
  readonly rows: readonly DeliveryRow[];
  /** Cursor of the next page; null if nothing older exists. */
  readonly nextBefore: string | null;
}

/**
 * Rows scanned per page. No index has the status, since then each recorded attempt would move its
 * row (docs/adr/0013).
 */
const MAX_SCANNED = 10_000;

@Injectable()
export class PartnerDeliveriesRepository {
  constructor(private readonly database: Database) {}

  /** A filter by status may return a short or empty page although older matches exist. */
  async list(
    partnerId: string,
    subscriptionId: string,
    query: DeliveriesPageQuery,
  ): Promise<DeliveryRows> {
    const { status } = query;
    const isOpen = status === 'PENDING' || status === 'PAUSED';
    const open = isOpen ? await this.openIds(partnerId, subscriptionId, status) : null;
    return open
      ? this.listOpen(partnerId, subscriptionId, query, open)
      : this.scan(partnerId, subscriptionId, query);
  }

  /** Open deliveries with this status; null above the scan limit. */
  private async openIds(
    partnerId: string,
    subscriptionId: string,
    status: 'PENDING' | 'PAUSED',
  ): Promise<string[] | null> {
    const rows = await this.database.query<{ id: string }>(OPEN, [
      partnerId,
      subscriptionId,
      MAX_SCANNED + 1,
      status === 'PENDING',
    ]);
    return rows.length > MAX_SCANNED ? null : rows.map(({ id }) => id);
  }

  private async listOpen(
    partnerId: string,
    subscriptionId: string,
    { status, before, limit }: DeliveriesPageQuery,
    open: readonly string[],
  ): Promise<DeliveryRows> {
    const older = open
      .filter((id) => before === null || id < before)
      .toSorted()
      .toReversed();
    const page = older.slice(0, limit);
    const values = [partnerId, subscriptionId, status, page];
    const rows = await this.database.query<DeliveryRow>(BY_IDS, values);
    return { rows, nextBefore: older.length > limit ? page[limit - 1] : null };
  }

  private async scan(
    partnerId: string,
    subscriptionId: string,
    { status, before, limit }: DeliveriesPageQuery,
  ): Promise<DeliveryRows> {
    const values = [partnerId, subscriptionId, status, before, limit + 1, MAX_SCANNED];
    const scanned = await this.database.query<ScannedRow>(SCAN, values);
    const found = scanned.filter((row): row is ScannedRow & DeliveryRow => row.id !== null);
    const rows = found.slice(0, limit);
    const isCut = found.length > limit;
    return { rows, nextBefore: isCut ? rows[limit - 1].id : scanned[0].scannedUntil };
  }
}

/** A row with a null id means that nothing was found. */
interface ScannedRow extends Omit<DeliveryRow, 'id'> {
  readonly id: string | null;
  /** The oldest scanned delivery; null if the page is full or nothing is older. */
  readonly scannedUntil: string | null;
}

const DELIVERY = `
  ${columns.selected(['id', 'eventId', 'createdAt'], 'd')}, ${SHOWN_STATUS} AS status`;
const LANE = 'LEFT JOIN webhook_lanes l ON l.subscription_id = d.subscription_id';
const OLDER = `
  d.partner_id = $1 AND d.subscription_id = $2 AND ($4::text IS NULL OR d.id < $4)`;

const ATTEMPT = SHOWN_OF_ATTEMPTS.map(
  (property) => `'${property}', a.${attemptColumns.name(property)}`,
).join(', ');

const SHOWN = `
  page.*, e.name AS event, e.journey_id AS "journeyId", q.next_attempt_at AS "nextAttemptAt",
    coalesce((
      SELECT json_agg(json_build_object(${ATTEMPT}) ORDER BY a.attempt)
      FROM webhook_attempts a WHERE a.delivery_id = page.id
    ), '[]') AS attempts`;
const SHOWN_WITH = `
  LEFT JOIN webhook_events e ON e.id = page."eventId"
  LEFT JOIN webhook_queue q ON q.delivery_id = page.id
  ORDER BY page.id DESC`;

// Each half by its own index. A lane's open deliveries have one displayed status.
const IS_LANE_IN_STATE = `
  EXISTS (SELECT FROM webhook_lanes l WHERE l.subscription_id = $2 AND l.is_active = $4)`;
const OPEN = `
  (SELECT delivery_id AS id FROM webhook_queue
    WHERE partner_id = $1 AND subscription_id = $2 AND attempts = 0 AND ${IS_LANE_IN_STATE} LIMIT $3)
  UNION ALL
  (SELECT delivery_id FROM webhook_queue
    WHERE partner_id = $1 AND subscription_id = $2 AND attempts > 0 AND ${IS_LANE_IN_STATE} LIMIT $3)`;

// Leaves out deliveries finished since they were found open.
const BY_IDS = `
  SELECT ${SHOWN} FROM (
    SELECT ${DELIVERY} FROM webhook_deliveries d ${LANE}
    WHERE d.partner_id = $1 AND d.subscription_id = $2 AND d.id = ANY ($4::text[])
      AND ${SHOWN_STATUS} = $3
  ) AS page ${SHOWN_WITH}`;

// Ids rise with time, so the index by subscription gives the order. For a short page, the same
// snapshot tells where the scan ended.
const SCAN = `
  WITH page AS MATERIALIZED (
    SELECT scanned.* FROM (
      SELECT ${DELIVERY} FROM webhook_deliveries d ${LANE}
      WHERE ${OLDER} ORDER BY d.id DESC LIMIT $6
    ) AS scanned
    WHERE $3::text IS NULL OR scanned.status = $3
    ORDER BY scanned.id DESC LIMIT $5
  )
  SELECT ended."scannedUntil", ${SHOWN}
  FROM (
    SELECT CASE WHEN (SELECT count(*) FROM page) < $5 THEN (
      SELECT d.id FROM webhook_deliveries d WHERE ${OLDER} ORDER BY d.id DESC OFFSET $6 - 1 LIMIT 1
    ) END AS "scannedUntil"
  ) AS ended
  LEFT JOIN page ON true ${SHOWN_WITH}`;
