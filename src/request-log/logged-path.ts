/** A path as the log keeps it. */
export interface LoggedPath {
  /** `/api/v1/partner/leads?page=2&status=…`: as called, with what may be anything masked. */
  readonly path: string;
  /** The first id in it. */
  readonly subjectId: string | null;
}

interface KnownRoute {
  readonly segments: readonly string[];
  readonly route: string;
}

const PREFIX = /^\/?(api\/)?v1\/partner/;
const ID = /^[a-z]{3}_[0-9a-f]{32}$/;
const MASK = '…';
const MAX_PARAMETERS = 20;

const TIME = /^\d{4}-\d{2}-\d{2}(T[\d:.%+ABZ-]{1,30})?$/;

/** Query parameters, each with the values that are no more than a choice, a figure, a time or an id. */
const SAFE_VALUES: Readonly<Record<string, RegExp>> = {
  page: /^\d{1,6}$/,
  limit: /^\d{1,6}$/,
  status: /^([A-Z_]{1,32}|[a-z_]{1,32})$/,
  loanType: /^[A-Z_]{1,32}$/,
  from: TIME,
  to: TIME,
  before: ID,
  // Of `GET /events`: a cursor, and names of events.
  after: /^evc_[A-Za-z0-9_-]{1,80}$/,
  events: /^[a-z_.]{1,40}(,[a-z_.]{1,40}){0,19}$/,
};

const known = new Map<string, KnownRoute>();

/** A route’s pattern below the prefix of the API: `/journey/:journeyId`. */
export function routeOf(pattern: string): string {
  return knownRoute(pattern).route;
}

/**
 * The path of a call, with our ids in it and without anything else that a caller chose: a segment in an
 * id’s place that is no id, and a value that is not one of its parameter’s, may be a name or a number of
 * somebody.
 * @param target the request target as sent, from the root
 * @param pattern the route that it was served by
 */
export function loggedPath(target: string, pattern: string): LoggedPath {
  const [path, query] = split(target);
  const actual = path.split('/');
  let subjectId: string | null = null;
  const segments = knownRoute(pattern).segments.map((segment, index) => {
    const given = actual[index] ?? '';
    if (!segment.startsWith(':')) return given.toLowerCase() === segment ? given : segment;
    if (!ID.test(given)) return segment;
    subjectId ??= given;
    return given;
  });
  const slash = actual.length > segments.length ? '/' : '';
  return { path: segments.join('/') + slash + maskedQuery(query), subjectId };
}

function split(target: string): [path: string, query: string | undefined] {
  const start = target.indexOf('?');
  return start < 0 ? [target, undefined] : [target.slice(0, start), target.slice(start + 1)];
}

function knownRoute(pattern: string): KnownRoute {
  const kept = known.get(pattern);
  if (kept) return kept;
  const rooted = pattern.startsWith('/') ? pattern : `/${pattern}`;
  const made = { segments: rooted.split('/'), route: rooted.replace(PREFIX, '') || '/' };
  known.set(pattern, made);
  return made;
}

function maskedQuery(query: string | undefined): string {
  if (query === undefined) return '';
  const parameters = query.split('&', MAX_PARAMETERS + 1);
  const shown = parameters.slice(0, MAX_PARAMETERS).map(maskedParameter);
  if (parameters.length > MAX_PARAMETERS) shown.push(MASK);
  return `?${shown.join('&')}`;
}

function maskedParameter(parameter: string): string {
  const end = parameter.indexOf('=');
  const name = end < 0 ? parameter : parameter.slice(0, end);
  const safe = Object.hasOwn(SAFE_VALUES, name) ? SAFE_VALUES[name] : undefined;
  if (!safe) return MASK;
  if (end < 0) return name;
  const value = parameter.slice(end + 1);
  return `${name}=${safe.test(value) ? value : MASK}`;
}
