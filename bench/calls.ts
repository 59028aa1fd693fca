/**
 * What a signed, guarded, limited call costs: the service as built against servers that one would
 * write by hand (bench/yardsticks), all on one embedded PostgreSQL with the same settings and pools,
 * driven in turns with requests that were signed beforehand. Only ratios from one run say anything.
 */
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { built, type ServiceProcess, startBuiltService } from './support/built-service.ts';
import { createDatabase } from './support/create-database.ts';
import type { DriveOrder, DriveResult } from './support/drive.ts';
import { Driver } from './support/driver.ts';
import { headlessBody, INITIATE_TARGET, startJourneys } from './support/headless-journeys.ts';
import { medianOf } from './support/interleaved.ts';
import { peakMemory, processorTime, transactions } from './support/process-figures.ts';
import { surroundings, table, writeReport } from './support/report.ts';
import { demoLoadKey } from './support/signed-client.ts';
import { untilQuiet } from './support/until-quiet.ts';
import { serverTime } from './webhooks/server-time.ts';
import { startYardstick, type Yardstick } from './support/yardstick.ts';

type Platform = typeof import('../src/platform/index.js');

const CONNECTIONS = 64;
const POOL_SIZE = 10;
const ROUNDS = 5;
const WARM_UP = 3_000;
const REQUESTS = 6_000;
const INITIATE_REQUESTS = 2_000;
const JOURNEYS = 200;
const PARTNER = 'demo';
const QUIET_MS = 120_000;
const PROCESSOR = ['CPU ms', 'PostgreSQL', 'client'];

/** One server that is driven. */
interface Contestant {
  readonly name: string;
  readonly ports: readonly number[];
  readonly pids: readonly number[];
  /**
   * The same rows are written, but the lenders are asked hours later: what is driven is the call
   * alone, as on the yardstick, and not the lenders' answers and what follows from them.
   */
  readonly areLendersHeld?: boolean;
}

interface Figures {
  readonly name: string;
  readonly rate: number;
  readonly p50: number;
  readonly p99: number;
  /** Transactions of the database for each request, those of the background included. */
  readonly transactions: number;
  /** Processor milliseconds of the server's own process for each request. */
  readonly processorMs: number;
  /** The same of PostgreSQL, and of the client. */
  readonly serverMs: number;
  readonly clientMs: number;
}

interface Call {
  readonly name: string;
  readonly requests: number;
  readonly order: Omit<DriveOrder, 'port' | 'connections' | 'requests' | 'apiKey' | 'apiSecret'>;
}

