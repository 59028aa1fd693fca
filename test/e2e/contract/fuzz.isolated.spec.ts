// Isolated: a configuration with few subscriptions, and a database whose time is stopped.
import { randomUUID } from 'node:crypto';
import { Agent, type IncomingHttpHeaders, request as httpRequest } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import * as fc from 'fast-check';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TRAVEL_LOCK } from '../../../src/sandbox/store/sandbox-clock.repository.js';
import { WORKBENCH_PATH } from '../../../src/platform/index.js';
import { configurationWith } from '../../support/configuration-with.js';
import { Contract } from '../../support/contract.js';
import { journeyIn, startJourney } from '../../support/journey-driver.js';
import { inForm } from '../../support/long-form.js';
import { partnerClient, sign } from '../../support/partner-client.js';
import { sandboxCredentials } from '../../support/sandbox-credentials.js';
import { startService, type OwnService } from '../../support/service.js';
import { type FuzzRequest, fuzzRequests } from './fuzz-requests.js';

const REQUESTS = inForm({ short: 400, long: 20_000 });
const SEED = Number(process.env.FUZZ_SEED ?? Math.floor(Math.random() * 2 ** 31));
const AT_ONCE = 48;
const DEADLINE_MS = 10_000;
const A_CHUNK = 500;
const MAX_TRIES = 3;
const MAX_PROBLEMS = 10;
const MAX_JOURNEYS = 200;
const KEY = sandboxCredentials('demo', 'demo-load');

/** An existing object, for requests that pass the look-up. */
interface Known {
  readonly journeyId: string;
  readonly session: string | undefined;
  readonly offerId: string | undefined;
}

interface Received {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
let service: OwnService;
let contract: Contract;
let journeys: Known[];
let traveller: Client;
const applications: string[] = [];
const subscriptions: string[] = [];

beforeAll(async () => {
  // The service trusts the made-up X-Forwarded-For.
  const environment = { TRUST_PROXY: 'loopback' };
  const configuration = fewSubscriptions();
  service = await startService({ configFile: configuration.file, environment });
  configuration.remove();
  contract = await Contract.of(service);
  traveller = await keepTimeStill();
  journeys = await someJourneys();
}, 60_000);

afterAll(async () => {
  agent.destroy();
  await traveller.end();
  await service.close();
});

/** Otherwise the valid calls to move time would move it by years. */
async function keepTimeStill(): Promise<Client> {
  const other = new Client({ connectionString: service.databaseUrl });
  await other.connect();
  await other.query('SELECT pg_advisory_lock($1)', [TRAVEL_LOCK]);
  return other;
}

/** Every event goes to every subscription, which would be most of the work. */
function fewSubscriptions() {
  return configurationWith(({ settings }) => ({
    settings: { ...(settings as object), webhookSubscriptionsPerPartner: 3 },
  }));
}

async function someJourneys(): Promise<Known[]> {
  const partner = partnerClient(service);
  const states = ['OFFERS_RECEIVED', 'KYC_PENDING', 'BANK_ACCOUNT_PENDING', 'SANCTIONED'];
  const gold = { productCode: 'ONLINE_GOLD' };
  const started = await Promise.all([
    ...states.map((state) => journeyIn(partner, state)),
    journeyIn(partner, 'OFFER_SELECTED', gold),
    startJourney(partner, { channel: 'API_HOSTED' }),
  ]);
  return Promise.all(
    started.map(async ({ id, session }) => {
      const { json } = await partner.journey(id, session);
      applications.push(json.data.applicationId);
      return { journeyId: id, session, offerId: json.data.offers[0]?.offerId };
    }),
  );
}

const pickOf = <Item>(items: readonly Item[], pick: number): Item | undefined =>
  items[pick % Math.max(1, items.length)];

function idFor(target: string, pick: number): string {
  if (target.includes('/leads/')) return pickOf(applications, pick)!;
  if (target.includes('/webhooks/')) return pickOf(subscriptions, pick) ?? `sub_${'0'.repeat(32)}`;
  return pickOf(journeys, pick)!.journeyId;
}

let sent = 0;

/** A new address for each request; otherwise the limit of failures per address would be reached. */
function nextAddress(): string {
  sent += 1;
  return `10.${(sent >> 16) & 255}.${(sent >> 8) & 255}.${sent & 255}`;
}

function headersOf(request: FuzzRequest, target: string, body: Buffer | undefined) {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const nonce = randomUUID();
  const session = pickOf(journeys, request.pick)!.session;
  const signature = sign(request.auth === 'forged' ? 'another' : KEY.apiSecret, {
    method: request.method,
    target,
    timestamp,
    nonce,
    body: body ?? '',
  });
  return {
    'x-forwarded-for': nextAddress(),
    ...request.headers,
    ...(request.auth === 'bearer'
      ? { authorization: `Bearer ${KEY.apiKey}` }
      : { 'x-api-key': KEY.apiKey }),
    'x-timestamp': timestamp,
    'x-nonce': nonce,
    ...(request.auth !== 'unsigned' && { 'x-signature': signature }),
    ...(request.session === 'right' && session && { 'x-journey-session': session }),
    // Without it Node sends the body of a GET as another request.
    ...(body && { 'content-length': String(body.length) }),
    ...(request.session === 'wrong' && { 'x-journey-session': 'another' }),
  };
}

/** @throws Error if there is no complete response within the deadline */
function send(
  method: string,
  target: string,
  headers: Record<string, string>,
  body: Buffer | undefined,
): Promise<Received> {
  const { hostname, port } = new URL(service.baseUrl);
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(DEADLINE_MS);
    const options = { hostname, port, method, path: target, headers, agent, signal };
    const request = httpRequest(options, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const { statusCode = 0 } = response;
        resolve({ status: statusCode, headers: response.headers, body: Buffer.concat(chunks) });
      });
    });
    request.on('error', (error: NodeJS.ErrnoException) => {
      // The service closed an idle connection just as it was used again.
      const isIdleEnd = request.reusedSocket && error.code === 'ECONNRESET';
      if (isIdleEnd) resolve(send(method, target, headers, body));
      else reject(error);
    });
    request.end(body);
  });
}

