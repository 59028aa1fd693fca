import { setTimeout as sleep } from 'node:timers/promises';
import { RinpathConnectionError, RinpathError } from './errors.ts';
import type { InvalidField } from './errors.ts';
import { signedHeaders } from './signature.ts';
import type { KeyPair } from './signature.ts';

export interface TransportOptions extends KeyPair {
  /** The service's address, for example `https://loans.example`. */
  readonly baseUrl: string;
  /** Time limit of one attempt; default: 15 seconds. */
  readonly timeoutMs?: number;
  /** Attempts per call; default: 4. */
  readonly maxAttempts?: number;
  /** The longest wait between two attempts; default: 30 seconds. A longer `Retry-After` ends the retries. */
  readonly maxWaitMs?: number;
  /** Called before each retry, for a log. Gets no body and no secret. */
  readonly onRetry?: (retry: Retry) => void;
  /** Aborts calls, and ends their retries. */
  readonly signal?: AbortSignal;
  /** Waits between two attempts; for tests. */
  readonly wait?: (milliseconds: number) => Promise<unknown>;
}

export interface Retry {
  readonly method: string;
  readonly path: string;
  /** The attempt that failed, from 1. */
  readonly attempt: number;
  readonly waitMs: number;
  readonly reason: RinpathError | RinpathConnectionError;
}

export interface Call {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Under `/api/v1/partner`, parameters already percent-encoded. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly body?: unknown;
  /** Sent with every attempt, so that the service deduplicates them. */
  readonly idempotencyKey?: string;
  /** Of a headless journey. */
  readonly journeySession?: string;
  readonly acceptLanguage?: string;
}

const PREFIX = '/api/v1/partner';
const FIRST_WAIT_MS = 500;

/** These refusals changed nothing, so every call can be retried. */
const NOTHING_DONE = new Set(['rate_limited', 'lender_unavailable', 'idempotency_in_flight']);

/** Signs, sends and retries calls. A retry has the same body and key, and a new nonce. */
export class Transport {
  readonly #base: URL;
  readonly #options: TransportOptions;

  constructor(options: TransportOptions) {
    for (const name of ['apiKey', 'apiSecret'] as const) {
      if (!options[name]) throw new TypeError(`${name} is missing`);
    }
    this.#base = new URL(options.baseUrl);
    if (this.#base.pathname !== '/' || this.#base.search !== '') {
      // The signature covers the path that the service receives.
      throw new TypeError('baseUrl must be an address without a path: https://loans.example');
    }
    this.#options = options;
  }

  /**
   * @returns `data` of the response
   * @throws RinpathError when the service refuses the call
   * @throws RinpathConnectionError without a response
   */
  async send<T>(call: Call): Promise<T> {
    const maxAttempts = this.#options.maxAttempts ?? 4;
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#sendOnce<T>(call);
      } catch (error) {
        const isOurs = error instanceof RinpathError || error instanceof RinpathConnectionError;
        const isLast = attempt >= maxAttempts || this.#options.signal?.aborted === true;
        if (!isOurs || isLast || !mayRepeat(call, error)) throw error;
        const waitMs = waitBefore(attempt, error);
        if (waitMs > (this.#options.maxWaitMs ?? 30_000)) throw error;
        const { method, path } = call;
        this.#options.onRetry?.({ method, path, attempt, waitMs, reason: error });
        await (this.#options.wait ?? sleep)(waitMs);
      }
    }
  }

  async #sendOnce<T>(call: Call): Promise<T> {
    const target = this.#targetOf(call);
    // Serialise once, so that the signed text is the sent text.
    const rawBody = call.body === undefined ? '' : JSON.stringify(call.body);
    const headers = {
      ...signedHeaders({ method: call.method, target, rawBody }, this.#options),
      ...otherHeaders(call, rawBody),
    };
    const { response, text } = await this.#exchange(target, {
      method: call.method,
      headers,
      redirect: 'error',
      signal: limitedTo(this.#options.timeoutMs ?? 15_000, this.#options.signal),
      ...(rawBody === '' ? {} : { body: rawBody }),
    });
    const answer = objectOf(text);
    if (response.ok && answer?.['success'] === true) return answer['data'] as T;
    throw refusalOf(response, answer);
  }

  async #exchange(
    target: string,
    init: RequestInit,
  ): Promise<{ response: Response; text: string }> {
    try {
      const response = await fetch(new URL(target, this.#base), init);
      return { response, text: await response.text() };
    } catch (error) {
      const path = target.split('?')[0];
      const message = `No response to ${init.method} ${path}: ${reasonOf(error)}`;
      throw new RinpathConnectionError(message, error);
    }
  }

  #targetOf({ path, query = {} }: Call): string {
    const search = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) search.set(name, String(value));
    }
    return PREFIX + path + (search.size === 0 ? '' : `?${search.toString()}`);
  }
}

/** Aborted after this time, or with `signal`. */
export function limitedTo(milliseconds: number, signal?: AbortSignal): AbortSignal {
  const timeout = AbortSignal.timeout(milliseconds);
  return signal ? AbortSignal.any([signal, timeout]) : timeout;
}

/** `fetch failed` gives no reason; its cause does, by its code if several addresses failed. */
export function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (!(cause instanceof Error)) return String(cause);
  return cause.message || (cause as NodeJS.ErrnoException).code || cause.name;
}

function otherHeaders(call: Call, rawBody: string): Record<string, string> {
  return {
    accept: 'application/json',
    ...(rawBody === '' ? {} : { 'content-type': 'application/json' }),
    ...(call.idempotencyKey === undefined ? {} : { 'idempotency-key': call.idempotencyKey }),
    ...(call.journeySession === undefined ? {} : { 'x-journey-session': call.journeySession }),
    ...(call.acceptLanguage === undefined ? {} : { 'accept-language': call.acceptLanguage }),
  };
}

function mayRepeat(call: Call, error: RinpathError | RinpathConnectionError): boolean {
  if (error instanceof RinpathError && NOTHING_DONE.has(error.code)) return true;
  const isSafe = call.method === 'GET' || call.idempotencyKey !== undefined;
  return isSafe && (error instanceof RinpathConnectionError || error.status >= 500);
}

/** `Retry-After`, else doubling, with up to half of it as jitter. */
function waitBefore(attempt: number, error: RinpathError | RinpathConnectionError): number {
  const asked = error instanceof RinpathError ? error.retryAfterSeconds : undefined;
  if (asked !== undefined) return asked * 1_000;
  return FIRST_WAIT_MS * 2 ** (attempt - 1) * (1 - Math.random() / 2);
}

function refusalOf(response: Response, answer: Record<string, unknown> | undefined): RinpathError {
  const { status, headers } = response;
  const { error, code, details, hint } = answer ?? {};
  return new RinpathError({
    status,
    code: typeof code === 'string' ? code : 'unreadable_answer',
    message: typeof error === 'string' ? error : `The answer ${status} is not from the service`,
    details: Array.isArray(details) ? (details as InvalidField[]) : [],
    hint,
    requestId: headers.get('x-request-id') ?? undefined,
    retryAfterSeconds: secondsOf(headers.get('retry-after')),
    clockOffsetSeconds: clockOffsetOf(headers.get('date')),
  });
}

function secondsOf(text: string | null): number | undefined {
  return text !== null && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

function clockOffsetOf(date: string | null): number | undefined {
  const theirs = Date.parse(date ?? '');
  return Number.isNaN(theirs) ? undefined : Math.round((Date.now() - theirs) / 1_000);
}

function objectOf(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
