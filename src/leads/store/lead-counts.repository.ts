import { Injectable } from '@nestjs/common';
import { Columns, Database, type Tx } from '../../platform/index.js';
import { LeadCount } from './lead-count.entity.js';

/** How finely the counts are kept. */
interface NodeSizes {
  /** Leads that a chunk holds when it is made, and when it is split at the latest. */
  readonly chunk: { readonly made: number; readonly most: number };
  /** Chunks that a span holds, likewise. */
  readonly span: { readonly made: number; readonly most: number };
  /** Changes that are folded, and leads that are put into new chunks, in one transaction. */
  readonly batch: number;
}

/** A node and where the next one starts; times as text, see LARGE_CHUNKS. */
interface Node {
  startsAt: string;
  startsId: string;
  endsAt: string;
  endsId: string;
  leads: number;
}

/**
 * Folds what the triggers on `applications` have noted into the counts, and splits nodes that have
 * grown too large. Before, between and after, the counts and what is still noted come to the same
 * sums, so a reader never sees either at work. One process at a time works on a partner.
 */
@Injectable()
export class LeadCountsRepository {
  protected readonly sizes: NodeSizes = {
    chunk: { made: 500, most: 1_000 },
    span: { made: 32, most: 64 },
    batch: 10_000,
  };

  constructor(private readonly database: Database) {}

  /** The partners of whom changes are noted. */
  async partnersWithChanges(): Promise<string[]> {
    const rows = await this.database.query<{ id: string }>(PARTNERS_WITH_CHANGES);
    return rows.map(({ id }) => id);
  }

  /** The partners of whom a chunk is too large: their leads were there before the counts. */
  async partnersWithLargeChunks(): Promise<string[]> {
    const rows = await this.database.query<{ id: string }>(
      `SELECT DISTINCT partner_id AS id FROM lead_counts
       WHERE level = 0 AND loan_type = '' AND status = '' AND leads > $1`,
      [this.sizes.chunk.most],
    );
    return rows.map(({ id }) => id);
  }

  /**
   * Folds one batch of a partner's changes. Nodes are split once nothing is left to fold: of a bulk
   * load that is being folded, each would be split many times over.
   * @returns whether there is more to do; false, too, when another process is at it
   */
  async fold(partnerId: string): Promise<boolean> {
    return this.database.transaction(async (tx) => {
      // A statement of its own: the next one's snapshot is taken under the lock.
      const [{ isLocked }] = await tx.query<{ isLocked: boolean }>(
        `SELECT pg_try_advisory_xact_lock(hashtextextended('lead-counts:' || $1, 0)) AS "isLocked"`,
        [partnerId],
      );
      if (!isLocked) return false;
      await tx.execute(FIRST_NODES, [partnerId]);
      const [{ folded }] = await tx.query<{ folded: number }>(FOLD, [partnerId, this.sizes.batch]);
      return folded === this.sizes.batch || this.split(tx, partnerId);
    });
  }

  /** Splits what has grown too large, a batch of leads at most; answers whether more is left. */
  private async split(tx: Tx, partnerId: string): Promise<boolean> {
    const { chunk, span } = this.sizes;
    const [node] = await tx.query<Node>(LARGEST_CHUNK, [partnerId, chunk.most]);
    if (!node) return false;
    await this.splitChunk(tx, partnerId, node);
    const spans = await tx.query<Node>(LARGE_SPANS, [partnerId, span.most]);
    for (const large of spans) await this.splitSpan(tx, partnerId, large);
    return true;
  }

  /** Cuts whole chunks off the newer end of one; what is left of it keeps its place. */
  private async splitChunk(tx: Tx, partnerId: string, node: Node): Promise<void> {
    const { made } = this.sizes.chunk;
    const pieces = Math.floor(Math.min(node.leads - made, this.sizes.batch) / made);
    const bounds = [partnerId, node.startsAt, node.startsId, node.endsAt, node.endsId];
    await tx.execute(CUT_CHUNKS, [...bounds, made, Math.max(1, pieces) * made]);
    await tx.execute(LEAVE_REST, bounds);
    await tx.execute(
      `DELETE FROM lead_counts WHERE partner_id = $1 AND level = 0 AND leads = 0
         AND (starts_at, starts_id) = ($2::timestamptz, $3) AND (loan_type <> '' OR status <> '')`,
      bounds.slice(0, 3),
    );
  }

