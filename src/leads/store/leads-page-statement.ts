import { Columns } from '../../platform/index.js';
import type { LeadsFilter } from '../leads-filter.js';
import { Application } from './application.entity.js';
import { countSince, nodesOf, partsOf, type StatementParts } from './lead-count-sql.js';

const LISTED = [
  'id',
  'loanType',
  'loanAmount',
  'loanAmountSource',
  'status',
  'journeyId',
  'submittedAt',
] as const;

/** What the list of leads shows of an application. */
export type ListedLead = Pick<Application, (typeof LISTED)[number]>;

export const LISTED_COLUMNS = new Columns(Application).selected(undefined, LISTED);

/** Which stretch of the filtered list, newest first. */
export interface Stretch {
  readonly offset: number;
  readonly limit: number;
}

/** A statement and its parameters. */
export interface Statement {
  readonly text: string;
  readonly values: unknown[];
}

/** Up to here leads are stepped over one by one; further on, whole nodes of the counts are. */
const STEPS = 200;

/**
 * One page of leads and how many the filter matches, read in one statement and therefore from one
 * snapshot. Neither grows with the number of leads: what is counted, or skipped, is skipped by the
 * nodes of `lead_counts`, and only within one chunk lead by lead. To be planned again each time: a
 * plan that is right for a partner of a hundred leads would ruin one of a million.
 * @param steps how many leads may be stepped over one by one; a test lowers it
 */
export function leadsPageStatement(
  partnerId: string,
  filter: LeadsFilter,
  { offset, limit }: Stretch,
  steps = STEPS,
): Statement {
  const parts = partsOf(partnerId, filter);
  const at = { offset: parts.bind(offset), limit: parts.bind(limit) };
  const isDeep = offset > steps;
  const page = isDeep ? deepPage(parts, at) : nearPage(parts, at);
  return {
    values: parts.values,
    text: `
      WITH pending AS MATERIALIZED (
        SELECT submitted_at, lead_id, change FROM lead_count_deltas WHERE ${parts.listIn('')}
      ),
      counted AS MATERIALIZED (${counted(parts)})
      ${page.with}
      SELECT counted.total, one.* FROM counted LEFT JOIN LATERAL (${page.select}) AS one ON true
      ORDER BY one."submittedAt" DESC, one.id DESC`,
  };
}

/** The newest leads of a list that are older than a lead of it: walked along the list's own index. */
export function newestLeadsStatement(
  partnerId: string,
  filter: Pick<LeadsFilter, 'status' | 'loanType'>,
  before: string | null,
  most: number,
): Statement {
  const parts = partsOf(partnerId, filter);
  const limit = parts.bind(most);
  if (before === null) {
    return { values: parts.values, text: `${leadsOf(parts, '')} LIMIT ${limit}` };
  }
  const edge = parts.bind(before);
  const older = 'AND (submitted_at, id) < ((SELECT submitted_at FROM edge), (SELECT id FROM edge))';
  return {
    values: parts.values,
    text: `
      WITH edge AS MATERIALIZED (
        SELECT submitted_at, id FROM applications
        WHERE id = ${edge} AND partner_id = ${parts.listName.partner}
      )
      ${leadsOf(parts, older)} LIMIT ${limit}`,
  };
}

interface PageParameters {
  readonly offset: string;
  readonly limit: string;
}

interface PageParts {
  readonly with: string;
  readonly select: string;
}

const NEWEST_FIRST = 'ORDER BY submitted_at DESC, id DESC';

function leadsOf(parts: StatementParts, bound: string): string {
  const from = parts.from === null ? '' : `AND submitted_at >= ${parts.from}`;
  return `SELECT ${LISTED_COLUMNS}
    FROM applications WHERE ${parts.listIn('')} ${from} ${bound} ${NEWEST_FIRST}`;
}

