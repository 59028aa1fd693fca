import type { IncomingHttpHeaders } from 'node:http';
import { Fault } from '../errors/fault.js';
import { validated, type Validatable } from '../validation/validated.js';
import { fromRequest } from './from-request.js';
import type { RawRequest } from './partner-routes.js';
import { isObject, isRecord } from '../validation/json-object.js';

const JSON_TYPE = /^\s*(application|text)\/([\w.+-]+\+)?json\s*(;|$)/i;
const OTHER_CHARSET = /;\s*charset\s*=\s*(?!"?(utf-8|us-ascii)"?\s*(;|$))/i;
const MAX_NESTING = 32;
/** Counts fields and items at any depth. Validating 12,000 takes a second. */
const MAX_VALUES = 2_000;

/**
 * Runs after the guards.
 * @throws Fault malformed_json (not UTF-8, no object, too deep or too large),
 * unsupported_media_type (wrong header)
 */
export function parseJsonBody(
  bytes: Buffer,
  headers: IncomingHttpHeaders = {},
): Record<string, unknown> {
  let parsed: unknown;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    parsed = JSON.parse(text);
  } catch (error) {
    const message = bytes.length > 0 ? explanationIn(headers) : undefined;
    throw new Fault(message ? 'unsupported_media_type' : 'malformed_json', {
      message,
      cause: error,
    });
  }
  if (!isRecord(parsed)) {
    throw new Fault('malformed_json', { message: 'The body must be a JSON object' });
  }
  const values = countValues(parsed);
  if (values === Infinity) {
    throw new Fault('malformed_json', { message: 'The body is nested too deeply' });
  }
  if (values > MAX_VALUES) {
    throw new Fault('malformed_json', { message: 'The body has too many values' });
  }
  return parsed;
}

/** Undefined when the headers declare JSON, or nothing. */
function explanationIn(headers: IncomingHttpHeaders): string | undefined {
  const encoding = headers['content-encoding']?.trim().toLowerCase();
  if (encoding && encoding !== 'identity') {
    return 'Content-Encoding is not supported; send the body uncompressed';
  }
  const type = headers['content-type'];
  if (!type || (JSON_TYPE.test(type) && !OTHER_CHARSET.test(type))) return undefined;
  return 'The Content-Type header must be application/json, in UTF-8';
}

/** Infinity when nested deeper than `MAX_NESTING`. */
function countValues(value: unknown, depth = 0): number {
  if (!isObject(value)) return 0;
  if (depth > MAX_NESTING) return Infinity;
  const children: unknown[] = Object.values(value);
  return children.reduce<number>((sum, child) => sum + 1 + countValues(child, depth + 1), 0);
}

function bodyOf({ rawBody, headers }: RawRequest): Record<string, unknown> {
  return parseJsonBody(rawBody, headers);
}

/** Not validated. */
export const JsonBody = fromRequest(bodyOf);

export const ValidBody = fromRequest((request: RawRequest, shape: Validatable) =>
  validated(shape, bodyOf(request)),
);

/** Recursion would fail on thousands of levels. */
export function isDeeper(value: unknown, levels: number): boolean {
  if (!isObject(value)) return false;
  return levels === 0 || Object.values(value).some((member) => isDeeper(member, levels - 1));
}
