/**
 * The soak's load: a process that makes all kinds of calls at a steady rate; some must be refused. It gets its order
 * over IPC and returns the statuses of each kind at the end.
 */
import { Agent, request as httpRequest } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  headlessBody,
  INITIATE_TARGET,
  type StartedJourney,
} from '../support/headless-journeys.ts';
import { demoKey, demoLoadKey, signedHeaders } from '../support/signed-client.ts';

export interface SoakOrder {
  readonly baseUrl: string;
  readonly seconds: number;
  /** Calls a second. */
  readonly rate: number;
}

/** The responses of one kind of calls. */
export interface KindResult {
  readonly kind: Kind;
  calls: number;
  /** Responses with an unexpected status, and calls without a response. */
  errors: number;
  firstError: string | null;
}

export interface SoakResult {
  readonly kinds: readonly KindResult[];
  /** Calls that were due but skipped, because too many were waiting. */
  readonly leftOut: number;
}

type Kind =
  | 'initiate'
  | 'poll for offers'
  | 'read a journey'
  | 'products'
  | 'leads'
  | 'wrong signature'
  | 'replayed nonce'
  | 'over the limit'
  | 'hosted journey'
  | 'open a link'
  | 'statement'
  | 'PDF'
  | 'search'
  | 'documentation';

interface Call {
  readonly method: 'GET' | 'POST';
  readonly target: string;
  readonly body: string;
  readonly headers: Record<string, string>;
  /** The caller's loopback address: page readers have many. */
  readonly localAddress?: string;
}

/** Out of every 32 calls. */
const SHARES: readonly (readonly [Kind, number])[] = [
  ['initiate', 3],
  ['poll for offers', 10],
  ['read a journey', 5],
  ['products', 2],
  ['leads', 2],
  ['wrong signature', 1],
  ['replayed nonce', 1],
  ['over the limit', 1],
  ['hosted journey', 1],
  ['open a link', 2],
  ['statement', 1],
  ['PDF', 1],
  ['search', 1],
  ['documentation', 1],
];
const EXPECTED: Record<Kind, readonly number[]> = {
  initiate: [200],
  'poll for offers': [200],
  'read a journey': [200],
  products: [200],
  leads: [200],
  // After many of them the address itself is refused.
  'wrong signature': [401, 429],
  'replayed nonce': [401, 429],
  'over the limit': [200, 429],
  'hosted journey': [200],
  'open a link': [200],
  statement: [200],
  PDF: [200],
  // The service limits the processor time of each address, so it refuses some calls.
  search: [200, 429],
  documentation: [200, 429],
};
const WORDS = ['signature', 'webhook retry', 'idempotency key', 'gold branch', 'rate limit', 'kyc'];
const GUIDES = ['/docs', '/docs/reference', '/docs/reference/webhook-events', '/ranking'];
const ADDRESSES = 64;
const TICK_MS = 50;
const MAX_IN_FLIGHT = 128;
const KEPT = 500;
const POLLED = 50;
const BASE = '/api/v1/partner';

const agent = new Agent({ keepAlive: true, maxSockets: MAX_IN_FLIGHT });
const loadKey = demoLoadKey();
const limitedKey = demoKey('demo');
const order = SHARES.flatMap(([kind, share]) => Array.from({ length: share }, () => kind));
const results = new Map<Kind, KindResult>(
  SHARES.map(([kind]) => [kind, { kind, calls: 0, errors: 0, firstError: null }]),
);
/** Newest last. */
const journeys: StartedJourney[] = [];
/** Paths of hosted links and of statements, newest last. */
const links: string[] = [];
const statements: string[] = [];
/** An answered call whose nonce is sent again. */
let replayed: Call | null = null;
let started = 0;

function signed(
  key = loadKey,
  method: 'GET' | 'POST' = 'GET',
  path = '/products',
  body = '',
): Call {
  const target = path.startsWith(BASE) ? path : `${BASE}${path}`;
  return { method, target, body, headers: signedHeaders(key, { method, target, body }) };
}

function callOf(kind: Kind): Call {
  switch (kind) {
    case 'initiate':
      return signed(loadKey, 'POST', INITIATE_TARGET, nextApplicant());
    case 'poll for offers':
      return readOf(journeys.at(-1 - (started % POLLED)) ?? journeys[0]);
    case 'read a journey':
      return readOf(journeys[(started * 31) % journeys.length]);
    case 'products':
      return signed();
    case 'leads':
      return signed(loadKey, 'GET', `/leads?page=${1 + (started % 5)}&limit=20`);
    case 'wrong signature':
      return wronglySigned();
    case 'replayed nonce':
      return replayed ?? wronglySigned();
    case 'over the limit':
      return signed(limitedKey);
    case 'hosted journey':
      return signed(loadKey, 'POST', INITIATE_TARGET, nextApplicant('API_HOSTED'));
    case 'open a link':
      return page(pick(links));
    case 'statement':
      return page(pick(statements));
    case 'PDF':
      return page(statements.length > 0 ? `${pick(statements)}.pdf` : undefined);
    case 'search':
      return page(`/docs/search?q=${encodeURIComponent(`${pick(WORDS)} ${started % 997}`)}`);
    case 'documentation':
      return page(pick(GUIDES));
  }
}

