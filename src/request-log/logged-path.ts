import { isCalendarDate, parseIsoInstant } from '../platform/index.js';

interface LoggedPath {
  /** `/api/v1/partner/leads?page=2&status=…`, masked. */
  readonly path: string;
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

const MOST_WORDS = 20;

type Words = ReadonlySet<string>;

const isFigure = (value: string) => /^\d{1,6}$/.test(value);
const isId = (value: string) => ID.test(value);
const isWord = (value: string, words: Words) => words.has(value);
const areWords = (value: string, words: Words) =>
  value.split(',', MOST_WORDS + 1).every((word, index) => index < MOST_WORDS && words.has(word));

/** Each returns whether a value is a known figure, word, time or id. */
const SAFE_VALUES: Readonly<Record<string, (value: string, words: Words) => boolean>> = {
  page: isFigure,
  limit: isFigure,
  status: isWord,
  loanType: isWord,
  from: isTime,
  to: isTime,
  journeyId: isId,
  applicationId: isId,
  before: isId,
  events: areWords,
};

const known = new Map<string, KnownRoute>();

/** Below the API's prefix: `/journey/:journeyId`. */
export function routeOf(pattern: string): string {
  return knownRoute(pattern).route;
}

/**
 * Keeps our ids and known values; masks everything else, which may be personal data.
 * @param target as sent, from the root
 * @param pattern of the route
 * @param words statuses, products, events
 */
export function loggedPath(target: string, pattern: string, words: Words): LoggedPath {
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
  return { path: segments.join('/') + slash + maskedQuery(query, words), subjectId };
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

function maskedQuery(query: string | undefined, words: Words): string {
  if (query === undefined) return '';
  const parameters = query.split('&', MAX_PARAMETERS + 1);
  const shown = parameters
    .slice(0, MAX_PARAMETERS)
    .map((parameter) => maskedParameter(parameter, words));
  if (parameters.length > MAX_PARAMETERS) shown.push(MASK);
  return `?${shown.join('&')}`;
}

function maskedParameter(parameter: string, words: Words): string {
  const end = parameter.indexOf('=');
  const name = end < 0 ? parameter : parameter.slice(0, end);
  const isSafe = Object.hasOwn(SAFE_VALUES, name) ? SAFE_VALUES[name] : undefined;
  if (!isSafe) return MASK;
  if (end < 0) return name;
  const value = parameter.slice(end + 1);
  return `${name}=${isSafe(value, words) ? value : MASK}`;
}

function isTime(value: string): boolean {
  if (isCalendarDate(value)) return true;
  try {
    return (
      parseIsoInstant(decodeURIComponent(value), { timeOffset: 'Z', basicOffset: true }) !== null
    );
  } catch {
    return false;
  }
}
