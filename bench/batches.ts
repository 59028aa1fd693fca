/**
 * The benefit of each batch: the built service alternates with copies that each lack one batch, each with its own
 * database. In a batch, work that arrives at the same moment shares a round trip (decision 26). Takes about twenty
 * minutes.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { BATCHES, type Batch } from './batches/batch-list.ts';
import { drive, type Driven, ROUNDS, spentBy, warmUp } from './calls/measure.ts';
import { type Call, type Contestant, INITIATE, readCall, serviceOf } from './calls/plan.ts';
import { type BenchServer, startBenchServer } from './support/bench-server.ts';
import { type BuiltCopy, builtWithout } from './support/built-copy.ts';
import { startBuiltService } from './support/built-service.ts';
import { createDatabase } from './support/create-database.ts';
import { Driver } from './support/driver.ts';
import { medianOf, medianRatio } from './support/interleaved.ts';
import { surroundings, table, writeReport } from './support/report.ts';
import { untilQuiet } from './support/until-quiet.ts';
import { RunningContestant } from './webhooks/running-contestant.ts';

const WHOLE = 'nothing';
const DELIVERIES = 20_000;
const POOL_SIZE = 10;
const UNREAD = 1_000;
const OFFERED_MS = 120_000;

/** Work per second, and its processor time in the process and in PostgreSQL. */
interface Turn {
  readonly rate: number;
  readonly processorMicros: number;
}

/** One of the compared builds. */
interface Entrant {
  readonly name: string;
  readonly turn: () => Promise<Turn>;
}

type Serves = Batch['serves'];
type Copies = ReadonlyMap<string, BuiltCopy>;

const TITLES: Readonly<Record<Serves, string>> = {
  journey: 'GET /journey/{id}',
  'first-read': 'GET /journey/{id}, for the first time',
  initiate: 'POST /journey/initiate',
  webhooks: 'Webhooks delivered',
};

/** @param only `journey`, `first-read`, `initiate` or `webhooks` */
export async function run(only?: string): Promise<void> {
  const closing: (() => unknown)[] = [];
  try {
    const server = await startBenchServer();
    closing.push(() => server.stop());
    // All copies first: a batch whose text has changed fails before anything is measured.
    const copies = new Map(
      BATCHES.map(({ name, edits }) => [name, builtWithout(name, edits)] as const),
    );
    for (const copy of copies.values()) closing.push(() => copy.remove());
    const rows: string[][] = [];
    for (const serves of Object.keys(TITLES) as Serves[]) {
      if (only !== undefined && only !== serves) continue;
      const entrants = await (serves === 'webhooks'
        ? senders(server, copies, closing)
        : services(server, serves, copies, closing));
      rows.push(...rowsOf(serves, await takeTurns(entrants)));
    }
    const report = reportOf(rows);
    process.stdout.write(`\n${report}\n`);
    if (only === undefined) writeReport('batches', report);
  } finally {
    for (const close of closing.toReversed()) await close();
  }
}

/** The whole service, and the service without each batch that serves `serves`, by name. */
function builds(serves: Serves, copies: Copies): [name: string, dist: URL | undefined][] {
  const without = BATCHES.filter((batch) => batch.serves === serves);
  return [
    [WHOLE, undefined],
    ...without.map(({ name }): [string, URL | undefined] => [name, copies.get(name)?.dist]),
  ];
}

async function services(
  server: BenchServer,
  serves: Exclude<Serves, 'webhooks'>,
  copies: Copies,
  closing: (() => unknown)[],
): Promise<Entrant[]> {
  const driver = new Driver();
  closing.push(() => driver.close());
  const entrants: Entrant[] = [];
  for (const [name, dist] of builds(serves, copies)) {
    const url = await createDatabase(server.url, `${serves}_${entrants.length}`);
    const variables = { DATABASE_POOL: String(POOL_SIZE), NODE_ENV: 'production' };
    const service = await startBuiltService(url, variables, dist);
    closing.push(() => service.stop());
    const client = new Client({ connectionString: url });
    await client.connect();
    closing.push(() => client.end());
    const hold = new URL('support/hold-lenders.sql', import.meta.url);
    await client.query(readFileSync(hold, 'utf8'));
    const driven = { driver, client, dataDir: server.dataDir };
    const contestant = serviceOf(name, [service]);
    const call = serves === 'initiate' ? INITIATE : await readCall(client, contestant);
    await warmUp(driven, call, contestant);
    const next = serves === 'first-read' ? () => unread(client, contestant) : () => call;
    entrants.push({ name, turn: async () => turnOf(driven, await next(), contestant) });
  }
  return entrants;
}

