import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { ALONE } from '../support/alone.ts';
import type { BenchServer } from '../support/bench-server.ts';
import { type ServiceProcess, startBuiltService } from '../support/built-service.ts';
import { createDatabase } from '../support/create-database.ts';
import type { DriveOrder } from '../support/drive.ts';
import { Driver } from '../support/driver.ts';
import { headlessBody, INITIATE_TARGET, startJourneys } from '../support/headless-journeys.ts';
import { demoLoadKey } from '../support/signed-client.ts';
import { startYardstick, type Yardstick } from '../support/yardstick.ts';

export const POOL_SIZE = 10;
export const REQUESTS = 6_000;
export const INITIATE_REQUESTS = 2_000;
const JOURNEYS = 200;
const PARTNER = 'demo';
const QUIET_MS = 120_000;

export interface Contestant {
  readonly name: string;
  readonly ports: readonly number[];
  readonly pids: readonly number[];
  /** The same rows are written, but lenders are asked hours later. */
  readonly areLendersHeld?: boolean;
}

export interface Call {
  readonly name: string;
  readonly requests: number;
  readonly order: Omit<DriveOrder, 'port' | 'connections' | 'requests' | 'apiKey' | 'apiSecret'>;
}

export interface Bench {
  readonly dataDir: string;
  readonly url: string;
  readonly variables: Readonly<Record<string, string>>;
  readonly driver: Driver;
  readonly client: Client;
  readonly plan: readonly { name: string; call: Call; contestants: readonly Contestant[] }[];
  readonly everyone: readonly Contestant[];
}

/** @param closing receives the functions that end everything, called in reverse */
export async function setUp(server: BenchServer, closing: (() => unknown)[]): Promise<Bench> {
  const url = await createDatabase(server.url, 'calls');
  const variables = { DATABASE_POOL: String(POOL_SIZE), NODE_ENV: 'production' };
  const one = await startBuiltService(url, variables);
  closing.push(() => one.stop());
  const client = new Client({ connectionString: url });
  await client.connect();
  closing.push(() => client.end());
  for (const file of ['../yardsticks/tables.sql', '../support/hold-lenders.sql']) {
    await client.query(readFileSync(new URL(file, import.meta.url), 'utf8'));
  }
  const two = await startBuiltService(url, variables);
  closing.push(() => two.stop());
  const key = demoLoadKey();
  const settings = { databaseUrl: url, ...key, partnerId: PARTNER, poolSize: POOL_SIZE };
  const yardsticks = new Map<string, Contestant>();
  for (const name of ['bare', 'fastify', 'plain-nest']) {
    const yardstick = await startYardstick(name, settings);
    closing.push(() => yardstick.stop());
    yardsticks.set(name, contestantOf(name, yardstick));
  }
  const driver = new Driver();
  closing.push(() => driver.close());
  const service = serviceOf('Rinpath', [one]);
  const held = { ...service, name: 'Rinpath, lenders asked later', areLendersHeld: true };
  const pair = serviceOf('Rinpath, two replicas', [one, two]);
  const [bare, fastify, nest] = [...yardsticks.values()] as [Contestant, Contestant, Contestant];
  const read = await readCall(client, service);
  return {
    dataDir: server.dataDir,
    url,
    variables,
    driver,
    client,
    plan: [
      { name: 'journey', call: read, contestants: [bare, service, pair, fastify, nest] },
      { name: 'products', call: PRODUCTS, contestants: [bare, service, fastify, nest] },
      { name: 'initiate', call: INITIATE, contestants: [bare, held, service] },
    ],
    everyone: [bare, service, fastify, nest],
  };
}

export const INITIATE: Call = {
  name: 'POST /journey/initiate',
  requests: INITIATE_REQUESTS,
  order: {
    method: 'POST',
    targets: [INITIATE_TARGET],
    body: headlessBody(),
    headers: [{}],
  },
};

export const PRODUCTS: Call = {
  name: 'GET /products',
  requests: REQUESTS,
  order: { method: 'GET', targets: ['/api/v1/partner/products'], body: '', headers: [{}] },
};

/** Starts these journeys over HTTP, waits until each has three offers, and returns the call that reads them. */
export async function readCall(
  client: Client,
  service: Contestant,
  journeys = JOURNEYS,
): Promise<Call> {
  const started = await startJourneys(`http://127.0.0.1:${service.ports[0]}`, journeys);
  const ids = started.map(({ journeyId }) => journeyId);
  const until = performance.now() + QUIET_MS;
  for (;;) {
    const { rows } = await client.query<{ ready: number }>(
      `SELECT count(*)::int AS ready FROM journeys WHERE id = ANY ($1) AND state = 'OFFERS_RECEIVED'`,
      [ids],
    );
    if (rows[0]?.ready === journeys) break;
    if (performance.now() > until) {
      const seconds = QUIET_MS / 1_000;
      throw new Error(
        `${rows[0]?.ready} of ${journeys} journeys have their offers after ${seconds} seconds. ${ALONE}`,
      );
    }
    await sleep(100);
  }
  return {
    name: 'GET /journey/{id}, with three offers',
    requests: REQUESTS,
    order: {
      method: 'GET',
      targets: ids.map((id) => `/api/v1/partner/journey/${id}`),
      body: '',
      headers: started.map(({ journeySession }) => ({ 'x-journey-session': journeySession })),
    },
  };
}

function contestantOf(name: string, { port, pid }: Yardstick): Contestant {
  return { name, ports: [port], pids: [pid] };
}

export function serviceOf(name: string, processes: readonly ServiceProcess[]): Contestant {
  return {
    name,
    ports: processes.map(({ baseUrl }) => Number(new URL(baseUrl).port)),
    pids: processes.map(({ pid }) => pid),
  };
}
