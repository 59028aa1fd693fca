/**
 * Whether clients that hold connections hurt anybody else: nothing sent, half the headers, half a body,
 * half a form, answers not read, a fifth of each. A good caller's times without and with them in turns,
 * the memory, and how long SIGTERM takes in the middle of it. `HELD_CONNECTIONS` sets another number
 * than 5,000; each of the two processes needs so many open files (`ulimit -n`) and a few hundred more.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Held, HoldOrder } from './held/holder.ts';
import { startBenchServer } from './support/bench-server.ts';
import { startBuiltService } from './support/built-service.ts';
import { createDatabase } from './support/create-database.ts';
import type { DriveOrder } from './support/drive.ts';
import { Driver } from './support/driver.ts';
import { medianOf } from './support/interleaved.ts';
import { peakMemory } from './support/process-figures.ts';
import { surroundings, table, writeReport } from './support/report.ts';
import { demoLoadKey } from './support/signed-client.ts';

const CONNECTIONS = Number(process.env.HELD_CONNECTIONS ?? 5_000);
const ROUNDS = 3;
const CALLS_A_ROUND = 2_000;
const SETTLE_MS = 5_000;
const MOST_WAIT_MS = 60_000;

interface Figures {
  readonly alone: readonly number[];
  readonly beside: readonly number[];
  readonly held: Held;
  /** MB, the most at any moment. */
  readonly memory: number;
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

async function measure(databaseUrl: string): Promise<Figures> {
  const service = await startBuiltService(databaseUrl, { NODE_ENV: 'production' });
  const port = Number(new URL(service.baseUrl).port);
  const driver = new Driver();
  const order: DriveOrder = {
    port,
    connections: 4,
    requests: CALLS_A_ROUND,
    method: 'GET',
    targets: ['/api/v1/partner/products'],
    body: '',
    headers: [{}],
    ...demoLoadKey(),
  };
  let holder: ChildProcess | undefined;
  const alone: number[] = [];
  const beside: number[] = [];
  try {
    // What is compiled on the way is nobody's time.
    await driver.drive(order);
    for (let round = 0; round < ROUNDS; round += 1) {
      alone.push((await driver.drive(order)).p99);
      holder = await holdAll(port);
      beside.push((await driver.drive(order)).p99);
      if (round < ROUNDS - 1) await letGo(holder);
    }
    const held = await countOf(holder!);
    const memory = peakMemory(service.pid);
    const startedAt = performance.now();
    await service.stop();
    return { alone, beside, held, memory, stopMs: performance.now() - startedAt };
  } finally {
    driver.close();
    holder?.kill('SIGKILL');
    await service.stop();
  }
}

/** @throws Error when so many connections cannot be held */
async function holdAll(port: number): Promise<ChildProcess> {
  const holder = fork(fileURLToPath(new URL('held/holder.ts', import.meta.url)));
  const killAtExit = () => holder.kill('SIGKILL');
  process.once('exit', killAtExit);
  holder.once('exit', () => process.removeListener('exit', killAtExit));
  const order: HoldOrder = { port, connections: CONNECTIONS };
  holder.send(order);
  const until = performance.now() + MOST_WAIT_MS;
  for (;;) {
    const { open, failed, lastFailure } = await countOf(holder);
    if (failed > 0) throw new Error(`connections cannot be opened (ulimit -n?): ${lastFailure}`);
    // Some are always being opened anew.
    if (open >= CONNECTIONS * 0.95) break;
    if (performance.now() > until) throw new Error(`only ${open} connections are held`);
    await sleep(250);
  }
  await sleep(SETTLE_MS);
  return holder;
}

async function countOf(holder: ChildProcess): Promise<Held> {
  holder.send('count');
  const [held] = (await once(holder, 'message')) as [Held];
  return held;
}

async function letGo(holder: ChildProcess): Promise<void> {
  const gone = once(holder, 'exit');
  holder.kill('SIGKILL');
  await gone;
  await sleep(SETTLE_MS);
}

function reportOf({ alone, beside, held, memory, stopMs }: Figures): string {
  const [before, during] = [medianOf(alone), medianOf(beside)];
  const rows = [
    ['99th percentile of a good caller, ms', before.toFixed(1), during.toFixed(1)],
    ['times that of without', '', (during / before).toFixed(2)],
    ['most memory, MB', '', memory.toFixed()],
    ['SIGTERM to the end, s', '', (stopMs / 1_000).toFixed(1)],
  ];
  return `## Connections that are held

${surroundings()}. ${CONNECTIONS.toLocaleString('en')} connections to one process of the built service, a fifth
of each kind: nothing sent, half the headers, 99 KB of a body under a key that nobody has, 99 KB of a form,
20 answers asked for and none read. Whatever is hung up is opened again; ${held.open.toLocaleString('en')} were open at
the end. A good caller makes ${CALLS_A_ROUND.toLocaleString('en')} calls on four connections without and with them, ${ROUNDS} times in turns;
medians. Targets: at most twice the time, under 400 MB, SIGTERM within 15 s.

${table(['', 'without', 'with'], rows)}`;
}