export async function run(only?: string): Promise<void> {
  const platform = await built<Platform>('src/platform/index.js');
  const dataDir = mkdtempSync(join(tmpdir(), 'rinpath-bench-'));
  // Under root PostgreSQL runs as the user postgres, who must get in.
  chmodSync(dataDir, 0o755);
  const postgres = await platform.startEmbeddedPostgres({ dataDir });
  const closing: (() => unknown)[] = [];
  try {
    const bench = { ...(await setUp(postgres.url, closing)), dataDir };
    const sections: string[] = [];
    for (const { name, call, contestants } of bench.plan) {
      if (only === undefined || only === name) {
        sections.push(await measure(bench, call, contestants));
      }
    }
    sections.push(memorySection(bench.everyone));
    process.stdout.write(`\n${sections.join('\n\n')}\n`);
    if (only === undefined) writeReport('calls', reportOf(sections));
  } finally {
    for (const close of closing.toReversed()) await close();
    await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

interface Bench {
  readonly dataDir: string;
  readonly driver: Driver;
  readonly client: Client;
  readonly plan: readonly { name: string; call: Call; contestants: readonly Contestant[] }[];
  readonly everyone: readonly Contestant[];
}

async function setUp(
  serverUrl: string,
  closing: (() => unknown)[],
): Promise<Omit<Bench, 'dataDir'>> {
  const url = await createDatabase(serverUrl, 'calls');
  const variables = { DATABASE_POOL: String(POOL_SIZE), NODE_ENV: 'production' };
  const one = await startBuiltService(url, variables);
  closing.push(() => one.stop());
  const client = new Client({ connectionString: url });
  await client.connect();
  closing.push(() => client.end());
  for (const file of ['yardsticks/tables.sql', 'support/hold-lenders.sql']) {
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

const INITIATE: Call = {
  name: 'POST /journey/initiate',
  requests: INITIATE_REQUESTS,
  order: {
    method: 'POST',
    targets: [INITIATE_TARGET],
    body: headlessBody(),
    headers: [{}],
  },
};

const PRODUCTS: Call = {
  name: 'GET /products',
  requests: REQUESTS,
  order: { method: 'GET', targets: ['/api/v1/partner/products'], body: '', headers: [{}] },
};

/** Journeys with three offers each, which the service itself has made. */
async function readCall(client: Client, service: Contestant): Promise<Call> {
  const started = await startJourneys(`http://127.0.0.1:${service.ports[0]}`, JOURNEYS);
  const until = performance.now() + QUIET_MS;
  for (;;) {
    const { rows } = await client.query<{ ready: number }>(
      `SELECT count(*)::int AS ready FROM journeys WHERE state = 'OFFERS_RECEIVED'`,
    );
    if (rows[0]?.ready === JOURNEYS) break;
    if (performance.now() > until) throw new Error('the journeys never got their offers');
    await sleep(100);
  }
  return {
    name: 'GET /journey/{id}, with three offers',
    requests: REQUESTS,
    order: {
      method: 'GET',
      targets: started.map(({ journeyId }) => `/api/v1/partner/journey/${journeyId}`),
      body: '',
      headers: started.map(({ journeySession }) => ({ 'x-journey-session': journeySession })),
    },
  };
}

async function measure(
  bench: Bench,
  call: Call,
  contestants: readonly Contestant[],
): Promise<string> {
  for (const contestant of contestants) await drive(bench, call, contestant, WARM_UP);
  const results = new Map<string, Figures[]>(contestants.map(({ name }) => [name, []]));
  for (let round = 0; round < ROUNDS; round += 1) {
    // Another one begins each time: whoever comes after a busy neighbour is not always the same.
    const turn = contestants.map((_, place) => contestants[(place + round) % contestants.length]);
    for (const contestant of turn) {
      if (!contestant) continue;
      const figures = await measureOnce(bench, call, contestant);
      results.get(contestant.name)?.push(figures);
      process.stdout.write(`${call.name}: ${contestant.name} ${figures.rate.toFixed()} /s\n`);
    }
  }
  return sectionOf(call, [...results.values()].map(mediansOf));
}

async function measureOnce(bench: Bench, call: Call, contestant: Contestant): Promise<Figures> {
  await untilQuiet(bench.client);
  const before = { transactions: await transactions(bench.client), ...spentBy(bench, contestant) };
  const result = await drive(bench, call, contestant, call.requests);
  const after = spentBy(bench, contestant);
  // The statistics of a session that is busy come in a second late.
  await sleep(1_200);
  const ended = (await transactions(bench.client)) - before.transactions;
  return {
    name: contestant.name,
    rate: result.rate,
    p50: result.p50,
    p99: result.p99,
    transactions: ended / call.requests,
    processorMs: ((after.processor - before.processor) * 1_000) / call.requests,
    serverMs: ((after.server - before.server) * 1_000) / call.requests,
    clientMs: ((after.client - before.client) * 1_000) / call.requests,
  };
}

/** Seconds of processor time so far. */
function spentBy({ driver, dataDir }: Bench, { pids }: Contestant) {
  return {
    processor: pids.reduce((sum, pid) => sum + processorTime(pid), 0),
    server: serverTime(dataDir),
    client: processorTime(driver.pid),
  };
}

async function drive(
  { driver, client }: Bench,
  call: Call,
  contestant: Contestant,
  requests: number,
): Promise<DriveResult> {
  await client.query('UPDATE bench_hold SET is_held = $1', [contestant.areLendersHeld ?? false]);
  return driver.drive({
    ...call.order,
    port: contestant.ports[0] ?? 0,
    ports: contestant.ports,
    connections: CONNECTIONS,
    requests,
    ...demoLoadKey(),
  });
}

function mediansOf(figures: readonly Figures[]): Figures {
  const median = (key: Exclude<keyof Figures, 'name'>) => medianOf(figures.map((one) => one[key]));
  return {
    name: figures[0]?.name ?? '',
    rate: median('rate'),
    p50: median('p50'),
    p99: median('p99'),
    transactions: median('transactions'),
    processorMs: median('processorMs'),
    serverMs: median('serverMs'),
    clientMs: median('clientMs'),
  };
}

function sectionOf(call: Call, figures: readonly Figures[]): string {
  const bare = figures.find(({ name }) => name === 'bare')?.rate ?? Number.NaN;
  const rows = figures.map((one) => [
    one.name,
    one.rate.toFixed(),
    (one.rate / bare).toFixed(2),
    one.p50.toFixed(1),
    one.p99.toFixed(1),
    one.transactions.toFixed(2),
    one.processorMs.toFixed(2),
    one.serverMs.toFixed(2),
    one.clientMs.toFixed(2),
  ]);
  const head = ['Server', 'a second', 'to bare', 'p50 ms', 'p99 ms', 'transactions', ...PROCESSOR];
  return `### ${call.name}\n\n${table(head, rows)}`;
}

function memorySection(contestants: readonly Contestant[]): string {
  const rows = contestants.map(({ name, pids }) => [
    name,
    pids.reduce((sum, pid) => sum + peakMemory(pid), 0).toFixed(),
  ]);
  return `### Peak memory\n\n${table(['Server', 'MB'], rows)}`;
}

function reportOf(sections: readonly string[]): string {
  return `## Calls

${surroundings()}. ${CONNECTIONS} connections, each with one request at a time; ${ROUNDS} rounds in
turns, their medians; ${REQUESTS} requests a round (initiate: ${INITIATE_REQUESTS}); a pool of
${POOL_SIZE} connections each, on one embedded PostgreSQL with its settings as shipped. Client, servers
and database share the machine. *Transactions*: those of the whole database for each request.
*CPU ms*: processor time for each request, of the server's own process, of PostgreSQL and of the client,
background included: what the two processors are spent on. *Lenders asked later*: initiate writes what it
always writes, but the lenders' answers, the offers and their events come after the measurement; in
the other row they are made meanwhile by the same process, which the bare server has no part of.

${sections.join('\n\n')}`;
}

function contestantOf(name: string, { port, pid }: Yardstick): Contestant {
  return { name, ports: [port], pids: [pid] };
}

function serviceOf(name: string, processes: readonly ServiceProcess[]): Contestant {
  return {
    name,
    ports: processes.map(({ baseUrl }) => Number(new URL(baseUrl).port)),
    pids: processes.map(({ pid }) => pid),
  };
}
