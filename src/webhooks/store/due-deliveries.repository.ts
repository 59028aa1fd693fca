import { Injectable } from '@nestjs/common';
import {
  type ClaimedDelivery,
  LANE_START,
  type LaneCursor,
  type LaneLease,
  type LaneSecrets,
  type QueueKey,
} from '../sender/claimed-delivery.js';
import type { LaneFind } from '../sender/held-lanes.js';
import { previousSecretsColumn } from './previous-secrets.js';
import { SenderDatabase } from './sender-database.js';

/** What is wanted of one of our lanes. */
export interface LaneRoom {
  readonly lane: LaneLease;
  /** Where to go on; null for everything that is due, but what is in flight already. */
  readonly cursor: LaneCursor | null;
  readonly inFlight: readonly string[];
  /** How many first attempts, and how many retries. */
  readonly most: number;
}

interface Row extends LaneSecrets, Record<string, unknown> {
  readonly ordinal: number;
  readonly deliveryId: string;
  readonly attempt: number;
  readonly eventId: string;
  readonly eventName: ClaimedDelivery['eventName'];
  readonly body: string;
  readonly dueAt: number;
  readonly now: number;
}

/** Reads what is due on lanes that this process holds. */
@Injectable()
export class DueDeliveriesRepository {
  constructor(private readonly database: SenderDatabase) {}

  /**
   * On each lane what has been due for longest, first attempts and retries in turns, or in one order
   * where there is one at a time. Nothing of a
   * lane that has changed hands, or is not to be sent on any more.
   */
  async find(rooms: readonly LaneRoom[]): Promise<LaneFind[]> {
    const readAt = performance.now();
    const cursors = rooms.map(({ cursor }) => cursor ?? LANE_START);
    const rows = await this.database.prepared<Row>('webhook-deliveries-due', FIND, [
      rooms.map(({ lane }) => lane.subscriptionId),
      rooms.map(({ lane }) => lane.leaseToken),
      rooms.map(({ cursor, inFlight }) => (cursor ? '' : inFlight.join(' '))),
      rooms.map(({ most }) => most),
      cursors.map(({ first }) => first.dueAt),
      cursors.map(({ first }) => first.deliveryId),
      cursors.map(({ again }) => again.dueAt),
      cursors.map(({ again }) => again.deliveryId),
    ]);
    const found = rooms.map((): Row[] => []);
    for (const row of rows) found[row.ordinal - 1].push(row);
    return rooms.map((room, index) => laneFind(room, found[index], readAt));
  }
}

function laneFind({ lane, most }: LaneRoom, rows: Row[], readAt: number): LaneFind {
  const inOrder = rows.toSorted((a, b) => a.dueAt - b.dueAt);
  const first = inOrder.filter(({ attempt }) => attempt === 1);
  const again = first.length === rows.length ? [] : inOrder.filter(({ attempt }) => attempt > 1);
  return {
    found: (lane.capacity === 1 ? inOrder : inTurns(first, again)).map((row) =>
      claimOf(row, lane, readAt),
    ),
    cursor: { first: endOf(first, rows), again: endOf(again, rows) },
    hasMore: first.length >= most || again.length >= most,
  };
}

/** First attempts and retries in turns, of each kind the one first that has been due for longest. */
function inTurns(first: readonly Row[], again: readonly Row[]): readonly Row[] {
  if (again.length === 0) return first;
  const turns = Math.max(first.length, again.length);
  return Array.from({ length: turns }, (_, turn) => [
    ...first.slice(turn, turn + 1),
    ...again.slice(turn, turn + 1),
  ]).flat();
}

/** Of a kind of which nothing was due, everything up to then has been read. */
function endOf(kind: readonly Row[], rows: readonly Row[]): QueueKey {
  return kind.at(-1) ?? { dueAt: rows[0]?.now ?? Number.NEGATIVE_INFINITY, deliveryId: '' };
}

function claimOf(row: Row, lane: LaneLease, readAt: number): ClaimedDelivery {
  const { deliveryId, eventId, eventName, body, attempt, dueAt, now } = row;
  const { secretSealed, previousSecretsSealed } = row;
  const waitedSeconds = now - dueAt;
  // They may have been replaced since the lane was taken.
  const signing = { ...lane, secretSealed, previousSecretsSealed };
  return { lane: signing, deliveryId, eventId, eventName, body, attempt, waitedSeconds, readAt };
}

// Two short walks of an index for each lane; the bodies are read of what they find.
const FIND = `
  WITH moment AS MATERIALIZED (SELECT app_now() AS now)
  SELECT given.ordinal::int, due.delivery_id AS "deliveryId",
    due.attempts + 1 AS attempt, e.id AS "eventId", e.name AS "eventName", e.body,
    date_part('epoch', due.next_attempt_at) AS "dueAt", date_part('epoch', moment.now) AS now,
    s.secret_sealed AS "secretSealed", ${previousSecretsColumn('moment.now')}
  FROM moment
  CROSS JOIN unnest($1::text[], $2::bigint[], $3::text[], $4::int[], $5::float8[], $6::text[],
    $7::float8[], $8::text[]) WITH ORDINALITY AS given (subscription_id, token, in_flight, most,
    first_at, first_id, again_at, again_id, ordinal)
  CROSS JOIN LATERAL (
    SELECT * FROM webhook_lanes
    WHERE subscription_id = given.subscription_id AND lease_token = given.token OFFSET 0
  ) AS l
  CROSS JOIN LATERAL (
    SELECT * FROM webhook_subscriptions WHERE id = given.subscription_id OFFSET 0
  ) AS s
  CROSS JOIN LATERAL (
    (${due('attempts = 0', 'first')}) UNION ALL (${due('attempts > 0', 'again')})
  ) AS due
  CROSS JOIN LATERAL (SELECT * FROM webhook_events WHERE id = due.event_id OFFSET 0) AS e
  WHERE l.is_active AND (l.probe_at IS NULL OR l.probe_at <= moment.now)
`;

function due(kind: string, cursor: string): string {
  return `
    SELECT delivery_id, event_id, attempts, next_attempt_at FROM webhook_queue
    WHERE ${kind} AND subscription_id = given.subscription_id
      AND next_attempt_at <= moment.now
      AND (next_attempt_at, delivery_id) > (to_timestamp(given.${cursor}_at), given.${cursor}_id)
      AND delivery_id <> ALL (string_to_array(given.in_flight, ' '))
    ORDER BY next_attempt_at, delivery_id LIMIT given.most`;
}
