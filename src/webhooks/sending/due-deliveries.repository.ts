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

type Row = Omit<ClaimedDelivery, 'lane'> & { place: number; turn: number };

/** Reads what is due on lanes that this process holds. */
@Injectable()
export class DueDeliveries {
  constructor(private readonly database: SenderDatabase) {}

  /**
   * One of each lane before the second of any; on each lane what has been due for longest. A lane is
   * not asked for more than its share of the room: what that leaves free the next claim fills.
   */
  async find(room: Room): Promise<ClaimedDelivery[]> {
    const { lanes } = room;
    const capacities = capacitiesOf(room);
    const rows = await this.database.prepared<Row & Record<string, unknown>>(
      'webhook-deliveries-due',
      FIND,
      [
        lanes.map(({ lane }) => lane.subscriptionId),
        capacities,
        lanes.map(({ inFlight }) => inFlight.join(' ')),
      ],
    );
    return pick(rows, capacities, room).map((row) => ({
      lane: lanes[row.place - 1].lane,
      deliveryId: row.deliveryId,
      eventId: row.eventId,
      eventName: row.eventName,
      body: row.body,
      attempt: row.attempt,
      waitedSeconds: row.waitedSeconds,
    }));
  }
}

function capacitiesOf({ lanes, deliveries }: Room): number[] {
  const share = Math.ceil(deliveries / lanes.length);
  return lanes.map(({ lane, inFlight }) =>
    Math.max(0, Math.min(share, lane.capacity - inFlight.length)),
  );
}

/**
 * Of each lane's rows, first attempts and retries apart, those that there is room for: in turns, and
 * within a lane's turns the one first that has been due for longest.
 */
function pick(rows: readonly Row[], capacities: readonly number[], room: Room): Row[] {
  const left = [...capacities];
  let retries = room.retries;
  const taken = rows
    .toSorted((a, b) => a.turn - b.turn || b.waitedSeconds - a.waitedSeconds)
    .filter(({ place, attempt }) => {
      const isTaken = left[place - 1] > 0 && (attempt === 1 || retries > 0);
      if (!isTaken) return false;
      left[place - 1] -= 1;
      if (attempt > 1) retries -= 1;
      return true;
    });
  return taken.slice(0, room.deliveries);
}

// Two short walks of an index for each lane; the bodies are read of what they find.
const FIND = `
  WITH moment AS MATERIALIZED (SELECT app_now() AS now)
  SELECT lane.place::int, due.turn::int, due.delivery_id AS "deliveryId",
    due.attempts + 1 AS attempt, e.id AS "eventId", e.name AS "eventName", e.body,
    extract(epoch FROM moment.now - due.next_attempt_at)::float8 AS "waitedSeconds"
  FROM moment
  CROSS JOIN unnest($1::text[], $2::int[], $3::text[])
    WITH ORDINALITY AS lane (subscription_id, capacity, in_flight, place)
  CROSS JOIN LATERAL (
    (${due('attempts = 0')}) UNION ALL (${due('attempts > 0')})
  ) AS due
  JOIN webhook_events e ON e.id = due.event_id
`;

function due(kind: string): string {
  return `
    SELECT q.*, row_number() OVER (ORDER BY q.next_attempt_at) AS turn
    FROM (
      SELECT delivery_id, event_id, attempts, next_attempt_at FROM webhook_queue
      WHERE ${kind} AND subscription_id = lane.subscription_id
        AND next_attempt_at <= moment.now
        AND delivery_id <> ALL (string_to_array(lane.in_flight, ' '))
      ORDER BY next_attempt_at LIMIT lane.capacity
    ) AS q`;
}
