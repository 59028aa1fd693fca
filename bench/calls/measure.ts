import { setTimeout as sleep } from 'node:timers/promises';
import type { DriveOrder, DriveResult } from '../support/drive.ts';
import { medianOf, medianRatio } from '../support/interleaved.ts';
import { processorTime, transactions } from '../support/process-figures.ts';
import { demoLoadKey } from '../support/signed-client.ts';
import { untilQuiet } from '../support/until-quiet.ts';
import { serverTime } from '../webhooks/server-time.ts';
import type { Bench, Call, Contestant } from './plan.ts';

export const CONNECTIONS = 64;
export const ROUNDS = 5;
const WARM_UP = 3_000;

export interface Figures {
  readonly name: string;
  readonly rate: number;
  readonly p50: number;
  readonly p99: number;
  /** Transactions of the whole database per request, background work included. */
  readonly transactions: number;
  /** Processor milliseconds of the server's process per request. */
  readonly processorMs: number;
  /** The same for PostgreSQL and for the client. */
  readonly serverMs: number;
  readonly clientMs: number;
}

export type Driven = Pick<Bench, 'driver' | 'client' | 'dataDir'>;

export type Results = ReadonlyMap<string, readonly Figures[]>;

export async function measure(
  bench: Driven,
  call: Call,
  contestants: readonly Contestant[],
): Promise<Results> {
  for (const contestant of contestants) await warmUp(bench, call, contestant);
  const results = new Map<string, Figures[]>(contestants.map(({ name }) => [name, []]));
  for (let round = 0; round < ROUNDS; round += 1) {
    // Each round starts with another contestant.
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

export async function measureOnce(
  bench: Driven,
  call: Call,
  contestant: Contestant,
): Promise<Figures> {
  await untilQuiet(bench.client);
  const before = { transactions: await transactions(bench.client), ...spentBy(bench, contestant) };
  const result = await drive(bench, call, contestant, call.requests);
  const after = spentBy(bench, contestant);
  // A busy session reports its statistics a second late.
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

export function spentBy({ driver, dataDir }: Driven, { pids }: Contestant) {
  return {
    processor: pids.reduce((sum, pid) => sum + processorTime(pid), 0),
    server: serverTime(dataDir),
    client: processorTime(driver.pid),
  };
}

export async function drive(
  { driver, client }: Driven,
  call: Call,
  contestant: Contestant,
  requests: number,
): Promise<DriveResult> {
  await holdLenders(client, contestant);
  return driver.drive(orderOf(call, contestant, requests));
}

export async function warmUp(
  { driver, client }: Driven,
  call: Call,
  contestant: Contestant,
): Promise<void> {
  await holdLenders(client, contestant);
  await driver.warmUp(orderOf(call, contestant, WARM_UP));
}

async function holdLenders(client: Driven['client'], contestant: Contestant): Promise<void> {
  await client.query('UPDATE bench_hold SET is_held = $1', [contestant.areLendersHeld ?? false]);
}

function orderOf(call: Call, contestant: Contestant, requests: number): DriveOrder {
  return {
    ...call.order,
    port: contestant.ports[0] ?? 0,
    ports: contestant.ports,
    connections: CONNECTIONS,
    requests,
    ...demoLoadKey(),
  };
}

export function mediansOf(figures: readonly Figures[]): Figures {
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

export function ratio(results: Results, one: string, other: string): number {
  const rates = (name: string) => (results.get(name) ?? []).map(({ rate }) => rate);
  return medianRatio(rates(one), rates(other));
}
