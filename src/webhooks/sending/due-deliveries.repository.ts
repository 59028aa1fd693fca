import { Injectable } from '@nestjs/common';
import type { ClaimedDelivery, LaneLease } from './claimed-delivery.js';
import { SenderDatabase } from './sender-database.js';

/** What is wanted of one of our lanes: what is due, but not what is in flight already. */
export interface LaneRoom {
  readonly lane: LaneLease;
  readonly inFlight: readonly string[];
  /** How many first attempts, and how many retries. */
  readonly most: number;
}

type Row = Omit<ClaimedDelivery, 'lane' | 'readAt'> & { place: number };

/** Reads what is due on lanes that this process holds. */
@Injectable()
export class DueDeliveries {
  constructor(private readonly database: SenderDatabase) {}

  /**
   * On each lane what has been due for longest, first attempts and retries in turns. Nothing of a
   * lane that has changed hands, or is not to be sent on any more.
   */
  async find(rooms: readonly LaneRoom[]): Promise<Map<LaneLease, ClaimedDelivery[]>> {
    const readAt = performance.now();
    const rows = await this.database.prepared<Row & Record<string, unknown>>(
      'webhook-deliveries-due',
      FIND,
      [
        rooms.map(({ lane }) => lane.subscriptionId),
        rooms.map(({ lane }) => lane.leaseToken),
        rooms.map(({ inFlight }) => inFlight.join(' ')),
        rooms.map(({ most }) => most),
      ],
    );
    const found = rooms.map((): ClaimedDelivery[] => []);
    for (const row of rows) {
      const { lane } = rooms[row.place - 1];
      found[row.place - 1].push({
        lane,
        deliveryId: row.deliveryId,
        eventId: row.eventId,
        eventName: row.eventName,
        body: row.body,
        attempt: row.attempt,
        waitedSeconds: row.waitedSeconds,
        readAt,
      });
    }
    return new Map(rooms.map(({ lane }, index) => [lane, inTurns(found[index])]));
  }
}

/** First attempts and retries in turns, of each kind the one first that has been due for longest. */
function inTurns(found: readonly ClaimedDelivery[]): ClaimedDelivery[] {
  const byWait = found.toSorted((a, b) => b.waitedSeconds - a.waitedSeconds);
  const first = byWait.filter(({ attempt }) => attempt === 1);
  if (first.length === found.length) return first;
  const again = byWait.filter(({ attempt }) => attempt > 1);
  const turns = Math.max(first.length, again.length);
  return Array.from({ length: turns }, (_, turn) => [
    ...first.slice(turn, turn + 1),
    ...again.slice(turn, turn + 1),
  ]).flat();
}

// Two short walks of an index for each lane; the bodies are read of what they find.
const FIND = `
  WITH moment AS MATERIALIZED (SELECT app_now() AS now)
  SELECT given.place::int, due.delivery_id AS "deliveryId",
    due.attempts + 1 AS attempt, e.id AS "eventId", e.name AS "eventName", e.body,
    date_part('epoch', moment.now - due.next_attempt_at) AS "waitedSeconds"
  FROM moment
  CROSS JOIN unnest($1::text[], $2::bigint[], $3::text[], $4::int[])
    WITH ORDINALITY AS given (subscription_id, token, in_flight, most, place)
  JOIN webhook_lanes l ON l.subscription_id = given.subscription_id
    AND l.lease_token = given.token AND l.is_active
    AND (l.probe_at IS NULL OR l.probe_at <= moment.now)
  CROSS JOIN LATERAL (
    (${due('attempts = 0')}) UNION ALL (${due('attempts > 0')})
  ) AS due
  JOIN webhook_events e ON e.id = due.event_id
`;

function due(kind: string): string {
  return `
    SELECT delivery_id, event_id, attempts, next_attempt_at FROM webhook_queue
    WHERE ${kind} AND subscription_id = given.subscription_id
      AND next_attempt_at <= moment.now
      AND delivery_id <> ALL (string_to_array(given.in_flight, ' '))
    ORDER BY next_attempt_at LIMIT given.most`;
}