/** How many leads there are, and how many newer than the filter's `to`. */
function counted(parts: StatementParts): string {
  const whole = `(SELECT coalesce(sum(leads), 0) FROM ${nodesOf(parts, 2)})
    + (SELECT coalesce(sum(change), 0) FROM pending)`;
  const reached = parts.from === null ? whole : countSince(parts, parts.from);
  // PostgreSQL's times have microseconds: the next moment after `to`.
  const newer =
    parts.to === null ? '0' : countSince(parts, `(${parts.to} + interval '1 microsecond')`);
  return `
    SELECT newer::bigint, greatest(0, reached - newer)::bigint AS total
    FROM (SELECT ${reached} AS reached, ${newer} AS newer OFFSET 0) AS sums`;
}

function nearPage(parts: StatementParts, { offset, limit }: PageParameters): PageParts {
  const until = parts.to === null ? '' : `AND submitted_at <= ${parts.to}`;
  return {
    with: '',
    select: `${leadsOf(parts, until)} LIMIT ${limit} OFFSET ${offset}::bigint`,
  };
}

/**
 * Finds the span, within it the chunk in which the page starts, and steps over what is left; past
 * the last page there is nothing to find.
 */
function deepPage(parts: StatementParts, { offset, limit }: PageParameters): PageParts {
  const target = `(SELECT newer + ${offset}::bigint FROM counted)`;
  const older = `AND (submitted_at, id) < ((SELECT end_at FROM chunk), (SELECT end_id FROM chunk))`;
  return {
    with: `,
      whole AS MATERIALIZED (
        SELECT '-infinity'::timestamptz AS at, ''::text AS id, 'infinity'::timestamptz AS end_at,
          ''::text AS end_id, 0::bigint AS skipped
        FROM counted WHERE ${offset}::bigint < total
      ),
      span AS MATERIALIZED (${seek(nodesOf(parts, 1), target, 'whole')}),
      chunk AS MATERIALIZED (${seek(nodesOf(parts, 0), target, 'span')})`,
    select: `${leadsOf(parts, older)} LIMIT ${limit}
      OFFSET ${target} - (SELECT skipped FROM chunk)`,
  };
}

/**
 * The stretch between two neighbouring nodes, inside the stretch `within`, in which the lead number
 * `target` (from 0, newest first) lies, and how many leads are newer than that stretch. The sums are
 * exact at the nodes' starts, where pending changes on either side are told apart.
 */
function seek(nodes: string, target: string, within: string): string {
  const isInside = (at: string, id: string) =>
    `(${at}, ${id}) >= ((SELECT at FROM ${within}), (SELECT id FROM ${within}))
     AND (${at}, ${id}) < ((SELECT end_at FROM ${within}), (SELECT end_id FROM ${within}))`;
  return `
    SELECT at, id, end_at, end_id, skipped FROM (
      SELECT at, id, through,
        lag(at, 1, (SELECT end_at FROM ${within})) OVER newest_first AS end_at,
        lag(id, 1, (SELECT end_id FROM ${within})) OVER newest_first AS end_id,
        lag(through, 1, (SELECT skipped FROM ${within})) OVER newest_first AS skipped
      FROM (
        SELECT at, id, bool_or(is_node) AS is_node, ((SELECT skipped FROM ${within})
          + sum(sum(leads)) OVER (ORDER BY at DESC, id DESC))::bigint AS through
        FROM (
          SELECT starts_at AS at, starts_id AS id, leads, true AS is_node
            FROM ${nodes} AND ${isInside('starts_at', 'starts_id')}
          UNION ALL SELECT at, id, 0, true FROM ${within}
          UNION ALL SELECT submitted_at, lead_id, change, false
            FROM pending WHERE ${isInside('submitted_at', 'lead_id')}
        ) AS marks GROUP BY at, id
      ) AS sums WHERE is_node WINDOW newest_first AS (ORDER BY at DESC, id DESC)
    ) AS stretches
    WHERE through > ${target} ORDER BY at DESC, id DESC LIMIT 1`;
}
