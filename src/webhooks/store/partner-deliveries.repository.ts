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

/** Which deliveries of a subscription; null filters nothing. */
export interface DeliveriesPageQuery {
  readonly status: DeliveryStatus | null;
  readonly before: string | null;
  readonly limit: number;
}

/** An attempt as it stands in the log. */
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
  /** The next page is of what is older than this one; null when there is nothing older. */
  readonly nextBefore: string | null;
}

/**
 * The most rows that are looked at for a page. No index holds a status, since every record of an attempt
 * would then have to move its row (docs/adr/0013), so what is rare is looked for among the rest.
 */
const MAX_LOOKED_AT = 10_000;

/** A partner's deliveries to one of its subscriptions. */
@Injectable()
export class PartnerDeliveriesRepository {
  constructor(private readonly database: Database) {}

  /**
   * A page, the newest first, with their attempts. With a status it may hold fewer than asked for, or
   * none, although older ones are there: no more is looked at for one page.
   */
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
      : this.walk(partnerId, subscriptionId, query);
  }

  /** Every open delivery that is shown so, or null when there are more than are looked at. */
  private async openIds(
    partnerId: string,
    subscriptionId: string,
    status: 'PENDING' | 'PAUSED',
  ): Promise<string[] | null> {
    const rows = await this.database.query<{ id: string }>(OPEN, [
      partnerId,
      subscriptionId,
      MAX_LOOKED_AT + 1,
      status === 'PENDING',
    ]);
    return rows.length > MAX_LOOKED_AT ? null : rows.map(({ id }) => id);
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
    const rows = await this.database.query<DeliveryRow & Record<string, unknown>>(NAMED, values);
    return { rows, nextBefore: older.length > limit ? page[limit - 1] : null };
  }

  private async walk(
    partnerId: string,
    subscriptionId: string,
    { status, before, limit }: DeliveriesPageQuery,
  ): Promise<DeliveryRows> {
    const values = [partnerId, subscriptionId, status, before, limit + 1, MAX_LOOKED_AT];
    const walked = await this.database.query<WalkedRow & Record<string, unknown>>(WALK, values);
    const found = walked.filter((row): row is WalkedRow & FoundRow => row.id !== null);
    const rows = found.slice(0, limit);
    const isCut = found.length > limit;
    return { rows, nextBefore: isCut ? rows[limit - 1].id : walked[0].lookedUntil };
  }
}

type FoundRow = DeliveryRow & Record<string, unknown>;

/** One without an id stands alone: nothing was found. */
interface WalkedRow extends Omit<DeliveryRow, 'id'> {
  readonly id: string | null;
  /** The oldest one that was looked at; null when the page is full, or nothing is older than all. */
  readonly lookedUntil: string | null;
}

const DELIVERY = `
  ${columns.selected('d', ['id', 'eventId', 'createdAt'])}, ${SHOWN_STATUS} AS status`;
const LANE = 'LEFT JOIN webhook_lanes l ON l.subscription_id = d.subscription_id';
const OLDER = `
  d.partner_id = $1 AND d.subscription_id = $2 AND ($4::text IS NULL OR d.id < $4)`;

const ATTEMPT = SHOWN_OF_ATTEMPTS.map(
  (property) => `'${property}', a.${attemptColumns.name(property)}`,
).join(', ');

/** What is shown of the deliveries of `page`, with all its attempts. */
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

// Each half by its own index. Whether it is shown as PENDING or as PAUSED is the same for all of them.
const IS_SHOWN_SO = `
  EXISTS (SELECT FROM webhook_lanes l WHERE l.subscription_id = $2 AND l.is_active = $4)`;
const OPEN = `
  (SELECT delivery_id AS id FROM webhook_queue
    WHERE partner_id = $1 AND subscription_id = $2 AND attempts = 0 AND ${IS_SHOWN_SO} LIMIT $3)
  UNION ALL
  (SELECT delivery_id FROM webhook_queue
    WHERE partner_id = $1 AND subscription_id = $2 AND attempts > 0 AND ${IS_SHOWN_SO} LIMIT $3)`;

// One that was finished since it was found open is left out.
const NAMED = `
  SELECT ${SHOWN} FROM (
    SELECT ${DELIVERY} FROM webhook_deliveries d ${LANE}
    WHERE d.partner_id = $1 AND d.subscription_id = $2 AND d.id = ANY ($4::text[])
      AND ${SHOWN_STATUS} = $3
  ) AS page ${SHOWN_WITH}`;

// Ids rise with time, so they are the order, and the index by subscription holds it: the walk ends as
// soon as the page is full. Only where it is not, the place is looked up at which the walk ended, in
// the same statement, that is among the same rows.
const WALK = `
  WITH page AS MATERIALIZED (
    SELECT looked.* FROM (
      SELECT ${DELIVERY} FROM webhook_deliveries d ${LANE}
      WHERE ${OLDER} ORDER BY d.id DESC LIMIT $6
    ) AS looked
    WHERE $3::text IS NULL OR looked.status = $3
    ORDER BY looked.id DESC LIMIT $5
  )
  SELECT ended."lookedUntil", ${SHOWN}
  FROM (
    SELECT CASE WHEN (SELECT count(*) FROM page) < $5 THEN (
      SELECT d.id FROM webhook_deliveries d WHERE ${OLDER} ORDER BY d.id DESC OFFSET $6 - 1 LIMIT 1
    ) END AS "lookedUntil"
  ) AS ended
  LEFT JOIN page ON true ${SHOWN_WITH}`;
