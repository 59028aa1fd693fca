/**
 * How many webhooks a second the sender delivers, end to end (claimed, signed, posted, recorded), side
 * by side in one run with the same signing and posting as jobs on the fastest queues and with a bare
 * loop that does nothing else; whether finished deliveries slow it down; whether one hanging receiver
 * delays the others; and how soon an event arrives when all is quiet. Takes some ten minutes.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { built } from './support/built-service.ts';
import { createDatabase } from './support/create-database.ts';
import { medianOf } from './support/interleaved.ts';
import { surroundings, table, writeReport } from './support/report.ts';
import type { ContestantOrder, ContestantResult } from './webhooks/contestant.ts';
import type { ContestantName } from './webhooks/contestants.ts';
import { FINISHED_SUBSCRIPTIONS, loadFinished, loadSubscriptions } from './webhooks/data.ts';
import type { Seen } from './webhooks/receiver.ts';
import { makeSender } from './webhooks/sender.ts';
import type { TimedOrder } from './webhooks/timed.ts';

type Platform = typeof import('../src/platform/index.js');

const ROUNDS = 3;
const IN_FLIGHT = 64;
const SUBSCRIPTIONS = 50;
const MANY = 2_000;
const MANY_ROUNDS = 3;
const WARM_UP = 5_000;
const DELIVERIES = 25_000;
/** A queue that takes a second for what the others do in a tenth is not given as much. */
const SLOW = new Map<ContestantName, number>([['graphile-worker', 8_000]]);
const FINISHED = 3_000_000;
const WAITING = 100_000;
const NEIGHBOURS = 50;

const CONTESTANTS: readonly ContestantName[] = [
  'bare loop',
  'service',
  'graphile-worker',
  'graphile-worker with local queue',
  'pg-boss',
];

interface Ground {
  readonly serverUrl: string;
  readonly dataDir: string;
  readonly receiver: ChildProcess;
  readonly receiverPorts: readonly number[];
}

interface Figures {
  readonly rate: number;
  readonly processorMicros: number;
  readonly serverMicros: number;
}

export async function run(only?: string): Promise<void> {
  const platform = await built<Platform>('src/platform/index.js');
  const dataDir = mkdtempSync(join(tmpdir(), 'rinpath-bench-'));
  // Under root PostgreSQL runs as the user postgres, who must get in.
  chmodSync(dataDir, 0o755);
  const postgres = await platform.startEmbeddedPostgres({ dataDir });
  const receiver = fork(fileURLToPath(new URL('webhooks/receiver.ts', import.meta.url)));
  try {
    const [{ ports }] = (await once(receiver, 'message')) as [{ ports: number[] }];
    const ground = { serverUrl: postgres.url, dataDir, receiver, receiverPorts: ports };
    const sections: string[] = [];
    for (const [name, section] of Object.entries(SECTIONS)) {
      if (only === undefined || only === name) sections.push(await section(ground));
    }
    process.stdout.write(`\n${sections.join('\n\n')}\n`);
    if (only === undefined) writeReport('webhooks', [HEAD(), ...sections].join('\n\n'));
  } finally {
    receiver.kill();
    await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

const SECTIONS = {
  rate: rateSection,
  many: manySection,
  finished: finishedSection,
  neighbour: neighbourSection,
  idle: idleSection,
} as const;

const HEAD = () => `## Webhooks

${surroundings()}. All on one embedded PostgreSQL, each in a process and a database of its own, to a
receiver in a third process that answers at once; medians of ${ROUNDS} runs in turns, each after a
warm-up of ${WARM_UP.toLocaleString('en')}. Only ratios from one run say anything. How it works:
[decision 14](adr/0014-webhook-lanes.md).`;

async function rateSection(ground: Ground): Promise<string> {
  const results = new Map<ContestantName, Figures[]>();
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const name of CONTESTANTS) {
      const url = await createDatabase(
        ground.serverUrl,
        `rate_${round}_${CONTESTANTS.indexOf(name)}`,
      );
      const figures = await contest(ground, name, url);
      results.set(name, [...(results.get(name) ?? []), figures]);
      process.stdout.write(`${name}: ${figures.rate.toFixed()} a second\n`);
    }
  }
  const medians = CONTESTANTS.map((name) => ({ name, ...medianFigures(results.get(name) ?? []) }));
  const bare = rateOf(medians, 'bare loop');
  const best = Math.max(
    ...medians
      .filter(({ name }) => !['bare loop', 'service'].includes(name))
      .map(({ rate }) => rate),
  );
  const own = rateOf(medians, 'service');
  return `### Deliveries a second

${DELIVERIES.toLocaleString('en')} deliveries that are due, to ${SUBSCRIPTIONS} subscriptions with a receiver each; the queues
post ${IN_FLIGHT} at a time, the service up to five a subscription. The service, which also keeps each
attempt and the subscriptions’ health, reaches ${(own / best).toFixed(2)} of the best queue (target: 1.2) and ${(own / bare).toFixed(2)} of the
bare loop (target: 0.6). Processor time is that of a delivery, in microseconds.

${table(
  ['', 'a second', 'of the bare loop', 'own process', 'PostgreSQL'],
  medians.map(({ name, rate, processorMicros, serverMicros }) => [
    name,
    Math.round(rate).toLocaleString('en'),
    (rate / bare).toFixed(2),
    processorMicros.toFixed(),
    serverMicros.toFixed(),
  ]),
)}`;
}

