import { Injectable } from '@nestjs/common';
import { Columns, Database, type Tx } from '../../platform/index.js';
import type { EventName } from '../domain/webhook-events.js';
import { WebhookEvent, WebhookStream } from './webhook-event.entity.js';

const columns = new Columns(WebhookEvent);

/** Which events of a stream. */
export interface StreamQuery {
  readonly partnerId: string;
  /** The position after which they come; null: the first that is kept. */
  readonly after: number | null;
  /** Null: all. */
  readonly names: readonly EventName[] | null;
  readonly limit: number;
}

type StreamEvent = Pick<WebhookEvent, 'id' | 'body'> & { readonly position: number };

/** What was found of a stream at one moment. */
export interface StreamPart {
  /** In the stream's order. */
  readonly events: readonly StreamEvent[];
  /** The last event that was looked at, whether it is wanted or not; null: none. */
  readonly lookedTo: Omit<StreamEvent, 'body'> | null;
  /** Whether as many were looked at as may be: more may follow. */
  readonly isCut: boolean;
  /** Whether events have happened that have no position yet. */
  readonly hasUnplaced: boolean;
  readonly placedTo: number;
  readonly removedTo: number;
  /** The event at `after`; null: none, or it was removed. */
  readonly idAtAfter: string | null;
}

/** The most events that are looked at for a page of some names. */
const MAX_LOOKED_AT = 1_000;

/**
 * The events of a partner in an order that never changes, for whoever reads on from where it was. An event gets
 * its position by the first read after its commit: whatever was committed later comes later, so that no
 * transaction, however long it was open, puts an event before what has been read.
 */
@Injectable()
export class EventStreamRepository {
  constructor(private readonly database: Database) {}

  /** What has a position, in one look; one event more than the page holds where there is one. */
  read({ partnerId, after, names, limit }: StreamQuery, tx?: Tx): Promise<StreamPart> {
    const looked = names === null ? limit + 1 : MAX_LOOKED_AT;
    const values = [partnerId, after, looked, names, limit + 1];
    return this.partOf(
      tx ? tx.query<Row>(READ, values) : this.database.query(READ, values),
      looked,
    );
  }

  /**
   * Gives positions to events that have none, the oldest first, and those of a journey in their order. One
   * caller of a partner does so at a time: another waits for the commit.
   * @param most how many, but for earlier ones of the same journeys
   */
  async place(tx: Tx, partnerId: string, most: number): Promise<void> {
    await tx.insertOnce(WebhookStream, { partnerId });
    await tx.query('SELECT FROM webhook_streams WHERE partner_id = $1 FOR UPDATE', [partnerId]);
    // A statement of its own: it sees what the last holder of the lock has placed.
    await tx.execute(PLACE, [partnerId, most]);
  }

  private async partOf(read: Promise<Row[]>, looked: number): Promise<StreamPart> {
    const rows = await read;
    const [head] = rows;
    return {
      events: rows.filter((row): row is Row & StreamEvent => row.id !== null),
      lookedTo: head.lookedId === null ? null : { id: head.lookedId, position: head.lookedTo },
      isCut: head.looked === looked,
      hasUnplaced: head.hasUnplaced,
      placedTo: head.placedTo,
      removedTo: head.removedTo,
      idAtAfter: head.idAtAfter,
    };
  }
}

type Row = Record<string, unknown> &
  Pick<StreamPart, 'hasUnplaced' | 'placedTo' | 'removedTo' | 'idAtAfter'> & {
    readonly id: string | null;
    readonly looked: number;
    readonly lookedTo: number;
    readonly lookedId: string | null;
  };

// What was removed for its age stands before what is kept, but for events that a delivery still needs.
const READ = `
  WITH stream AS MATERIALIZED (
    SELECT coalesce(max(placed_to), 0) AS placed_to, coalesce(max(removed_to), 0) AS removed_to
    FROM webhook_streams WHERE partner_id = $1
  ),
  looked AS MATERIALIZED (
    SELECT ${columns.list(['id', 'position', 'name', 'body'])} FROM webhook_events
    WHERE partner_id = $1
      AND position > coalesce($2::bigint, (SELECT removed_to FROM stream))
    ORDER BY position LIMIT $3
  ),
  page AS (
    SELECT id, position, body FROM looked
    WHERE $4::text[] IS NULL OR name = ANY ($4) ORDER BY position LIMIT $5
  ),
  ended AS (
    SELECT count(*)::int AS looked, max(position) AS position FROM looked
  )
  SELECT page.id, page.position, page.body, ended.looked, ended.position AS "lookedTo",
    (SELECT id FROM looked WHERE position = ended.position) AS "lookedId",
    stream.placed_to AS "placedTo", stream.removed_to AS "removedTo",
    (SELECT id FROM webhook_events WHERE partner_id = $1 AND position = $2) AS "idAtAfter",
    EXISTS (SELECT FROM webhook_events WHERE partner_id = $1 AND position IS NULL) AS "hasUnplaced"
  FROM stream CROSS JOIN ended LEFT JOIN page ON true
  ORDER BY page.position
`;

// Ids rise with time as far as the clocks of the replicas agree; a journey's events go by their sequence,
// and an alert, which has no journey, by its id alone.
// Whoever sees one of them sees all before it, since a journey's row is locked from one event's number to
// its commit. An event that is just being removed for its age is passed over, so that nobody
// waits for an event while holding a stream.
const PLACE = `
  WITH oldest AS MATERIALIZED (
    SELECT id, journey_id, sequence FROM webhook_events
    WHERE partner_id = $1 AND position IS NULL
    ORDER BY id LIMIT $2 FOR NO KEY UPDATE SKIP LOCKED
  ),
  earlier AS MATERIALIZED (
    SELECT e.id, e.journey_id, e.sequence
    FROM (SELECT journey_id, max(sequence) AS last FROM oldest GROUP BY journey_id) AS journey
    JOIN webhook_events e ON e.journey_id = journey.journey_id AND e.sequence < journey.last
    WHERE e.position IS NULL
    FOR NO KEY UPDATE OF e SKIP LOCKED
  ),
  timed AS (
    SELECT id, sequence, max(id) OVER (PARTITION BY coalesce(journey_id, id) ORDER BY sequence) AS time
    FROM (SELECT * FROM oldest UNION SELECT * FROM earlier) AS due
  ),
  placed AS MATERIALIZED (
    SELECT id, row_number() OVER (ORDER BY time, sequence) AS place FROM timed
  ),
  stream AS (
    UPDATE webhook_streams SET placed_to = placed_to + (SELECT count(*) FROM placed)
    WHERE partner_id = $1
    RETURNING placed_to - (SELECT count(*) FROM placed) AS placed_before
  )
  UPDATE webhook_events e SET position = stream.placed_before + placed.place
  FROM placed, stream WHERE e.id = placed.id
`;
