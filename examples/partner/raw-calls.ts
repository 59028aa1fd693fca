import { freshStamp, signedHeaders } from '../../clients/node/src/index.ts';
import type { RequestStamp } from '../../clients/node/src/index.ts';
import type { Checks } from './checks.ts';
import type { Credentials } from './credentials.ts';

export type Method = 'GET' | 'POST' | 'DELETE';

export interface CallOptions {
  body?: unknown;
  /** Authorizes calls on a headless journey; never goes into Authorization. */
  session?: string | undefined;
  headers?: Record<string, string>;
  prefix?: string;
  /** Authentication to falsify, for checks of refusals. */
  forge?: Partial<RequestStamp> & { signature?: string };
}

export interface Answer<T = unknown> {
  status: number;
  headers: Headers;
  success: boolean;
  data: T | undefined;
  error: string;
  details: { field: string; message: string }[];
  /** Faults of the response's form; empty when it is as agreed. */
  faults: string[];
}

const DEFAULT_PREFIX = '/api/v1/partner';
const REQUEST_TIMEOUT_MS = 15_000;

/** The service responded unexpectedly, so the scenario cannot continue. */
export class UnexpectedAnswer extends Error {}

/** Raw calls, falsified on request; checks every response's envelope. */
export class RawCalls {
  readonly #credentials: Credentials;
  readonly #checks: Checks;

  constructor(credentials: Credentials, checks: Checks) {
    this.#credentials = credentials;
    this.#checks = checks;
  }

  /** For calls that must succeed. @throws UnexpectedAnswer on any status but 200. */
  async call<T>(method: Method, path: string, options: CallOptions = {}): Promise<T> {
    const answer = await this.send<T>(method, path, options);
    if (!this.#look(method, path, answer, 200) || answer.data === undefined) {
      throw new UnexpectedAnswer(`${method} ${path}: ${answer.status} ${answer.error}`);
    }
    return answer.data;
  }

  /** For calls that must get this error status. */
  async refused(
    method: Method,
    path: string,
    status: number,
    options: CallOptions = {},
  ): Promise<Answer> {
    const answer = await this.send(method, path, options);
    this.#look(method, path, answer, status);
    return answer;
  }

  /** Sends once and accepts any status. */
  async send<T>(method: Method, path: string, options: CallOptions = {}): Promise<Answer<T>> {
    const url = new URL(this.#credentials.baseUrl + (options.prefix ?? DEFAULT_PREFIX) + path);
    // Serialise once, so that the signed text is the sent text.
    const rawBody = options.body === undefined ? '' : JSON.stringify(options.body);
    const init: RequestInit = {
      method,
      headers: this.#headers(method, url, rawBody, options),
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    };
    if (rawBody) init.body = rawBody;
    const response = await fetch(url, init);
    return readAnswer<T>(response, await response.text());
  }

  #headers(
    method: Method,
    url: URL,
    rawBody: string,
    options: CallOptions,
  ): Record<string, string> {
    const { signature, ...forgedStamp } = options.forge ?? {};
    const request = { method, target: url.pathname + url.search, rawBody };
    const stamp = { ...freshStamp(), ...forgedStamp };
    const headers: Record<string, string> = {
      ...signedHeaders(request, this.#credentials, stamp),
      ...(signature === undefined ? {} : { 'x-signature': signature }),
      ...options.headers,
    };
    // Sends the key as a bearer token: the client's calls already test `x-api-key`.
    headers['authorization'] = `Bearer ${headers['x-api-key']}`;
    delete headers['x-api-key'];
    if (rawBody) headers['content-type'] = 'application/json';
    if (options.session) headers['x-journey-session'] = options.session;
    return headers;
  }

  #look(method: Method, path: string, answer: Answer, wanted: number): boolean {
    const remaining = answer.headers.get('ratelimit-remaining');
    const faults = [...answer.faults];
    if (answer.status !== wanted) faults.push(`wanted ${wanted}, error "${answer.error}"`);
    const reason = answer.error ? ` "${answer.error}"` : '';
    const line = `${method} ${path} answers ${answer.status}${reason}, ${remaining} requests left`;
    this.#checks.that(faults.length === 0, line, faults);
    return answer.status === wanted;
  }
}

function readAnswer<T>(response: Response, text: string): Answer<T> {
  const faults: string[] = [];
  const body = parseObject(text);
  if (!body) faults.push('the body is not a JSON object');
  const success = body?.['success'];
  const error = body?.['error'];
  const data = body?.['data'];
  if (success !== response.ok) faults.push('success does not match the status');
  if (response.ok && !isFields(data)) faults.push('data is missing');
  if (!response.ok && (typeof error !== 'string' || !error)) faults.push('error is missing');
  if (!/^\d+$/.test(response.headers.get('ratelimit-remaining') ?? '')) {
    faults.push('RateLimit-Remaining is missing or not a number');
  }
  return {
    status: response.status,
    headers: response.headers,
    success: success === true,
    // Only checks for an object; the callers check the fields.
    data: isFields(data) ? (data as T) : undefined,
    error: typeof error === 'string' ? error : '',
    details: readDetails(body?.['details']),
    faults,
  };
}

function readDetails(value: unknown): Answer['details'] {
  const items: unknown[] = Array.isArray(value) ? value : [];
  return items
    .filter(isFields)
    .map(({ field, message }) => ({ field: String(field), message: String(message) }));
}

function isFields(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isFields(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