  /** Puts new spans in the place of one, added up from its chunks. */
  private async splitSpan(tx: Tx, partnerId: string, node: Node): Promise<void> {
    const bounds = [partnerId, node.startsAt, node.startsId, node.endsAt, node.endsId];
    await tx.execute(
      `DELETE FROM lead_counts
       WHERE partner_id = $1 AND level = 1 AND (starts_at, starts_id) = ($2::timestamptz, $3)`,
      bounds.slice(0, 3),
    );
    await tx.execute(SPLIT_SPAN, [...bounds, this.sizes.span.made]);
  }
}

const NODE_COLUMNS = new Columns(LeadCount).list([
  'partnerId',
  'level',
  'loanType',
  'status',
  'startsAt',
  'startsId',
  'leads',
]);

// Leaps from one partner to the next, so that a backlog of one costs nothing to step over.
const PARTNERS_WITH_CHANGES = `
  WITH RECURSIVE leap AS (
    (SELECT partner_id FROM lead_count_deltas ORDER BY partner_id LIMIT 1)
    UNION ALL
    SELECT (SELECT d.partner_id FROM lead_count_deltas AS d WHERE d.partner_id > leap.partner_id
            ORDER BY d.partner_id LIMIT 1)
    FROM leap WHERE leap.partner_id IS NOT NULL
  )
  SELECT partner_id AS id FROM leap WHERE partner_id IS NOT NULL
`;

const FIRST_NODES = `
  INSERT INTO lead_counts (${NODE_COLUMNS})
  SELECT $1, level, '', '', '-infinity', '', 0 FROM generate_series(0, 2) AS level
  ON CONFLICT DO NOTHING
`;

// A change belongs to the last node of its level that starts at its lead or before it.
const FOLD = `
  WITH taken AS (
    DELETE FROM lead_count_deltas WHERE partner_id = $1 AND id = ANY (ARRAY(
      SELECT id FROM lead_count_deltas WHERE partner_id = $1 ORDER BY id LIMIT $2))
    RETURNING loan_type, status, submitted_at, lead_id, change
  ),
  placed AS (
    SELECT node.level, node.starts_at, node.starts_id, taken.loan_type, taken.status, taken.change
    FROM taken CROSS JOIN generate_series(0, 2) AS levels (level)
    CROSS JOIN LATERAL (
      SELECT c.level, c.starts_at, c.starts_id FROM lead_counts AS c
      WHERE c.partner_id = $1 AND c.level = levels.level AND c.loan_type = '' AND c.status = ''
        AND (c.starts_at, c.starts_id) <= (taken.submitted_at, taken.lead_id)
      ORDER BY c.starts_at DESC, c.starts_id DESC LIMIT 1
    ) AS node
  ),
  folded AS (
    INSERT INTO lead_counts AS c
      (${NODE_COLUMNS})
    SELECT $1, level, coalesce(loan_type, ''), coalesce(status, ''), starts_at, starts_id,
      sum(change)
    FROM placed GROUP BY level, starts_at, starts_id, CUBE (loan_type, status)
    HAVING sum(change) <> 0
    ON CONFLICT (partner_id, level, loan_type, status, starts_at, starts_id)
      DO UPDATE SET leads = c.leads + excluded.leads
  )
  SELECT count(*) AS folded FROM taken
`;

function nodesWithEnds(level: 0 | 1): string {
  return `
    SELECT starts_at, starts_id, leads, lead(starts_at, 1, 'infinity') OVER in_order AS ends_at,
      lead(starts_id, 1, '') OVER in_order AS ends_id
    FROM lead_counts WHERE partner_id = $1 AND level = ${level} AND loan_type = '' AND status = ''
    WINDOW in_order AS (ORDER BY starts_at, starts_id)`;
}

// Times go out and come back as text: JavaScript's dates know neither microseconds nor infinity.
const NODE = `starts_at::text AS "startsAt", starts_id AS "startsId", ends_at::text AS "endsAt",
  ends_id AS "endsId", leads`;

const LARGEST_CHUNK = `
  SELECT ${NODE} FROM (${nodesWithEnds(0)}) AS chunk WHERE leads > $2 ORDER BY leads DESC LIMIT 1
`;