/** Sends the request again if a busy machine rejects it for now. */
async function sendOrAgain(
  method: string,
  target: string,
  request: FuzzRequest,
  body: Buffer | undefined,
): Promise<Received> {
  for (let tries = 1; ; tries += 1) {
    const answer = await send(method, target, headersOf(request, target, body), body);
    const seconds = Number(answer.headers['retry-after']);
    if (answer.status !== 503 || !(seconds > 0) || tries === MAX_TRIES) return answer;
    await sleep(seconds * 1_000);
  }
}

/**
 * Sends one request; returns the problems of the response, and stores created ids. In the sandbox `/` redirects to the
 * workbench, which is no documented call.
 */
async function tryOne(request: FuzzRequest, statuses: Map<number, number>): Promise<string[]> {
  const target = request.target.replace('$id', () => idFor(request.target, request.pick));
  const offerId = pickOf(journeys, request.pick)?.offerId;
  const filled =
    typeof request.body === 'string' && offerId
      ? request.body.replace(/"off_01a1fcf153ae76b2be3e2ab68ffc4d07"/, `"${offerId}"`)
      : request.body;
  const body = filled === undefined ? undefined : Buffer.from(filled as string);
  const { method } = request;
  try {
    const answer = await sendOrAgain(method, target, request, body);
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
    remember(method, answer);
    const isOurs =
      answer.status >= 500
        ? [`a failure of the service: ${answer.status} ${answer.body.toString()}`]
        : [];
    const isFrontPage =
      target.split(/[?#]/)[0] === '/' && answer.headers.location === WORKBENCH_PATH;
    if (isFrontPage && answer.status === 303) return [];
    return [...isOurs, ...contract.problems({ method, target, ...answer })];
  } catch (error) {
    return [`no answer: ${String(error)}`];
  }
}

function remember(method: string, { status, body }: Received): void {
  if (status !== 200 || method !== 'POST') return;
  const { data } = JSON.parse(body.toString()) as { data: Record<string, string> };
  if (data.subscriptionId) subscriptions.push(data.subscriptionId);
  if (data.journeyId && journeys.length < MAX_JOURNEYS) {
    const { journeyId, journeySession: session } = data;
    journeys.push({ journeyId, session, offerId: undefined });
    applications.push(data.applicationId);
  }
}

/** Sends all requests, a few at a time, until all are sent or enough problems were found. */
async function fuzz(): Promise<{ problems: string[]; statuses: Map<number, number> }> {
  const arbitrary = fuzzRequests(contract);
  const problems: string[] = [];
  const statuses = new Map<number, number>();
  for (let done = 0; done < REQUESTS && problems.length < MAX_PROBLEMS; done += A_CHUNK) {
    const numRuns = Math.min(A_CHUNK, REQUESTS - done);
    const queue = fc.sample(arbitrary, { seed: SEED + done, numRuns });
    const worker = async () => {
      for (let request = queue.pop(); request; request = queue.pop()) {
        const found = await tryOne(request, statuses);
        if (found.length > 0)
          problems.push(`${found.join('; ')}\n  ${JSON.stringify(request).slice(0, 1_500)}`);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
  }
  return { problems, statuses };
}

describe(`${REQUESTS} requests made up from the document`, () => {
  it('get an answer that the document describes, none of them a failure of the service', async () => {
    const { problems, statuses } = await fuzz();
    const figures = JSON.stringify(Object.fromEntries(statuses));
    process.stdout.write(`fuzz: ${REQUESTS}, seed ${SEED}, ${figures}\n`);
    expect(problems, `FUZZ_SEED=${SEED}`).toEqual([]);
    // A generator of only invalid, or only valid, requests would prove nothing.
    expect((statuses.get(200) ?? 0) / REQUESTS).toBeGreaterThan(0.1);
    expect((statuses.get(400) ?? 0) / REQUESTS).toBeGreaterThan(0.1);
  }, 600_000);
});
