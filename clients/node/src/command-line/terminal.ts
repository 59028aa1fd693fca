import { RinpathClient } from '../client.ts';
import type { KeyPair } from '../signature.ts';

/** What a command gets from its process. */
export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Aborted when the user stops the command. */
  readonly signal: AbortSignal;
  readonly print: (line: string) => void;
  /** To standard error. */
  readonly warn: (line: string) => void;
  /** Rejects when the command is stopped. */
  readonly wait: (milliseconds: number) => Promise<unknown>;
  readonly readInput: () => Promise<Buffer>;
}

export type Values = Readonly<Record<string, string | boolean | undefined>>;

/** The user's input must change; the message says how. */
export class UsageError extends Error {}

const MAX_WAIT_MS = 60_000;

/** An option, else its environment variable, else undefined. */
export function setting(values: Values, option: string, env?: string): string | undefined {
  const value = values[option];
  return typeof value === 'string' ? value : env || undefined;
}

/** @throws UsageError without a key */
export function keyPair(values: Values, { env }: Terminal): KeyPair {
  const apiKey = setting(values, 'api-key', env['RINPATH_API_KEY']);
  const apiSecret = setting(values, 'api-secret', env['RINPATH_API_SECRET']);
  if (!apiKey) throw new UsageError('Set RINPATH_API_KEY to your key, or use --api-key.');
  if (!apiSecret) {
    throw new UsageError('Set RINPATH_API_SECRET to the secret of your key, or use --api-secret.');
  }
  return { apiKey, apiSecret };
}

/** The service's address, without a slash at the end. @throws UsageError */
export function baseUrl(values: Values, { env }: Terminal): string {
  const text = setting(values, 'base-url', env['RINPATH_BASE_URL']) ?? 'http://localhost:3000';
  const { origin, href } = httpAddress(text, '--base-url (RINPATH_BASE_URL)');
  if (href !== `${origin}/`) {
    throw new UsageError(`--base-url must be an address without a path: ${origin}`);
  }
  return origin;
}

/** @throws UsageError */
export function httpAddress(text: string, name: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
  throw new UsageError(`${name} must be an address such as http://localhost:3000.`);
}

/** @throws UsageError */
export function clientOf(values: Values, terminal: Terminal): RinpathClient {
  const { signal, wait, warn } = terminal;
  return new RinpathClient({
    ...keyPair(values, terminal),
    baseUrl: baseUrl(values, terminal),
    maxWaitMs: MAX_WAIT_MS,
    signal,
    wait,
    onRetry: ({ reason, waitMs }) =>
      warn(`Warning: ${reason.message}; retrying in ${seconds(waitMs)}.`),
  });
}

export function seconds(milliseconds: number): string {
  return `${Math.round(milliseconds / 100) / 10} s`;
}
