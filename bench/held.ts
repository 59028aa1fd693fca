/**
 * Measures whether clients that hold connections affect other callers. Each fifth sends nothing, half the headers, half
 * a body, half a form, or does not read responses. Measures a good caller's times with and without them, the memory,
 * and the duration of SIGTERM meanwhile.
 *
 * `HELD_CONNECTIONS` replaces 5,000. Each of the two processes needs as many open files (`ulimit -n`) and a few hundred
 * more.
 */
import { type Counted, counted, Holder } from './held/hold.ts';
import type { Held } from './held/holder.ts';
import { startBenchServer } from './support/bench-server.ts';
import { type ServiceProcess, startBuiltService } from './support/built-service.ts';
import { createDatabase } from './support/create-database.ts';
import type { DriveOrder } from './support/drive.ts';
import { Driver } from './support/driver.ts';
import { medianOf, medianRatio } from './support/interleaved.ts';
import { peakMemory } from './support/process-figures.ts';
import { surroundings, table, writeReport } from './support/report.ts';
import { demoLoadKey } from './support/signed-client.ts';

const CONNECTIONS = Number(process.env.HELD_CONNECTIONS ?? 5_000);
const ROUNDS = 3;
const CALLS_A_TURN = 1_000;
const MAX_STOP_MS = 15_000;

interface Figures {
  readonly alone: readonly number[];
  readonly beside: readonly number[];
  /** From the service's metrics, after each turn. */
  readonly counts: readonly Counted[];
  readonly held: Held;
  /** Peak memory in MB: after the first calls, and at the end. */
  readonly memory: { readonly before: number; readonly after: number };
  readonly stopMs: number;
}

export async function run(): Promise<void> {
  const server = await startBenchServer();
  try {
    const url = await createDatabase(server.url, 'held');
    const markdown = reportOf(await measure(url));
    process.stdout.write(`\n${markdown}\n`);
    writeReport('held', markdown);
  } finally {
    await server.stop();
  }
}

/** @throws Error when SIGTERM did not end the service in time with exit code 0 */
async function measure(databaseUrl: string): Promise<Figures> {
  const service = await startBuiltService(databaseUrl, {
    NODE_ENV: 'production',
    LOG_LEVEL: 'info',
  });
  const driver = new Driver();
  let holder: Holder | undefined;
  const [alone, beside, counts] = [[] as number[], [] as number[], [] as Counted[]];
  const turn = async () => {
    const { p99 } = await driver.drive(callsTo(service));
    process.stdout.write(`${holder ? 'with' : 'without'}: ${p99.toFixed(1)} ms\n`);
    return p99;
  };
  try {
    // Not measured: the first turn compiles code.
    await turn();
    const before = peakMemory(service.pid);
    for (let round = 0; round < ROUNDS; round += 1) {
      await holder?.letGo();
      holder = undefined;
      alone.push(await turn());
      holder = await Holder.of(service.baseUrl, CONNECTIONS);
      beside.push(await turn());
      counts.push(await counted(service.baseUrl));
    }
    if (!holder) throw new Error('nothing is held');
    const held = await holder.held();
    const memory = { before, after: peakMemory(service.pid) };
    return { alone, beside, counts, held, memory, stopMs: await timeToStop(service) };
  } finally {
    driver.close();
    holder?.kill();
    await service.stop();
  }
}

function callsTo({ baseUrl }: ServiceProcess): DriveOrder {
  return {
    port: Number(new URL(baseUrl).port),
    connections: 4,
    requests: CALLS_A_TURN,
    method: 'GET',
    targets: ['/api/v1/partner/products'],
    body: '',
    headers: [{}],
    ...demoLoadKey(),
  };
}

async function timeToStop(service: ServiceProcess): Promise<number> {
  const startedAt = performance.now();
  const code = await service.stop();
  const ms = performance.now() - startedAt;
  if (code === 0 && ms < MAX_STOP_MS) return ms;
  throw new Error(`SIGTERM ended the service with ${code} after ${(ms / 1_000).toFixed(1)} s`);
}

function reportOf({ alone, beside, counts, held, memory, stopMs }: Figures): string {
  const [before, during] = [medianOf(alone), medianOf(beside)];
  const rows = [
    ['99th percentile of a good caller, ms', before.toFixed(1), during.toFixed(1)],
    ['times that of without', '', medianRatio(beside, alone).toFixed(2)],
    ['most memory, MB', memory.before.toFixed(), memory.after.toFixed()],
    ['SIGTERM to the end, s', '', (stopMs / 1_000).toFixed(1)],
  ];
  const count = (number: number) => number.toLocaleString('en');
  const least = Math.min(...counts.map(({ open }) => open));
  const last = counts.at(-1);
  return `## Connections that are held

${surroundings()}. ${count(CONNECTIONS)} connections to one process of the built service, a fifth
of each kind: nothing sent, half the headers, half a body under an unknown key, half a form, 16 answers
asked for and none read. Of the bodies and forms 2 KB have come, of every eleventh 99 KB. Whatever is hung up
is opened again at once, so ${count(held.opened)} were opened in the last turn; the service itself counted at least
${count(least)} open after each turn. By the end it had given up ${count(last?.bodiesGivenUp ?? 0)} bodies at their limit and driven out
${count(last?.drivenOut ?? 0)} connections at theirs. A good caller makes ${count(CALLS_A_TURN)} calls on four connections without
and with them, ${ROUNDS} times in turns; medians of the times, and of their ratios. Targets: at most
twice the time, under 400 MB, SIGTERM within 15 s.

${table(['', 'without', 'with'], rows)}`;
}
