import { randomBytes } from 'node:crypto';
import type { RinpathClient } from '../client.ts';
import { RinpathConnectionError, RinpathError } from '../errors.ts';
import type { Data } from '../operations.ts';
import { webhookHeaders } from '../testing.ts';
import { limitedTo, reasonOf } from '../transport.ts';
import { keyOf } from '../webhooks.ts';
import {
  baseUrl,
  clientOf,
  httpAddress,
  keyPair,
  seconds,
  setting,
  UsageError,
} from './terminal.ts';
import type { Terminal, Values } from './terminal.ts';

type Event = Data<'listEvents'>['events'][number];

interface Receiver {
  readonly url: string;
  readonly secret: string;
  /** The brand in the names of the headers: `x-rinpath-signature`. */
  readonly slug: string;
}

const POLL_MS = 2_000;
const FIRST_WAIT_MS = 1_000;
const MAX_WAIT_MS = 30_000;
/** The service's own limit for a delivery. */
const TIMEOUT_MS = 5_000;
/** Filters by a rare event, since such a page skips up to 1,000 others; an unfiltered page has 100. */
const RARE_EVENT = 'webhook.endpoint_disabled';

/**
 * Forwards events in order until the user stops it. Each is sent until the receiver accepts it.
 * @throws UsageError, WebhookVerificationError, RinpathError, RinpathConnectionError
 */
export async function listen(values: Values, terminal: Terminal): Promise<void> {
  const { print, wait, env } = terminal;
  const url = httpAddress(setting(values, 'forward-to') ?? '', '--forward-to').href;
  const events = setting(values, 'events');
  const since = sinceOf(values);
  const given = setting(values, 'secret', env['RINPATH_WEBHOOK_SECRET']);
  const secret = given ?? `whsec_${randomBytes(32).toString('base64')}`;
  keyOf(secret);
  const slug = /^(.+)_(?:test|live)_/.exec(keyPair(values, terminal).apiKey)?.[1] ?? 'rinpath';
  const client = clientOf(values, terminal);
  const read = (query: { after?: string; limit: number }) =>
    client.listEvents({ ...query, ...(events !== undefined && { events }) });
  let after = setting(values, 'after') ?? '';
  await read({ after, limit: 1 });
  if (after === '' && since === 0) after = await newestCursor(client);
  print(`Forwarding events of ${baseUrl(values, terminal)} to ${url}. Ctrl-C stops.`);
  if (given === undefined) print(`The webhook secret, shown only now: ${secret}`);
  try {
    for (;;) {
      const page = await patiently(() => read({ after, limit: 100 }), terminal);
      for (const event of page.events) {
        if (Date.parse(event.createdAt) < since) continue;
        await forward(event, { url, secret, slug }, terminal);
      }
      after = page.next;
      if (!page.hasMore) await wait(POLL_MS);
    }
  } finally {
    if (after !== '') print(`Stopped. To continue here, use --after ${after}`);
  }
}

/** Milliseconds; 0 without `--since`. */
function sinceOf(values: Values): number {
  const text = setting(values, 'since');
  if (text === undefined) return 0;
  if (values['after'] !== undefined) throw new UsageError('Use --after or --since, not both.');
  const time = Date.parse(text);
  if (Number.isNaN(time)) {
    throw new UsageError('--since must be a time such as 2026-01-31T10:00:00Z.');
  }
  return time;
}

async function newestCursor(client: RinpathClient): Promise<string> {
  let newest = '';
  for await (const { next } of client.eachEventsPage({ events: RARE_EVENT, limit: 100 })) {
    newest = next;
  }
  return newest;
}

/** Retries beyond the client's own retries, as long as the error is temporary. */
async function patiently<T>(call: () => Promise<T>, { signal, warn, wait }: Terminal): Promise<T> {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (signal.aborted || !isTemporary(error)) throw error;
      warn(`Warning: ${error.message}; retrying in ${seconds(MAX_WAIT_MS)}.`);
      await wait(MAX_WAIT_MS);
    }
  }
}

function isTemporary(error: unknown): error is RinpathError | RinpathConnectionError {
  if (error instanceof RinpathConnectionError) return true;
  return error instanceof RinpathError && (error.status >= 500 || error.status === 429);
}

async function forward(event: Event, receiver: Receiver, terminal: Terminal): Promise<void> {
  const about = 'journeyId' in event ? event.journeyId : 'alert';
  for (let attempt = 1; ; attempt += 1) {
    const result = await post(event, attempt, receiver, terminal.signal);
    const isAccepted = /^2\d\d$/.test(result);
    const waitMs = Math.min(FIRST_WAIT_MS * 2 ** (attempt - 1), MAX_WAIT_MS);
    const end = isAccepted ? '' : `; retrying in ${seconds(waitMs)}`;
    terminal.print(`${event.createdAt} ${event.event} ${about}: ${result}${end}`);
    if (isAccepted) return;
    await terminal.wait(waitMs);
  }
}

/** Sends the same headers and bytes as the service. @returns the status, or why there is none */
async function post(
  event: Event,
  attempt: number,
  { url, secret, slug }: Receiver,
  signal: AbortSignal,
): Promise<string> {
  const body = JSON.stringify(event);
  const headers = {
    ...webhookHeaders({ body, secret, slug, attempt, subscriptionId: 'sub_listen' }),
    'user-agent': `${slug}-webhooks/1`,
  };
  const init = { method: 'POST', headers, body, redirect: 'manual' } as const;
  try {
    const response = await fetch(url, { ...init, signal: limitedTo(TIMEOUT_MS, signal) });
    await response.body?.cancel();
    return String(response.status);
  } catch (error) {
    if (signal.aborted) throw error;
    return `no response (${reasonOf(error)})`;
  }
}
