/**
 * Measures whether clients without a key slow a caller with one. 32 of them search the documentation endlessly; 420
 * request searches and read nothing. Compares the caller's 99th percentile with and without them.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startBenchServer } from './support/bench-server.ts';
import { type ServiceProcess, startBuiltService } from './support/built-service.ts';
import { createDatabase } from './support/create-database.ts';
import { Driver } from './support/driver.ts';
import { medianOf, medianRatio } from './support/interleaved.ts';
import { surroundings, table, writeReport } from './support/report.ts';
import { demoLoadKey } from './support/signed-client.ts';

const ROUNDS = 3;
const CALLS_A_TURN = 1_000;
/** An address may use a second of the processor at once; then its share applies. */
const SETTLE_MS = 8_000;
/** On a loopback BASE_URL addresses have no share. */
const PUBLIC = { BASE_URL: 'https://sandbox.bench.example', SANDBOX_OPEN: 'true' };

interface Flood {
  readonly title: string;
  readonly clients: number;
  readonly reads: boolean;
}

const FLOODS: readonly Flood[] = [
  { title: '32 clients that search', clients: 32, reads: true },
  { title: '420 connections that search and read nothing', clients: 420, reads: false },
];

export async function run(): Promise<void> {
  const server = await startBenchServer();
  try {
    const url = await createDatabase(server.url, 'without-key');
    const service = await startBuiltService(url, PUBLIC);
    const driver = new Driver();
    try {
      await turn(driver, service);
      const rows: string[][] = [];
      for (const flood of FLOODS) rows.push(await measure(driver, service, flood));
      const markdown = reportOf(rows);
      process.stdout.write(`\n${markdown}\n`);
      writeReport('without-key', markdown);
    } finally {
      driver.close();
      await service.stop();
    }
  } finally {
    await server.stop();
  }
}

async function measure(driver: Driver, service: ServiceProcess, flood: Flood): Promise<string[]> {
  const [alone, beside] = [[] as number[], [] as number[]];
  for (let round = 0; round < ROUNDS; round += 1) {
    alone.push(await turn(driver, service));
    const clients = start(service, flood);
    try {
      await sleep(SETTLE_MS);
      beside.push(await turn(driver, service));
    } finally {
      const gone = once(clients, 'exit');
      clients.kill('SIGKILL');
      await gone;
      await sleep(SETTLE_MS);
    }
    process.stdout.write(
      `${flood.title}: ${alone.at(-1)?.toFixed(1)}, ${beside.at(-1)?.toFixed(1)} ms\n`,
    );
  }
  return [
    flood.title,
    medianOf(alone).toFixed(1),
    medianOf(beside).toFixed(1),
    medianRatio(beside, alone).toFixed(2),
  ];
}

function start({ baseUrl }: ServiceProcess, { clients, reads }: Flood): ChildProcess {
  const file = fileURLToPath(new URL('without-key/flood.ts', import.meta.url));
  const { port } = new URL(baseUrl);
  const given = [port, String(clients), reads ? '1' : '0'];
  const child = spawn(process.execPath, [file, ...given], { stdio: 'inherit' });
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  child.once('exit', () => process.off('exit', kill));
  return child;
}

/** The 99th percentile of the good caller's calls, in milliseconds. */
async function turn(driver: Driver, { baseUrl }: ServiceProcess): Promise<number> {
  const { p99 } = await driver.drive({
    port: Number(new URL(baseUrl).port),
    connections: 4,
    requests: CALLS_A_TURN,
    method: 'GET',
    targets: ['/api/v1/partner/products'],
    body: '',
    headers: [{}],
    ...demoLoadKey(),
  });
  return p99;
}

function reportOf(rows: string[][]): string {
  return `## Clients without a key

${surroundings()}. One process of the built service. Every search is of words that no other has together. A good caller
makes ${CALLS_A_TURN.toLocaleString('en')} calls on four connections without and with them, ${ROUNDS} times in turns, from ${SETTLE_MS / 1_000} s after their start;
medians of the 99th percentiles, in milliseconds, and of their ratios. Target: at most twice the time.

${table(['beside', 'without', 'with', 'ratio'], rows)}`;
}
