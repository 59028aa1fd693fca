import { Columns } from '../../platform/index.js';
import { Application } from './application.entity.js';

const LISTED = [
  'id',
  'loanType',
  'loanAmount',
  'loanAmountSource',
  'status',
  'journeyId',
  'referenceSealed',
  'submittedAt',
] as const;

/** Absent fields filter nothing. */
export interface LeadsFilter {
  readonly status?: string;
  readonly loanType?: string;
  /** Both inclusive. */
  readonly from?: Date;
  readonly to?: Date;
  /** Either matches at most one lead. */
  readonly journeyId?: string;
  readonly applicationId?: string;
  /** Hashes of the `clientReferenceId`; several leads may have it. */
  readonly referenceHashes?: readonly string[];
}

export type ListedLead = Pick<Application, (typeof LISTED)[number]>;

export const LISTED_COLUMNS = new Columns(Application).selected(LISTED);

/** Of the filtered list, newest first. */
export interface Stretch {
  readonly offset: number;
  readonly limit: number;
}

export interface Statement {
  readonly text: string;
  readonly values: unknown[];
}

/** Up to here leads are skipped singly, beyond by whole days. */
const STEPS = 200;

interface StatementParts {
  readonly values: unknown[];
  /** Adds a value and returns its parameter (`$1`). */
  readonly bind: (value: unknown) => string;
  readonly partner: string;
  /** SQL; null when absent. */
  readonly from: string | null;
  readonly to: string | null;
  /** The filter on `applications` and `lead_count_deltas`. */
  readonly isListed: string;
  /** The filter on `lead_counts`. */
  readonly isCounted: string;
}

/**
 * One snapshot for page and total. Never prepared: a plan for a hundred leads is slow for a
 * million.
 * @param steps lowered by a test
 */
export function leadsPageStatement(
  partnerId: string,
  filter: LeadsFilter,
  { offset, limit }: Stretch,
  steps = STEPS,
): Statement {
  const parts = partsOf(partnerId, filter);
  const at = { offset: parts.bind(offset), limit: parts.bind(limit) };
  const page = offset > steps ? deepPage(parts, at) : nearPage(parts, at);
  return {
    values: parts.values,
    text: `
      WITH days AS MATERIALIZED (${countsByDay(parts)}),
      counted AS MATERIALIZED (${counted(parts)})
      ${page.with}
      SELECT counted.total, one.* FROM counted LEFT JOIN LATERAL (${page.select}) AS one ON true
      ORDER BY one."submittedAt" DESC, one.id DESC`,
  };
}

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
        WHERE id = ${edge} AND partner_id = ${parts.partner}
      )
      ${leadsOf(parts, older)} LIMIT ${limit}`,
  };
}

function partsOf(partnerId: string, filter: LeadsFilter): StatementParts {
  const values: unknown[] = [];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const optional = (value: unknown) => (value === undefined ? null : bind(value));
  const partner = bind(partnerId);
  const loanType = optional(filter.loanType);
  const status = optional(filter.status);
  const from = optional(filter.from);
  const to = optional(filter.to);
  return {
    values,
    bind,
    partner,
    from: from && `${from}::timestamptz`,
    to: to && `${to}::timestamptz`,
    isListed: [
      `partner_id = ${partner}`,
      ...(loanType ? [`loan_type = ${loanType}`] : []),
      ...(status ? [`status = ${status}`] : []),
    ].join(' AND '),
    isCounted: `partner_id = ${partner} AND loan_type = ${loanType ?? `''`} AND status = ${status ?? `''`}`,
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

/** SQL for the day in India, and its first moment. */
const dayOf = (moment: string) => `(${moment} AT TIME ZONE 'Asia/Kolkata')::date`;
const startOf = (day: string) => `((${day})::timestamp AT TIME ZONE 'Asia/Kolkata')`;

function leadsOf({ isListed, from }: StatementParts, bound: string): string {
  return `SELECT ${LISTED_COLUMNS} FROM applications
    WHERE ${isListed} ${from === null ? '' : `AND submitted_at >= ${from}`} ${bound} ${NEWEST_FIRST}`;
}

function countsByDay({ isListed, isCounted, from, to }: StatementParts): string {
  const isWithin = [
    from === null ? '' : ` AND day >= ${dayOf(from)}`,
    to === null ? '' : ` AND day <= ${dayOf(to)}`,
  ].join('');
  return `
    SELECT day, sum(leads)::bigint AS leads FROM (
      SELECT day, leads FROM lead_counts WHERE ${isCounted}${isWithin}
      UNION ALL
      SELECT day, change FROM lead_count_deltas WHERE ${isListed}${isWithin}
    ) AS counts GROUP BY day`;
}

/** Whole days minus the leads outside `from` and `to` (`newer`). */
function counted({ isListed, from, to }: StatementParts): string {
  const leads = (isBeside: string) =>
    `(SELECT count(*) FROM applications WHERE ${isListed} AND ${isBeside})`;
  const older =
    from === null
      ? '0'
      : leads(`submitted_at >= ${startOf(dayOf(from))} AND submitted_at < ${from}`);
  const newer =
    to === null
      ? '0'
      : leads(`submitted_at > ${to} AND submitted_at < ${startOf(`${dayOf(to)} + 1`)}`);
  return `
    SELECT newer::bigint, greatest(0, whole - older - newer)::bigint AS total
    FROM (SELECT (SELECT coalesce(sum(leads), 0) FROM days) AS whole, ${older} AS older,
      ${newer} AS newer OFFSET 0) AS sums`;
}

function nearPage(parts: StatementParts, { offset, limit }: PageParameters): PageParts {
  const until = parts.to === null ? '' : `AND submitted_at <= ${parts.to}`;
  return {
    with: '',
    select: `${leadsOf(parts, until)} LIMIT ${limit} OFFSET ${offset}::bigint`,
  };
}

/** Finds the page's first day; past the last page there is none. */
function deepPage(parts: StatementParts, { offset, limit }: PageParameters): PageParts {
  const target = `(SELECT newer + ${offset}::bigint FROM counted WHERE ${offset}::bigint < total)`;
  return {
    with: `,
      first AS MATERIALIZED (
        SELECT ${startOf('day + 1')} AS ends_at, through - leads AS skipped
        FROM (SELECT day, leads, sum(leads) OVER (ORDER BY day DESC) AS through FROM days) AS sums
        WHERE through > ${target} ORDER BY day DESC LIMIT 1
      )`,
    select: `${leadsOf(parts, 'AND submitted_at < (SELECT ends_at FROM first)')} LIMIT ${limit}
      OFFSET ${target} - (SELECT skipped FROM first)`,
  };
}
