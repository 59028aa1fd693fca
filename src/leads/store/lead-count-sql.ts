import type { LeadsFilter } from '../leads-filter.js';

/** The pieces that a statement about one filtered list of leads is put together from. */
export interface StatementParts {
  readonly values: unknown[];
  /** Adds a value and returns its parameter (`$1`). */
  readonly bind: (value: unknown) => string;
  /** The parameters of the bounds; null for one that is not given. */
  readonly from: string | null;
  readonly to: string | null;
  /** That a row of an aliased table is of this partner, loan type and status. */
  readonly listIn: (alias: string) => string;
  /** Parameters of the list's name in `lead_counts`. */
  readonly listName: {
    readonly partner: string;
    readonly loanType: string;
    readonly status: string;
  };
}

export function partsOf(partnerId: string, filter: LeadsFilter): StatementParts {
  const values: unknown[] = [];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const optional = (value: unknown) => (value === undefined ? null : bind(value));
  const partner = bind(partnerId);
  const loanType = optional(filter.loanType);
  const status = optional(filter.status);
  const from = optional(filter.from);
  const to = optional(filter.to);
  const conditions: [column: string, parameter: string | null][] = [
    ['partner_id', partner],
    ['loan_type', loanType],
    ['status', status],
  ];
  const listIn = (alias: string) =>
    conditions
      .filter(([, parameter]) => parameter !== null)
      .map(([column, parameter]) => `${alias && `${alias}.`}${column} = ${parameter}`)
      .join(' AND ');
  return {
    values,
    bind,
    from: from && `${from}::timestamptz`,
    to: to && `${to}::timestamptz`,
    listIn,
    listName: { partner, loanType: loanType ?? `''`, status: status ?? `''` },
  };
}

/** A FROM clause, to be followed by an AND if need be: the list's nodes of one level. */
export function nodesOf({ listName }: StatementParts, level: 0 | 1 | 2): string {
  const { partner, loanType, status } = listName;
  return `lead_counts WHERE partner_id = ${partner} AND level = ${level}
    AND loan_type = ${loanType} AND status = ${status}`;
}

/**
 * How many leads of the list were submitted at a moment or later: the spans after it, the chunks
 * between it and the first of them, and between it and the first of those lead by lead.
 */
export function countSince(parts: StatementParts, moment: string): string {
  const { partner } = parts.listName;
  const firstNode = (level: 0 | 1) => `
    LEFT JOIN LATERAL (
      SELECT starts_at, starts_id FROM lead_counts
      WHERE partner_id = ${partner} AND level = ${level} AND loan_type = '' AND status = ''
        AND (starts_at, starts_id) >= (${moment}, '')
      ORDER BY starts_at, starts_id LIMIT 1
    ) AS node${level} ON true`;
  const isFrom = (at: string, id: string) => `(${at}, ${id}) >= (${moment}, '')`;
  return `(
    SELECT
      (SELECT coalesce(sum(leads), 0) FROM ${nodesOf(parts, 1)}
        AND ${isFrom('starts_at', 'starts_id')})
      + (SELECT coalesce(sum(leads), 0) FROM ${nodesOf(parts, 0)}
        AND ${isFrom('starts_at', 'starts_id')} AND (starts_at, starts_id) < (span_at, span_id))
      + (SELECT count(*) FROM applications AS edge WHERE ${parts.listIn('edge')}
        AND ${isFrom('edge.submitted_at', 'edge.id')}
        AND (edge.submitted_at, edge.id) < (chunk_at, chunk_id))
      + (SELECT coalesce(sum(change), 0) FROM pending
        WHERE (submitted_at, lead_id) >= (chunk_at, chunk_id))
    FROM (
      SELECT coalesce(node1.starts_at, 'infinity') AS span_at,
        coalesce(node1.starts_id, '') AS span_id,
        coalesce(node0.starts_at, 'infinity') AS chunk_at,
        coalesce(node0.starts_id, '') AS chunk_id
      FROM (SELECT) AS nothing ${firstNode(1)} ${firstNode(0)}
      OFFSET 0
    ) AS edges
  )`;
}