/** Reads journeys that no call has read yet, once each. */
async function unread(client: Client, contestant: Contestant): Promise<Call> {
  return { ...(await readCall(client, contestant, UNREAD)), requests: UNREAD };
}

/** Ends when the last journey has its offers: work that a batch postpones counts as its cost. */
async function turnOf(driven: Driven, call: Call, contestant: Contestant): Promise<Turn> {
  await untilQuiet(driven.client);
  const [before, startedAt] = [spentBy(driven, contestant), performance.now()];
  await drive(driven, call, contestant, call.requests);
  await untilOffered(driven.client);
  const [after, endedAt] = [spentBy(driven, contestant), performance.now()];
  const seconds = after.processor - before.processor + after.server - before.server;
  return {
    rate: (call.requests * 1_000) / (endedAt - startedAt),
    processorMicros: (seconds * 1e6) / call.requests,
  };
}

async function untilOffered(client: Client): Promise<void> {
  const until = performance.now() + OFFERED_MS;
  for (;;) {
    const { rows } = await client.query<{ waits: boolean }>(
      `SELECT EXISTS (SELECT FROM journeys WHERE state = 'INITIATED') AS waits`,
    );
    if (!rows[0]?.waits) return;
    if (performance.now() > until) throw new Error('the journeys never got their offers');
    await sleep(50);
  }
}

async function senders(
  server: BenchServer,
  copies: Copies,
  closing: (() => unknown)[],
): Promise<Entrant[]> {
  const receiver = fork(fileURLToPath(new URL('webhooks/receiver.ts', import.meta.url)));
  closing.push(() => receiver.kill());
  const [{ ports }] = (await once(receiver, 'message')) as [{ ports: number[] }];
  const entrants: Entrant[] = [];
  for (const [name, dist] of builds('webhooks', copies)) {
    const running = await RunningContestant.start({
      name: 'service',
      databaseUrl: await createDatabase(server.url, `webhooks_${entrants.length}`),
      dataDir: server.dataDir,
      receiverPorts: ports,
      subscriptions: 50,
      inFlight: 64,
      warmUp: 10_000,
      ...(dist && { dist: dist.href }),
    });
    closing.push(() => running.end());
    entrants.push({
      name,
      turn: async () => {
        const { rate, processorMicros, serverMicros } = await running.send(DELIVERIES);
        return { rate, processorMicros: processorMicros + serverMicros };
      },
    });
  }
  return entrants;
}

/** Results by name and round. Each round begins with another entrant. */
async function takeTurns(entrants: readonly Entrant[]): Promise<Map<string, Turn[]>> {
  const turns = new Map<string, Turn[]>(entrants.map(({ name }) => [name, []]));
  for (let round = 0; round < ROUNDS; round += 1) {
    const first = round % entrants.length;
    for (const { name, turn } of [...entrants.slice(first), ...entrants.slice(0, first)]) {
      const result = await turn();
      turns.get(name)?.push(result);
      process.stdout.write(`without ${name}: ${result.rate.toFixed()} a second\n`);
    }
  }
  return turns;
}

function rowsOf(serves: Serves, turns: ReadonlyMap<string, readonly Turn[]>): string[][] {
  const whole = turns.get(WHOLE) ?? [];
  const of = (some: readonly Turn[], key: keyof Turn) => some.map((turn) => turn[key]);
  return Array.from(turns, ([name, some]) => {
    if (name === WHOLE) return [];
    return [
      name,
      TITLES[serves],
      medianOf(of(whole, 'rate')).toFixed(),
      medianOf(of(some, 'rate')).toFixed(),
      medianRatio(of(whole, 'rate'), of(some, 'rate')).toFixed(2),
      medianRatio(of(some, 'processorMicros'), of(whole, 'processorMicros')).toFixed(2),
    ];
  }).filter((row) => row.length > 0);
}

function reportOf(rows: readonly string[][]): string {
  const head = ['Batch', 'of', 'with', 'without', 'times the rate', 'processor time without'];
  return `## Batches

${surroundings()}. The service as built, and copies of it in which one batch is taken out, so that each piece
of work goes separately, side by side as far as the pool of ${POOL_SIZE} connections lets it. Each on a database of
its own on one embedded PostgreSQL; ${ROUNDS} rounds in turns. _With_ and _without_: done a second, medians;
a journey is started once it has its offers.
_Times the rate_: with to without, round by round, and of these the median. _Processor time without_: of
the process and of PostgreSQL for each piece of work, as a multiple of that with the batch. What became of
each batch: [decision 26](../adr/0026-keep-a-batch-that-saves-a-fifth.md).

${table(head, rows)}`;
}
