import { once } from 'node:events';
import { createDatabase } from '../support/create-database.ts';
import { medianOf, medianRatio } from '../support/interleaved.ts';
import { table } from '../support/report.ts';
import { answerOf, forkWith, type Ground } from './ground.ts';
import type { Seen } from './receiver.ts';
import type { TimedOrder } from './timed.ts';

const WAITING = 100_000;
const NEIGHBOURS = 50;
const ROUNDS = 3;

/** Measures whether one hanging receiver delays the others. */
export async function neighbourSection(ground: Ground): Promise<string> {
  const quiet: number[][] = [];
  const noisy: number[][] = [];
  const order = { subscriptions: NEIGHBOURS, events: 300, gapMs: 20 };
  for (let round = 0; round < ROUNDS; round += 1) {
    quiet.push(await timed(ground, `quiet_${round}`, { ...order, waiting: 0 }));
    noisy.push(await timed(ground, `noisy_${round}`, { ...order, waiting: WAITING }));
  }
  const each = (rounds: number[][], share: number) =>
    rounds.map((delays) => percentile(delays, share));
  const row = (name: string, rounds: number[][]) => [
    name,
    medianOf(each(rounds, 0.5)).toFixed(1),
    medianOf(each(rounds, 0.99)).toFixed(1),
  ];
  const ratio = medianRatio(each(noisy, 0.99), each(quiet, 0.99));
  return `### A noisy neighbour

From just before an event’s commit to its receiver, milliseconds, ${NEIGHBOURS} healthy receivers; with
and without one that hangs in front of ${WAITING.toLocaleString('en')} deliveries: the 99th percentile is
${ratio.toFixed(2)} times what it is without (target: 1.5).

${table(['', 'median', '99th percentile'], [row('without', quiet), row('with', noisy)])}`;
}

/** How soon an event arrives when the sender is idle. */
export async function idleSection(ground: Ground): Promise<string> {
  const order = { subscriptions: 1, events: 200, gapMs: 50, waiting: 0 };
  const delays = await timed(ground, 'idle', order);
  return `### When it is quiet

One event every 50 ms to one receiver: ${percentile(delays, 0.5).toFixed(1)} ms from just before its commit
to the receiver in the median (target: 50), ${percentile(delays, 0.99).toFixed(1)} ms in the 99th
percentile. Nothing polls more often than once a second.`;
}

/** Milliseconds from publishing to arrival, for every delivery. */
async function timed(
  ground: Ground,
  name: string,
  given: Omit<TimedOrder, 'databaseUrl' | 'receiverPorts'>,
): Promise<number[]> {
  const databaseUrl = await createDatabase(ground.serverUrl, name);
  const order = { ...given, databaseUrl, receiverPorts: ground.receiverPorts };
  const child = forkWith('timed.ts', { TIMED: JSON.stringify(order) });
  await answerOf(child);
  await askReceiver(ground, 'begin');
  child.send('go');
  await answerOf(child);
  const { delays } = await askReceiver(ground, 'end');
  child.send('end');
  await once(child, 'exit');
  return delays.map((micros) => micros / 1_000);
}

export async function askReceiver({ receiver }: Ground, order: 'begin' | 'end'): Promise<Seen> {
  receiver.send(order);
  const [seen] = (await once(receiver, 'message')) as [Seen];
  return seen;
}

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
