import { Injectable } from '@nestjs/common';
import { Columns, Database, type Queries, type Tx } from '../../platform/index.js';
import { EVENT_NAMES, type EventName, LEAD_EVENT } from '../domain/webhook-events.js';
import { WebhookEvent, WebhookStream } from './webhook-event.entity.js';

const columns = new Columns(WebhookEvent);

interface StreamQuery {
  readonly partnerId: string;
  /** Exclusive; null: from the oldest kept event. */
  readonly after: number | null;
  /** Null: all but the events of leads. */
  readonly names: readonly EventName[] | null;
  readonly limit: number;
}

type StreamEvent = Pick<WebhookEvent, 'id' | 'body'> & { readonly position: number };

/** Read at one moment. */
export interface StreamPart {
  /** In the stream's order. */
  readonly events: readonly StreamEvent[];
  /** The last scanned event, matching or not; null: none. */
  readonly lastScanned: Omit<StreamEvent, 'body'> | null;
  /** Then more may follow. */
  readonly isScanLimitReached: boolean;
  readonly hasUnplaced: boolean;
  readonly placedTo: number;
  readonly removedTo: number;
  /** Id of the event at `after`; null: none, or deleted. */
  readonly idAtAfter: string | null;
}

/** Scanned per page: events of leads, and those that a filter leaves out, lie between. */
const MAX_SCANNED = 1_000;

/**
 * A partner's events in a stable order. The first read after its commit gives an event its
 * position. So later commits get later positions, even from long transactions.
 */
@Injectable()
export class EventStreamRepository {
  constructor(private readonly database: Database) {}

  /** At most one event more than the page. */
  read(
    { partnerId, after, names, limit }: StreamQuery,
    tx: Queries = this.database,
  ): Promise<StreamPart> {
    const wanted = names ?? EVENT_NAMES.filter((name) => name !== LEAD_EVENT.name);
    const values = [partnerId, after, MAX_SCANNED, wanted, limit + 1];
    return this.partOf(tx.query(READ, values));
  }

  /**
   * Assigns positions, in order within each journey. A second caller for the same partner waits for
   * the commit.
   * @param max does not count earlier events of the same journeys
   */
  async place(tx: Tx, partnerId: string, max: number): Promise<void> {
    await tx.insertOnce(WebhookStream, { partnerId });
    await tx.query('SELECT FROM webhook_streams WHERE partner_id = $1 FOR UPDATE', [partnerId]);
    // A separate statement, to see what the last lock holder placed.
    await tx.execute(PLACE, [partnerId, max]);
  }

  private async partOf(read: Promise<Row[]>): Promise<StreamPart> {
    const rows = await read;
    const [head] = rows;
    return {
      events: rows.filter((row): row is Row & StreamEvent => row.id !== null),
      lastScanned:
        head.lastScannedId === null
          ? null
          : { id: head.lastScannedId, position: head.lastPosition },
      isScanLimitReached: head.scanned === MAX_SCANNED,
      hasUnplaced: head.hasUnplaced,
      placedTo: head.placedTo,
      removedTo: head.removedTo,
      idAtAfter: head.idAtAfter,
    };
  }
}

type Row = Pick<StreamPart, 'hasUnplaced' | 'placedTo' | 'removedTo' | 'idAtAfter'> & {
  readonly id: string | null;
  readonly scanned: number;
  readonly lastPosition: number;
  readonly lastScannedId: string | null;
};

// Deleted events precede kept ones, except events that a delivery still needs.
const READ = `
  WITH stream AS MATERIALIZED (
    SELECT coalesce(max(placed_to), 0) AS placed_to, coalesce(max(removed_to), 0) AS removed_to
    FROM webhook_streams WHERE partner_id = $1
  ),
  scanned AS MATERIALIZED (
    SELECT ${columns.list(['id', 'position', 'name'])} FROM webhook_events
    WHERE partner_id = $1
      AND position > coalesce($2::bigint, (SELECT removed_to FROM stream))
    ORDER BY position LIMIT $3
  ),
  page AS (
    SELECT s.id, s.position, e.body FROM scanned AS s JOIN webhook_events AS e ON e.id = s.id
    WHERE s.name = ANY ($4::text[]) ORDER BY s.position LIMIT $5
  ),
  ended AS (
    SELECT count(*)::int AS scanned, max(position) AS position FROM scanned
  )
  SELECT page.id, page.position, page.body, ended.scanned, ended.position AS "lastPosition",
    (SELECT id FROM scanned WHERE position = ended.position) AS "lastScannedId",
    stream.placed_to AS "placedTo", stream.removed_to AS "removedTo",
    (SELECT id FROM webhook_events WHERE partner_id = $1 AND position = $2) AS "idAtAfter",
    EXISTS (SELECT FROM webhook_events WHERE partner_id = $1 AND position IS NULL) AS "hasUnplaced"
  FROM stream CROSS JOIN ended LEFT JOIN page ON true
  ORDER BY page.position
`;

// Ids rise with time within clock skew, so events of journeys and leads go by sequence, and alerts by id. A
// journey's row is locked until commit, so its earlier events are visible. Skips events being
// deleted, so as not to wait while holding the stream.
const PLACE = `
  WITH oldest AS MATERIALIZED (
    SELECT id, journey_id, application_id, sequence FROM webhook_events
    WHERE partner_id = $1 AND position IS NULL
    ORDER BY id LIMIT $2 FOR NO KEY UPDATE SKIP LOCKED
  ),
  earlier AS MATERIALIZED (
    SELECT e.id, e.journey_id, e.application_id, e.sequence
    FROM (SELECT journey_id, application_id, max(sequence) AS last
          FROM oldest GROUP BY journey_id, application_id) AS subject
    JOIN webhook_events e ON e.sequence < subject.last
      AND (e.journey_id = subject.journey_id OR e.application_id = subject.application_id)
    WHERE e.position IS NULL
    FOR NO KEY UPDATE OF e SKIP LOCKED
  ),
  timed AS (
    SELECT id, sequence, max(id) OVER (PARTITION BY coalesce(journey_id, application_id, id) ORDER BY sequence) AS time
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