async function manySection(ground: Ground): Promise<string> {
  const few: number[] = [];
  const many: number[] = [];
  for (let round = 0; round < MANY_ROUNDS; round += 1) {
    const fewUrl = await createDatabase(ground.serverUrl, `few_${round}`);
    few.push((await contest(ground, 'service', fewUrl)).rate);
    const manyUrl = await createDatabase(ground.serverUrl, `many_${round}`);
    many.push((await contest(ground, 'service', manyUrl, MANY)).rate);
  }
  const [with50, withMany] = [medianOf(few), medianOf(many)];
  return `### Many subscriptions

The same deliveries to ${MANY.toLocaleString('en')} subscriptions, more than a sender has slots for:
${Math.round(withMany).toLocaleString('en')} a second, ${(withMany / with50).toFixed(2)} of what it is with
${SUBSCRIPTIONS}.`;
}

async function finishedSection(ground: Ground): Promise<string> {
  const empty: number[] = [];
  const full: number[] = [];
  const fullUrl = await createDatabase(ground.serverUrl, 'finished');
  await fill(fullUrl);
  for (let round = 0; round < ROUNDS; round += 1) {
    const emptyUrl = await createDatabase(ground.serverUrl, `unfinished_${round}`);
    empty.push((await contest(ground, 'service', emptyUrl)).rate);
    full.push((await contest(ground, 'service', fullUrl)).rate);
  }
  const [without, with_] = [medianOf(empty), medianOf(full)];
  return `### With ${FINISHED.toLocaleString('en')} finished deliveries

${Math.round(without).toLocaleString('en')} a second on an empty table,
${Math.round(with_).toLocaleString('en')} beside ${FINISHED.toLocaleString('en')} finished ones with their
events and attempts: within ${(without / with_).toFixed(2)} times (target: 1.2).`;
}

async function neighbourSection(ground: Ground): Promise<string> {
  const quiet: number[][] = [];
  const noisy: number[][] = [];
  const order = { subscriptions: NEIGHBOURS, events: 300, gapMs: 20 };
  for (let round = 0; round < 3; round += 1) {
    quiet.push(await timed(ground, `quiet_${round}`, { ...order, waiting: 0 }));
    noisy.push(await timed(ground, `noisy_${round}`, { ...order, waiting: WAITING }));
  }
  const at = (rounds: number[][], share: number) =>
    medianOf(rounds.map((delays) => percentile(delays, share)));
  const [without, with_] = [at(quiet, 0.99), at(noisy, 0.99)];
  return `### A noisy neighbour

From just before an event’s commit to its receiver, milliseconds, ${NEIGHBOURS} healthy receivers; with
and without one that hangs in front of ${WAITING.toLocaleString('en')} deliveries: the 99th percentile is
${(with_ / without).toFixed(2)} times what it is without (target: 1.5).

${table(
  ['', 'median', '99th percentile'],
  [
    ['without', at(quiet, 0.5).toFixed(1), without.toFixed(1)],
    ['with', at(noisy, 0.5).toFixed(1), with_.toFixed(1)],
  ],
)}`;
}

