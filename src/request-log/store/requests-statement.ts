import { Columns } from '../../platform/index.js';
import { PartnerRequest } from './partner-request.entity.js';

const OWN = /^req_[0-9a-f]{12}7[0-9a-f]{19}$/;
const PREFIX = 'req_';
const TIME_DIGITS = 12;

export function isRequestId(text: string): boolean {
  return OWN.test(text);
}

/** Unix time in milliseconds (RFC 9562, section 5.7). */
export function timeOfRequestId(id: string): number {
  return Number.parseInt(id.slice(PREFIX.length, PREFIX.length + TIME_DIGITS), 16);
}

/** Without dashes. */
export function uuidOf(id: string): string {
  return id.slice(PREFIX.length);
}

/** Absent fields filter nothing. */
export interface RequestFilter {
  readonly statusClass?: '2xx' | '4xx' | '5xx';
  readonly code?: string;
  readonly method?: string;
  /** Below `/api/v1/partner`: `/journey/:journeyId`. */
  readonly route?: string;
  /** Part of the logged path. */
  readonly path?: string;
  /** `X-Request-Id`: ours, or the caller's own. */
  readonly requestId?: string;
  /** The first id in the path, or of what the call created. */
  readonly subjectId?: string;
  readonly keyId?: string;
}

export interface Statement {
  readonly text: string;
  readonly values: unknown[];
}

export interface Stretch {
  /** Older than this id. */
  readonly before?: string;
  readonly limit: number;
}

/** Per page. */
export const MAX_LOOKED_AT = 20_000;

const NEWEST_FIRST = 'ORDER BY at DESC, id DESC';
const FAILED: Readonly<Record<string, string>> = {
  '4xx': 'status >= 400',
  '5xx': 'status >= 500',
};
const CLASSES: Readonly<Record<string, string>> = {
  '2xx': 'status < 300',
  '4xx': 'status BETWEEN 400 AND 499',
  '5xx': 'status >= 500',
};

const shown = new Columns(PartnerRequest).selected();

interface Parts {
  readonly values: unknown[];
  readonly bind: (value: unknown) => string;
}

function parts(): Parts {
  const values: unknown[] = [];
  return { values, bind: (value) => `$${values.push(value)}` };
}

/** Constant cost. Not prepared, since the plan depends on the filter. */
export function requestsStatement(
  partnerId: string,
  filter: RequestFilter,
  { before, limit }: Stretch,
): Statement {
  const { values, bind } = parts();
  const found = indexConditions(partnerId, filter, before, bind);
  const rest = remainingConditions(filter, bind);
  const page = `${NEWEST_FIRST} LIMIT ${bind(limit)}`;
  // The limit is inside: the planner ignores an outer one.
  if (rest.length === 0) {
    return { values, text: `SELECT ${shown} FROM partner_requests WHERE ${found} ${page}` };
  }
  const looked = `SELECT * FROM partner_requests WHERE ${found} ${NEWEST_FIRST} LIMIT ${MAX_LOOKED_AT}`;
  return {
    values,
    text: `SELECT ${shown} FROM (${looked}) AS looked WHERE ${rest.join(' AND ')} ${page}`,
  };
}

/** The last row read, when there are more. */
export function lastLookedAtStatement(
  partnerId: string,
  filter: RequestFilter,
  before: string | undefined,
): Statement {
  const { values, bind } = parts();
  const found = indexConditions(partnerId, filter, before, bind);
  return {
    values,
    text: `SELECT id FROM partner_requests WHERE ${found} ${NEWEST_FIRST}
      OFFSET ${MAX_LOOKED_AT - 1} LIMIT 1`,
  };
}

export function requestStatement(partnerId: string, id: string): Statement {
  const { values, bind } = parts();
  const found = `partner_id = ${bind(partnerId)} AND ${hasId(id, bind)}`;
  return { values, text: `SELECT ${shown} FROM partner_requests WHERE ${found}` };
}

/** One row beyond `MAX_LOOKED_AT` shows that there are more. */
export function endsStatement(partnerId: string, since: Date): Statement {
  const { values, bind } = parts();
  return {
    text: `SELECT status, code, count(*)::integer AS count FROM (
        SELECT status, code FROM partner_requests
        WHERE partner_id = ${bind(partnerId)} AND at >= ${bind(since)} ${NEWEST_FIRST}
        LIMIT ${MAX_LOOKED_AT + 1}
      ) AS looked GROUP BY status, code ORDER BY count DESC, status, code`,
    values,
  };
}

function indexConditions(
  partnerId: string,
  filter: RequestFilter,
  before: string | undefined,
  bind: Parts['bind'],
): string {
  const found = [`partner_id = ${bind(partnerId)}`];
  if (filter.requestId !== undefined) found.push(hasRequestId(filter.requestId, bind));
  else if (filter.subjectId !== undefined) found.push(`subject_id = ${bind(filter.subjectId)}`);
  else if (filter.code !== undefined) found.push(`code = ${bind(filter.code)}`);
  else if (filter.statusClass && filter.statusClass in FAILED)
    found.push(FAILED[filter.statusClass]);
  else if (filter.method && filter.method !== 'GET' && filter.route !== undefined) {
    const [method, route] = [bind(filter.method), bind(filter.route)];
    found.push(`method <> 'GET' AND method = ${method} AND route = ${route}`);
  }
  if (before !== undefined) {
    // Both: only the plain condition prunes partitions.
    const [time, id] = [timeOf(before, bind), bind(uuidOf(before))];
    found.push(`at <= ${time} AND (at, id) < (${time}, ${id}::uuid)`);
  }
  return found.join(' AND ');
}

function hasRequestId(requestId: string, bind: Parts['bind']): string {
  const given = `given_id = ${bind(requestId)}`;
  // A caller may send one of our request ids as its own.
  return isRequestId(requestId) ? `(${hasId(requestId, bind)} OR ${given})` : given;
}

function hasId(id: string, bind: Parts['bind']): string {
  return `at = ${timeOf(id, bind)} AND id = ${bind(uuidOf(id))}`;
}

function remainingConditions(filter: RequestFilter, bind: Parts['bind']): string[] {
  const { subjectId, code, statusClass, method, route, keyId, path } = filter;
  const rest: string[] = [];
  const isById = filter.requestId !== undefined;
  if (subjectId !== undefined && isById) rest.push(`subject_id = ${bind(subjectId)}`);
  if (code !== undefined && (isById || subjectId !== undefined)) rest.push(`code = ${bind(code)}`);
  if (statusClass !== undefined) rest.push(CLASSES[statusClass]);
  if (method !== undefined) rest.push(`method = ${bind(method)}`);
  if (route !== undefined) rest.push(`route = ${bind(route)}`);
  if (keyId !== undefined) rest.push(`key_id = ${bind(keyId)}`);
  if (path !== undefined) rest.push(`position(${bind(path)} IN path) > 0`);
  return rest;
}

function timeOf(id: string, bind: Parts['bind']): string {
  return `${bind(new Date(timeOfRequestId(id)))}::timestamptz`;
}