const LARGE_SPANS = `
  SELECT ${NODE} FROM (${nodesWithEnds(1)}) AS span
  WHERE $2 < (
    SELECT count(*) FROM lead_counts AS chunk
    WHERE partner_id = $1 AND level = 0 AND loan_type = '' AND status = ''
      AND (chunk.starts_at, chunk.starts_id) >= (span.starts_at, span.starts_id)
      AND (chunk.starts_at, chunk.starts_id) < (span.ends_at, span.ends_id))
`;

function isWithin(at: string, id: string): string {
  return `(${at}, ${id}) >= ($2::timestamptz, $3) AND (${at}, ${id}) < ($4::timestamptz, $5)`;
}

// The newest $7 leads of the chunk, $6 to a piece, as this statement's snapshot has them, less the
// changes that it sees still noted. A piece starts at its oldest lead.
const CUT_CHUNKS = `
  WITH leads AS MATERIALIZED (
    SELECT submitted_at, id, loan_type, status,
      (row_number() OVER (ORDER BY submitted_at DESC, id DESC) - 1) / $6::bigint AS piece
    FROM applications WHERE partner_id = $1 AND ${isWithin('submitted_at', 'id')}
    ORDER BY submitted_at DESC, id DESC LIMIT $7
  ),
  pieces AS MATERIALIZED (
    SELECT * FROM (
      SELECT DISTINCT ON (piece) piece, submitted_at AS starts_at, id AS starts_id
      FROM leads ORDER BY piece, submitted_at, id
    ) AS oldest
    WHERE (starts_at, starts_id) > ($2::timestamptz, $3)
  ),
  noted AS (
    SELECT own.piece, d.loan_type, d.status, -d.change AS leads
    FROM lead_count_deltas AS d CROSS JOIN LATERAL (
      SELECT piece FROM pieces AS p
      WHERE (p.starts_at, p.starts_id) <= (d.submitted_at, d.lead_id) ORDER BY piece LIMIT 1
    ) AS own
    WHERE d.partner_id = $1 AND ${isWithin('d.submitted_at', 'd.lead_id')}
  ),
  summed AS (
    SELECT piece, coalesce(loan_type, '') AS loan_type, coalesce(status, '') AS status,
      sum(leads) AS leads
    FROM (
      SELECT piece, loan_type, status, count(*) AS leads FROM leads GROUP BY 1, 2, 3
      UNION ALL SELECT piece, loan_type, status, leads FROM noted
    ) AS all_of_them
    GROUP BY piece, CUBE (loan_type, status)
  )
  INSERT INTO lead_counts (${NODE_COLUMNS})
  SELECT $1, 0, s.loan_type, s.status, p.starts_at, p.starts_id, s.leads
  FROM summed AS s JOIN pieces AS p USING (piece)
  WHERE s.leads <> 0 OR (s.loan_type = '' AND s.status = '')
`;

// Counts alone, and no leads: what was cut off is no longer in the chunk that it was cut from.
const LEAVE_REST = `
  INSERT INTO lead_counts AS c (${NODE_COLUMNS})
  SELECT $1, 0, loan_type, status, $2::timestamptz, $3, -sum(leads) FROM lead_counts
  WHERE partner_id = $1 AND level = 0 AND (starts_at, starts_id) > ($2::timestamptz, $3)
    AND (starts_at, starts_id) < ($4::timestamptz, $5)
  GROUP BY loan_type, status
  ON CONFLICT (partner_id, level, loan_type, status, starts_at, starts_id)
    DO UPDATE SET leads = c.leads + excluded.leads
`;

const SPLIT_SPAN = `
  WITH chunks AS MATERIALIZED (
    SELECT starts_at, starts_id,
      (row_number() OVER (ORDER BY starts_at, starts_id) - 1) / $6::bigint AS piece
    FROM lead_counts WHERE partner_id = $1 AND level = 0 AND loan_type = '' AND status = ''
      AND ${isWithin('starts_at', 'starts_id')}
  ),
  pieces AS (
    SELECT DISTINCT ON (piece) piece, starts_at, starts_id
    FROM chunks ORDER BY piece, starts_at, starts_id
  )
  INSERT INTO lead_counts (${NODE_COLUMNS})
  SELECT $1, 1, c.loan_type, c.status, p.starts_at, p.starts_id, sum(c.leads)
  FROM chunks JOIN lead_counts AS c USING (starts_at, starts_id) JOIN pieces AS p USING (piece)
  WHERE c.partner_id = $1 AND c.level = 0
  GROUP BY c.loan_type, c.status, p.starts_at, p.starts_id
`;