async function idleSection(ground: Ground): Promise<string> {
  const order = { subscriptions: 1, events: 200, gapMs: 50, waiting: 0 };
  const delays = await timed(ground, 'idle', order);
  return `### When it is quiet

One event every 50 ms to one receiver: ${percentile(delays, 0.5).toFixed(1)} ms from just before its commit
to the receiver in the median (target: 50), ${percentile(delays, 0.99).toFixed(1)} ms in the 99th
percentile. Nothing polls more often than once a second.`;
}

async function contest(
  ground: Ground,
  name: ContestantName,
  url: string,
  subscriptions = SUBSCRIPTIONS,
): Promise<Figures> {
  const deliveries = SLOW.get(name) ?? DELIVERIES;
  const order: ContestantOrder = {
    name,
    databaseUrl: url,
    dataDir: ground.dataDir,
    receiverPorts: ground.receiverPorts,
    subscriptions,
    inFlight: IN_FLIGHT,
    warmUp: Math.min(WARM_UP, deliveries),
    deliveries,
  };
  const child = forkWith('webhooks/contestant.ts', { CONTESTANT: JSON.stringify(order) });
  const [result] = (await answerOf(child)) as [ContestantResult];
  await once(child, 'exit');
  return result;
}

/** Milliseconds from the publishing to the arrival, of every delivery. */
async function timed(
  ground: Ground,
  name: string,
  given: Omit<TimedOrder, 'databaseUrl' | 'receiverPorts'>,
): Promise<number[]> {
  const databaseUrl = await createDatabase(ground.serverUrl, name);
  const order = { ...given, databaseUrl, receiverPorts: ground.receiverPorts };
  const child = forkWith('webhooks/timed.ts', { TIMED: JSON.stringify(order) });
  await answerOf(child);
  await askReceiver(ground, 'begin');
  child.send('go');
  await answerOf(child);
  const { delays } = await askReceiver(ground, 'end');
  child.send('end');
  await once(child, 'exit');
  return delays.map((micros) => micros / 1_000);
}

async function askReceiver({ receiver }: Ground, order: 'begin' | 'end'): Promise<Seen> {
  receiver.send(order);
  const [seen] = (await once(receiver, 'message')) as [Seen];
  return seen;
}

function forkWith(file: string, variables: Record<string, string>): ChildProcess {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), {
    env: { ...process.env, ...variables },
  });
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  child.once('exit', () => process.off('exit', kill));
  return child;
}

/** @throws Error when it ends before it answers */
async function answerOf(child: ChildProcess): Promise<unknown[]> {
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`it ended with ${String(code)} before it answered`);
  });
  ended.catch(() => undefined);
  return Promise.race([once(child, 'message'), ended]);
}

/** The schema as the service makes it, and what it would have left behind after a month. */
async function fill(url: string): Promise<void> {
  const sender = await makeSender(url);
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await loadSubscriptions(
      client,
      FINISHED_SUBSCRIPTIONS,
      () => 'https://partner.example/',
      (secret) => sender.seal(secret),
    );
    await sender.close();
    process.stdout.write(`Making ${FINISHED.toLocaleString('en')} finished deliveries…\n`);
    await loadFinished(client, FINISHED);
  } finally {
    await client.end();
  }
}

function medianFigures(figures: readonly Figures[]): Figures {
  return {
    rate: medianOf(figures.map(({ rate }) => rate)),
    processorMicros: medianOf(figures.map(({ processorMicros }) => processorMicros)),
    serverMicros: medianOf(figures.map(({ serverMicros }) => serverMicros)),
  };
}

function rateOf(medians: readonly (Figures & { name: string })[], name: ContestantName): number {
  return medians.find((one) => one.name === name)?.rate ?? Number.NaN;
}

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
