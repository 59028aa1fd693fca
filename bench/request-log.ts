/**
 * The cost of the log of calls. One process of the service switches its log on and off, because two processes of the
 * same code differ by more than the log costs. A turn ends when its last calls are written.
 *
 * Takes about ten minutes on an otherwise idle machine; a failed call ends it. `npm run bench -- request-log products`
 * (or `journey`, `initiate`) measures one call.
 */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { CONNECTIONS, drive, type Driven, spentBy, warmUp } from './calls/measure.ts';
import {
  type Call,
  type Contestant,
  INITIATE,
  POOL_SIZE,
  PRODUCTS,
  readCall,
  serviceOf,
} from './calls/plan.ts';
import { type BenchServer, startBenchServer } from './support/bench-server.ts';
import { builtWithout, type Edit } from './support/built-copy.ts';
import { startBuiltService } from './support/built-service.ts';
import { connected, createDatabase } from './support/create-database.ts';
import { Driver } from './support/driver.ts';
import { liftLimits } from './support/lift-limits.ts';
import { medianOf, medianRatio } from './support/interleaved.ts';
import { surroundings, table, writeReport } from './support/report.ts';

const ROUNDS = 24;
const MOST_PERCENT = 3;
/** Longer than the log's pause between two batches. */
const WRITTEN_MS = 1_200;
const SWITCHED_MS = 100;
const SIDES = ['without', 'with'] as const;

const SWITCH = 'SIGUSR2';

/** The only place that logs calls: a signal switches it. */
export const SWITCHED: Edit = {
  file: 'create-application.js',
  find: 'app.use(app.get(RequestRecorder).watch(LOGGED_WORDS));',
  replace: `
    const watch = app.get(RequestRecorder).watch(LOGGED_WORDS);
    let isLogging = true;
    process.on('${SWITCH}', () => { isLogging = !isLogging; });
    app.use((request, response, next) => isLogging ? watch(request, response, next) : next());`,
};

type Side = (typeof SIDES)[number];

interface Turn {
  readonly rate: number;
  readonly p50: number;
  readonly p99: number;
  /** Microseconds of processor time per call, of the process and of PostgreSQL. */
  readonly service: number;
  readonly server: number;
}

interface Bench {
  readonly driven: Driven;
  readonly contestant: Contestant;
  switchTo(this: void, side: Side): Promise<void>;
  readonly calls: Readonly<Record<string, Call>>;
}

export async function run(only?: string): Promise<void> {
  const closing: (() => unknown)[] = [];
  try {
    const server = await startBenchServer();
    closing.push(() => server.stop());
    const bench = await setUp(server, closing);
    const rows: string[][] = [];
    for (const [name, call] of Object.entries(bench.calls)) {
      if (only !== undefined && only !== name) continue;
      rows.push(...rowsOf(call, await takeTurns(bench, call)));
    }
    const report = reportOf(rows);
    process.stdout.write(`\n${report}\n`);
    if (only === undefined) writeReport('request-log', report);
  } finally {
    for (const close of closing.toReversed()) await close();
  }
}

async function setUp(server: BenchServer, closing: (() => unknown)[]): Promise<Bench> {
  const copy = builtWithout('the log of calls', [SWITCHED]);
  closing.push(() => copy.remove());
  const url = await createDatabase(server.url, 'request_log');
  const variables = { DATABASE_POOL: String(POOL_SIZE), NODE_ENV: 'production' };
  const service = await startBuiltService(url, variables, copy.dist);
  closing.push(() => service.stop());
  const client = await connected(url);
  closing.push(() => client.end());
  await client.query(readFileSync(new URL('support/hold-lenders.sql', import.meta.url), 'utf8'));
  await liftLimits(client);
  const driver = new Driver();
  closing.push(() => driver.close());
  const contestant = { ...serviceOf('Rinpath', [service]), areLendersHeld: true };
  let current: Side = 'with';
  return {
    driven: { driver, client, dataDir: server.dataDir },
    contestant,
    calls: { products: PRODUCTS, journey: await readCall(client, contestant), initiate: INITIATE },
    switchTo: async (side) => {
      if (side === current) return;
      process.kill(service.pid, SWITCH);
      current = side;
      await sleep(SWITCHED_MS);
    },
  };
}

