/**
 * The cost of a signed, limited call. The built service alternates with hand-written servers (bench/yardsticks) on one
 * embedded PostgreSQL with the same settings and pools. Only ratios within one run count.
 */
import { footprintSection } from './calls/footprint.ts';
import {
  CONNECTIONS,
  type Figures,
  measure,
  mediansOf,
  ratio,
  type Results,
  ROUNDS,
} from './calls/measure.ts';
import { type Call, INITIATE_REQUESTS, POOL_SIZE, REQUESTS, setUp } from './calls/plan.ts';
import { startBenchServer } from './support/bench-server.ts';
import { barChart, surroundings, table, writeReport } from './support/report.ts';

const PROCESSOR = ['CPU ms', 'PostgreSQL', 'client', 'processors'];

/** The minimum ratios, for two processors. */
const TARGETS: readonly { call: string; one: string; other: string; target: string }[] = [
  { call: 'journey', one: 'Rinpath', other: 'bare', target: '1.7' },
  { call: 'journey', one: 'Rinpath', other: 'plain-nest', target: '4' },
  { call: 'products', one: 'Rinpath', other: 'bare', target: '1.6' },
  { call: 'initiate', one: 'Rinpath, lenders asked later', other: 'bare', target: '1.2' },
  { call: 'initiate', one: 'Rinpath', other: 'bare', target: '0.5' },
  {
    call: 'journey',
    one: 'Rinpath, two replicas',
    other: 'Rinpath',
    target: '1.3, or what the processors do',
  },
];

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
      ...(measured.size > 0 ? [targetsSection(measured)] : []),
      ...Array.from(measured.values(), sectionOf),
      ...(only === undefined || only === 'memory' ? [await footprintSection(bench)] : []),
    ];
    process.stdout.write(`\n${sections.join('\n\n')}\n`);
    if (only === undefined) writeReport('calls', reportOf(sections));
  } finally {
    for (const close of closing.toReversed()) await close();
    await server.stop();
  }
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