function pick(values: readonly string[]): string | undefined {
  return values[(started * 31) % values.length];
}

/** Until there is such a page, reads the start of the documentation. */
function page(target = '/docs'): Call {
  const headers = { accept: 'text/html', 'accept-encoding': 'gzip' };
  const localAddress = `127.0.0.${1 + (started % ADDRESSES)}`;
  return { method: 'GET', target, body: '', headers, localAddress };
}

function nextApplicant(channel: 'API_HEADLESS' | 'API_HOSTED' = 'API_HEADLESS'): string {
  const mobile = String(9_000_000_000 + ((started * 7_919) % 1_000_000_000));
  const body = headlessBody(mobile, `ABCPV${String(started % 10_000).padStart(4, '0')}K`);
  return body.replace('API_HEADLESS', channel);
}

/** Until there is a journey, reads the products. */
function readOf(journey: StartedJourney | undefined): Call {
  if (!journey) return signed();
  const call = signed(loadKey, 'GET', `/journey/${journey.journeyId}`);
  return { ...call, headers: { ...call.headers, 'x-journey-session': journey.journeySession } };
}

function wronglySigned(): Call {
  const call = signed();
  return { ...call, headers: { ...call.headers, 'x-signature': '0'.repeat(64) } };
}

interface Answer {
  readonly status: number;
  readonly text: string;
}

function send(
  baseUrl: string,
  { method, target, body, headers, localAddress }: Call,
): Promise<Answer> {
  const content = body && { 'content-type': 'application/json' };
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      `${baseUrl}${target}`,
      { method, agent, localAddress, headers: { ...headers, ...content } },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            text: Buffer.concat(chunks).toString('utf8'),
          }),
        );
      },
    );
    request.on('error', reject);
    request.end(body);
  });
}

async function make(baseUrl: string, kind: Kind): Promise<void> {
  const result = results.get(kind);
  if (!result) return;
  result.calls += 1;
  try {
    const call = callOf(kind);
    const { status, text } = await send(baseUrl, call);
    if (!EXPECTED[kind].includes(status)) throw new Error(`${status} ${text.slice(0, 300)}`);
    if (kind === 'initiate') {
      const { data } = JSON.parse(text) as { data: StartedJourney };
      const { journeyId, journeySession } = data;
      keep(journeys, { journeyId, journeySession });
    }
    if (kind === 'hosted journey') {
      keep(links, pathOf((JSON.parse(text) as { data: { hostedUrl: string } }).data.hostedUrl));
    }
    if (kind === 'poll for offers') keepStatements(text);
    if (kind === 'products') replayed ??= call;
  } catch (error) {
    result.errors += 1;
    result.firstError ??= String(error);
  }
}

function keepStatements(text: string): void {
  const { offers = [] } = (JSON.parse(text) as { data: { offers?: { kfsLink: string }[] } }).data;
  const path = offers[0] && pathOf(offers[0].kfsLink);
  if (path && !statements.includes(path)) keep(statements, path);
}

function pathOf(url: string): string {
  return new URL(url).pathname;
}

function keep<Value>(kept: Value[], value: Value): void {
  kept.push(value);
  if (kept.length > KEPT) kept.shift();
}

async function soak({ baseUrl, seconds, rate }: SoakOrder): Promise<SoakResult> {
  const startedAt = performance.now();
  let leftOut = 0;
  const inFlight = new Set<Promise<void>>();
  for (;;) {
    const passed = (performance.now() - startedAt) / 1_000;
    if (passed >= seconds) break;
    for (const due = passed * rate; started < due; started += 1) {
      // Replayed nonces age, so a new one is taken regularly.
      if (started % 5_000 === 0) replayed = null;
      if (inFlight.size >= MAX_IN_FLIGHT) {
        leftOut += 1;
        continue;
      }
      const call = make(baseUrl, order[(started * 7) % order.length] ?? 'products');
      inFlight.add(call);
      void call.finally(() => inFlight.delete(call));
    }
    await sleep(TICK_MS);
  }
  await Promise.all(inFlight);
  agent.destroy();
  return { kinds: [...results.values()], leftOut };
}

process.once('message', (message) => {
  void soak(message as SoakOrder).then((result) => {
    process.send?.(result);
    process.disconnect();
  });
});
