// Isolated: a configuration with few subscriptions, and a database whose time does not move.
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
import { type Answer, type PartnerClient, partnerClient } from '../../support/partner-client.js';
import { startService, type OwnService } from '../../support/service.js';
import { type FuzzRequest, fuzzRequests } from './fuzz-requests.js';

const REQUESTS = inForm({ short: 400, long: 20_000 });
const SEED = Number(process.env.FUZZ_SEED ?? Math.floor(Math.random() * 2 ** 31));
/** Few, so that no request waits long on a busy machine. */
const AT_ONCE = 8;
const A_CHUNK = 500;
const MAX_TRIES = 3;
const MAX_PROBLEMS = 10;
const MAX_JOURNEYS = 200;

/** An existing object, for requests that pass the look-up. */
interface Known {
  readonly journeyId: string;
  readonly session: string | undefined;
  readonly offerId: string | undefined;
}

let service: OwnService;
let partner: PartnerClient;
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
  partner = partnerClient(service);
  contract = await Contract.of(service);
  traveller = await keepTimeStill();
  journeys = await someJourneys();
}, 60_000);

afterAll(async () => {
  await traveller.end();
  await service.close();
});

/** Otherwise valid calls would move the time by years. */
async function keepTimeStill(): Promise<Client> {
  const other = new Client({ connectionString: service.databaseUrl });
  await other.connect();
  await other.query('SELECT pg_advisory_lock($1)', [TRAVEL_LOCK]);
  return other;
}

/** Every event goes to every subscription: without this limit, deliveries would be most of the work. */
function fewSubscriptions() {
  return configurationWith(({ settings }) => ({
    settings: { ...(settings as object), webhookSubscriptionsPerPartner: 3 },
  }));
}

async function someJourneys(): Promise<Known[]> {
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

/** Retries when the service is busy. */
async function send(target: string, request: FuzzRequest, body?: Buffer): Promise<Answer> {
  const { auth, method, session } = request;
  const own = pickOf(journeys, request.pick)!.session;
  const options = {
    body,
    session: { right: own, wrong: 'another', none: undefined }[session],
    bearer: auth === 'bearer',
    overrides: auth === 'forged' ? { apiSecret: 'another' } : {},
  };
  for (let tries = 1; ; tries += 1) {
    const unsigned = auth === 'unsigned' && { 'x-signature': null };
    const headers = { 'x-forwarded-for': nextAddress(), ...request.headers, ...unsigned };
    const answer = await partner.request(method, target, { ...options, headers });
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
    const answer = await send(target, request, body);
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

function remember(method: string, { status, json }: Answer): void {
  if (status !== 200 || method !== 'POST') return;
  const data = json.data as Record<string, string>;
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