async function takeTurns(bench: Bench, call: Call): Promise<Record<Side, Turn[]>> {
  const { driven, contestant, switchTo } = bench;
  for (const side of SIDES) {
    await switchTo(side);
    await warmUp(driven, call, contestant);
  }
  const turns: Record<Side, Turn[]> = { without: [], with: [] };
  const logged = await callsLogged(driven);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const side of round % 2 === 0 ? SIDES : SIDES.toReversed()) {
      await switchTo(side);
      const turn = await turnOf(driven, call, contestant);
      turns[side].push(turn);
      const micros = (turn.service + turn.server).toFixed();
      process.stdout.write(`${call.name} ${side}: ${turn.rate.toFixed()} a second, ${micros} µs\n`);
    }
  }
  const added = (await callsLogged(driven)) - logged;
  if (added !== ROUNDS * call.requests) {
    throw new Error(`${added} calls were logged, not those ${ROUNDS * call.requests} of one side`);
  }
  return turns;
}

async function turnOf(driven: Driven, call: Call, contestant: Contestant): Promise<Turn> {
  const before = spentBy(driven, contestant);
  const { rate, p50, p99 } = await drive(driven, call, contestant, call.requests);
  await sleep(WRITTEN_MS);
  const after = spentBy(driven, contestant);
  const micros = (key: 'processor' | 'server') =>
    ((after[key] - before[key]) * 1e6) / call.requests;
  return { rate, p50, p99, service: micros('processor'), server: micros('server') };
}

/** Waits until no more are written: a slow process writes its last ones late. */
async function callsLogged({ client }: Driven): Promise<number> {
  for (let before = Number.NaN; ;) {
    await sleep(WRITTEN_MS);
    const { rows } = await client.query<{ calls: number }>(
      'SELECT count(*)::integer AS calls FROM partner_requests',
    );
    const calls = rows[0]?.calls ?? 0;
    if (calls === before) return calls;
    before = calls;
  }
}

function rowsOf(call: Call, turns: Readonly<Record<Side, readonly Turn[]>>): string[][] {
  const of = (side: Side, key: keyof Turn) => turns[side].map((turn) => turn[key]);
  const spent = (side: Side) => turns[side].map(({ service, server }) => service + server);
  const more = medianOf(spent('with').map((one, round) => one - (spent('without')[round] ?? 0)));
  const share = (more / medianOf(spent('without'))) * 100;
  const row = (side: Side) => [
    `${call.name}, ${side}`,
    medianOf(of(side, 'rate')).toFixed(),
    medianOf(of(side, 'p50')).toFixed(1),
    medianOf(of(side, 'p99')).toFixed(1),
    medianOf(of(side, 'service')).toFixed(),
    medianOf(of(side, 'server')).toFixed(),
  ];
  const times = (key: keyof Turn) => medianRatio(of('with', key), of('without', key)).toFixed(3);
  return [
    [...row('without'), '', ''],
    [...row('with'), more.toFixed(), `${share.toFixed(1)} %`],
    ['ratio', times('rate'), times('p50'), times('p99'), times('service'), times('server'), '', ''],
  ];
}

function reportOf(rows: readonly string[][]): string {
  const head = ['Call', 'a second', 'p50 ms', 'p99 ms', 'service µs', 'PostgreSQL µs'];
  return `## The log of calls

${surroundings()}. One process of the service, whose log is switched on and off, on one embedded
PostgreSQL with its settings as shipped; ${CONNECTIONS} connections, ${ROUNDS} rounds in turns, ${PRODUCTS.requests.toLocaleString('en')} calls
a turn (initiate: ${INITIATE.requests.toLocaleString('en')}, and its lenders are asked later). A turn lasts until its last calls are in the log. _Service_ and _PostgreSQL_:
processor time for each call, the background included, medians. _More_: what a call costs more with the log, of both together, as the
median of the differences between neighbours (target: at most ${MOST_PERCENT} %). Rates and times of a busy machine
vary by more than that from turn to turn; processor time less.

${table([...head, 'more µs', 'share'], rows)}`;
}
