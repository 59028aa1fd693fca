/**
 * What a signed, guarded, limited call costs: the service as built against servers that one would
 * write by hand (bench/yardsticks), all on one embedded PostgreSQL with the same settings and pools,
 * driven in turns with requests that were signed beforehand. Only ratios from one run say anything.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Bench,
  type Call,
  type Contestant,
  INITIATE_REQUESTS,
  POOL_SIZE,
  REQUESTS,
  setUp,
} from './calls/plan.ts';
import { startBenchServer } from './support/bench-server.ts';
import type { DriveResult } from './support/drive.ts';
import { medianOf, medianRatio } from './support/interleaved.ts';
import { peakMemory, processorTime, transactions } from './support/process-figures.ts';
import { barChart, surroundings, table, writeReport } from './support/report.ts';
import { demoLoadKey } from './support/signed-client.ts';
import { untilQuiet } from './support/until-quiet.ts';
import { serverTime } from './webhooks/server-time.ts';

const CONNECTIONS = 64;
const ROUNDS = 5;
const WARM_UP = 3_000;
const PROCESSOR = ['CPU ms', 'PostgreSQL', 'client', 'processors'];

/** What the project asks of itself; more than two processors there are not. */
const TARGETS: readonly { call: string; one: string; other: string; target: string }[] = [
  { call: 'journey', one: 'Rinpath', other: 'bare', target: '1.2' },
  { call: 'journey', one: 'Rinpath', other: 'plain-nest', target: '4' },
  { call: 'products', one: 'Rinpath', other: 'bare', target: '1.3' },
  { call: 'initiate', one: 'Rinpath, lenders asked later', other: 'bare', target: '0.8' },
  {
    call: 'journey',
    one: 'Rinpath, two replicas',
    other: 'Rinpath',
    target: '1.3, or what the processors do',
  },
];

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

/** By the contestant's name, of each round. */
type Results = ReadonlyMap<string, readonly Figures[]>;

interface Measured {
  readonly call: Call;
  readonly results: Results;
}

export async function run(only?: string): Promise<void> {
  const server = await startBenchServer();
  const closing: (() => unknown)[] = [];
  try {
    const bench = await setUp(server, closing);
    const measured = new Map<string, Measured>();
    for (const { name, call, contestants } of bench.plan) {
      if (only === undefined || only === name) {
        measured.set(name, { call, results: await measure(bench, call, contestants) });
      }
    }
    const sections = [
      targetsSection(measured),
      ...Array.from(measured.values(), sectionOf),
      memorySection(bench.everyone),
    ];
    process.stdout.write(`\n${sections.join('\n\n')}\n`);
    if (only === undefined) writeReport('calls', reportOf(sections));
  } finally {
    for (const close of closing.toReversed()) await close();
    await server.stop();
  }
}

async function measure(
  bench: Bench,
  call: Call,
  contestants: readonly Contestant[],
): Promise<Results> {
  for (const contestant of contestants) await drive(bench, call, contestant, WARM_UP);
  const results = new Map<string, Figures[]>(contestants.map(({ name }) => [name, []]));
  for (let round = 0; round < ROUNDS; round += 1) {
    // Another one begins each time: whoever comes after a busy neighbour is not always the same.
    const turn = contestants.map((_, index) => contestants[(index + round) % contestants.length]);
    for (const contestant of turn) {
      if (!contestant) continue;
      const figures = await measureOnce(bench, call, contestant);
      results.get(contestant.name)?.push(figures);
      process.stdout.write(`${call.name}: ${contestant.name} ${figures.rate.toFixed()} /s\n`);
    }
  }
  return results;
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

function targetsSection(measured: ReadonlyMap<string, Measured>): string {
  const rows = TARGETS.flatMap(({ call: name, one, other, target }) => {
    const asked = measured.get(name);
    if (!asked) return [];
    const { call, results } = asked;
    return [[call.name, `${one} to ${other}`, target, ratio(results, one, other).toFixed(2)]];
  });
  return `### Targets\n\n${table(['Call', 'Rate of', 'at least', 'measured'], rows)}`;
}

function ratio(results: Results, one: string, other: string): number {
  const rates = (name: string) => (results.get(name) ?? []).map(({ rate }) => rate);
  return medianRatio(rates(one), rates(other));
}

function sectionOf({ call, results }: Measured): string {
  const medians = Array.from(results.values(), mediansOf);
  const rows = medians.map((one) => [
    one.name,
    one.rate.toFixed(),
    ratio(results, one.name, 'bare').toFixed(2),
    one.p50.toFixed(1),
    one.p99.toFixed(1),
    one.transactions.toFixed(2),
    one.processorMs.toFixed(2),
    one.serverMs.toFixed(2),
    one.clientMs.toFixed(2),
    ((one.rate * (one.processorMs + one.serverMs + one.clientMs)) / 1_000).toFixed(2),
  ]);
  const head = ['Server', 'a second', 'to bare', 'p50 ms', 'p99 ms', 'transactions', ...PROCESSOR];
  return `### ${call.name}\n\n${chartOf(call, medians, results)}\n\n${table(head, rows)}`;
}

function chartOf({ name }: Call, servers: readonly Figures[], results: Results): string {
  const file = name.toLowerCase().replaceAll(/[^a-z]+/g, '-');
  return barChart(`calls-${file}`, {
    title: `${name}: answers a second, as a multiple of a bare server’s`,
    bars: servers.map((one) => {
      const value = ratio(results, one.name, 'bare');
      return { label: one.name, value, text: value.toFixed(2) };
    }),
  });
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
and database share the machine. _To bare_: the ratio of each round, and of these the median.
_Transactions_: those of the whole database for each request. _CPU ms_: processor time for each request,
of the server's own process, of PostgreSQL and of the client, background included: what the two
processors are spent on, and how many that makes of them (_processors_) at that rate. _Lenders asked
later_: initiate writes what it always writes, but the lenders' answers, the offers and their events
come after the measurement; in the other row they are made meanwhile by the same process, which the
bare server has no part of.

${sections.join('\n\n')}`;
}
