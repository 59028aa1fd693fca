import { Injectable } from '@nestjs/common';
import type { ClaimedDelivery, LaneLease } from './claimed-delivery.js';
import { SenderDatabase } from './sender-database.js';

/** What is due on one of our lanes: so many at most, and not what is in flight already. */
export interface LaneRoom {
  readonly lane: LaneLease;
  readonly inFlight: readonly string[];
}

export interface Room {
  readonly lanes: readonly LaneRoom[];
  readonly deliveries: number;
  /** How many of them may be retries. */
  readonly retries: number;
}

type Row = Omit<ClaimedDelivery, 'lane'> & { place: number };

/** Reads what is due on lanes that this process holds. */
@Injectable()
export class DueDeliveries {
  constructor(private readonly database: SenderDatabase) {}

  /** One of each lane before the second of any; on each lane what has been due for longest. */
  async find({ lanes, deliveries, retries }: Room): Promise<ClaimedDelivery[]> {
    const rows = await this.database.prepared<Row & Record<string, unknown>>(
      'webhook-deliveries-due',
      FIND,
      [
        lanes.map(({ lane }) => lane.subscriptionId),
        lanes.map(({ lane, inFlight }) => Math.max(0, lane.capacity - inFlight.length)),
        lanes.map(({ inFlight }) => inFlight.join(' ')),
        deliveries,
        retries,
      ],
    );
    return rows.map(({ place, ...delivery }) => ({ ...delivery, lane: lanes[place - 1].lane }));
  }
}

// The event's body is read last, of those alone that will be sent.
const FIND = `
  WITH moment AS MATERIALIZED (SELECT app_now() AS now),
  lane AS (
    SELECT place, subscription_id, capacity, string_to_array(in_flight, ' ') AS in_flight
    FROM unnest($1::text[], $2::int[], $3::text[])
      WITH ORDINALITY AS l (subscription_id, capacity, in_flight, place)
  ),
  candidate AS (
    SELECT lane.place, lane.capacity, due.*,
      row_number() OVER (PARTITION BY lane.place, due.attempts > 0
        ORDER BY due.next_attempt_at, due.delivery_id) AS turn
    FROM lane CROSS JOIN moment
    CROSS JOIN LATERAL (
      (${due('attempts = 0')}) UNION ALL (${due('attempts > 0')})
    ) AS due
  ),
  allowed AS (
    SELECT *, row_number() OVER (PARTITION BY attempts > 0 ORDER BY turn, place) AS rank
    FROM candidate
  ),
  ordered AS (
    SELECT *, row_number() OVER (PARTITION BY place ORDER BY next_attempt_at, delivery_id)
      AS turn_on_lane
    FROM allowed WHERE attempts = 0 OR rank <= $5
  ),
  picked AS (
    SELECT * FROM ordered WHERE turn_on_lane <= capacity ORDER BY turn_on_lane, place LIMIT $4
  )
  SELECT picked.place::int, picked.delivery_id AS "deliveryId", picked.attempts + 1 AS attempt,
    e.id AS "eventId", e.name AS "eventName", e.body,
    extract(epoch FROM moment.now - picked.next_attempt_at)::float8 AS "waitedSeconds"
  FROM moment CROSS JOIN picked JOIN webhook_events e ON e.id = picked.event_id
  ORDER BY picked.turn_on_lane, picked.place
`;

function due(kind: string): string {
  return `
    SELECT q.delivery_id, q.event_id, q.attempts, q.next_attempt_at FROM webhook_queue q
    WHERE q.${kind} AND q.subscription_id = lane.subscription_id
      AND q.next_attempt_at <= moment.now AND q.delivery_id <> ALL (lane.in_flight)
    ORDER BY q.next_attempt_at LIMIT lane.capacity`;
}
