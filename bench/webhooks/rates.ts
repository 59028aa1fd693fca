import { Client } from 'pg';
import { createDatabase } from '../support/create-database.ts';
import { medianOf, medianRatio } from '../support/interleaved.ts';
import { barChart, table } from '../support/report.ts';
import type { ContestantResult } from './contestant.ts';
import type { ContestantName } from './contestants.ts';
import { FINISHED_SUBSCRIPTIONS, loadFinished, loadSubscriptions } from './data.ts';
import type { Ground } from './ground.ts';
import { RunningContestant } from './running-contestant.ts';
import { makeSender } from './sender.ts';

export const ROUNDS = 5;
/** Many short turns, so that all contestants meet similar conditions. */
const TURNS = 10;
const IN_FLIGHT = 64;
const SUBSCRIPTIONS = 50;
const MANY = 2_000;
export const WARM_UP = 10_000;
const DELIVERIES = 50_000;
const DELIVERIES_A_TURN = 20_000;
/** A queue ten times slower than the others gets fewer deliveries. */
const SLOW = new Map<ContestantName, number>([['graphile-worker', 4_000]]);
const FINISHED = 3_000_000;

const CONTESTANTS: readonly ContestantName[] = [
  'bare loop',
  'service',
  'graphile-worker',
  'graphile-worker with local queue',
  'pg-boss',
];

type Results = ReadonlyMap<ContestantName, readonly ContestantResult[]>;

/** Deliveries per second, compared with the queues and the bare loop. */
export async function rateSection(ground: Ground): Promise<string> {
  const results = await takeTurns(ground);
  const medians = CONTESTANTS.map((name) => ({ name, ...medianFigures(results.get(name) ?? []) }));
  const [best] = medians
    .filter(({ name }) => !['bare loop', 'service'].includes(name))
    .toSorted((a, b) => b.rate - a.rate);
  const to = (name: ContestantName = 'bare loop') => ratio(results, 'service', name).toFixed(2);
  return `### Deliveries a second

Each sender a process that goes on running, as in operation; they take ${TURNS} turns of
${DELIVERIES_A_TURN.toLocaleString('en')} deliveries that are due, to ${SUBSCRIPTIONS} subscriptions with a receiver each. The queues
post ${IN_FLIGHT} at a time, the service up to five a subscription. The service, which also keeps each
attempt and the subscriptions’ health, reaches ${to(best?.name)} of the best queue (target: 1.2) and ${to('bare loop')} of the
bare loop (target: 0.6): ratios of each turn, their median, because the machine is not as fast in one
turn as in the next. Processor time is that of a delivery, in microseconds.

${barChart('webhooks-rate', {
  title: 'Deliveries a second, as a share of the bare loop’s',
  bars: medians.map(({ name }) => {
    const value = ratio(results, name, 'bare loop');
    return { label: name, value, text: value.toFixed(2) };
  }),
  target: { value: 0.6, text: 'target of the service' },
})}

${table(
  ['', 'a second', 'of the bare loop', 'own process', 'PostgreSQL'],
  medians.map(({ name, rate, processorMicros, serverMicros }) => [
    name,
    Math.round(rate).toLocaleString('en'),
    ratio(results, name, 'bare loop').toFixed(2),
    processorMicros.toFixed(),
    serverMicros.toFixed(),
  ]),
)}`;
}

async function takeTurns(ground: Ground): Promise<Results> {
  const results = new Map<ContestantName, ContestantResult[]>();
  const running = new Map<ContestantName, RunningContestant>();
  for (const [index, name] of CONTESTANTS.entries()) {
    running.set(
      name,
      await start(ground, name, await createDatabase(ground.serverUrl, `rate_${index}`)),
    );
    results.set(name, []);
  }
  for (let turn = 0; turn < TURNS; turn += 1) {
    // The order changes, so that each runs after a busy one.
    for (const name of inTurn(turn)) {
      const result = await running.get(name)!.send(SLOW.get(name) ?? DELIVERIES_A_TURN);
      results.get(name)?.push(result);
      process.stdout.write(`${name}: ${result.rate.toFixed()} a second\n`);
    }
  }
  for (const each of running.values()) await each.end();
  return results;
}

function inTurn(round: number): ContestantName[] {
  const first = round % CONTESTANTS.length;
  return [...CONTESTANTS.slice(first), ...CONTESTANTS.slice(0, first)];
}

/** How many times as fast one was as the other. */
function ratio(results: Results, one: ContestantName, other: ContestantName): number {
  const rates = (name: ContestantName) => (results.get(name) ?? []).map(({ rate }) => rate);
  return medianRatio(rates(one), rates(other));
}

/** More subscriptions than a sender has slots. */
export async function manySection(ground: Ground): Promise<string> {
  const few: number[] = [];
  const many: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const fewUrl = await createDatabase(ground.serverUrl, `few_${round}`);
    few.push((await contest(ground, fewUrl)).rate);
    const manyUrl = await createDatabase(ground.serverUrl, `many_${round}`);
    many.push((await contest(ground, manyUrl, MANY)).rate);
  }
  return `### Many subscriptions

The same deliveries to ${MANY.toLocaleString('en')} subscriptions, more than a sender has slots for:
${Math.round(medianOf(many)).toLocaleString('en')} a second, ${medianRatio(many, few).toFixed(2)} of what it is with
${SUBSCRIPTIONS}.`;
}

/** Measures whether finished deliveries slow the sender down. */
export async function finishedSection(ground: Ground): Promise<string> {
  const empty: number[] = [];
  const full: number[] = [];
  const fullUrl = await createDatabase(ground.serverUrl, 'finished');
  await fill(fullUrl);
  for (let round = 0; round < ROUNDS; round += 1) {
    const emptyUrl = await createDatabase(ground.serverUrl, `unfinished_${round}`);
    empty.push((await contest(ground, emptyUrl)).rate);
    full.push((await contest(ground, fullUrl)).rate);
  }
  return `### With ${FINISHED.toLocaleString('en')} finished deliveries

${Math.round(medianOf(empty)).toLocaleString('en')} a second on an empty table,
${Math.round(medianOf(full)).toLocaleString('en')} beside ${FINISHED.toLocaleString('en')} finished ones with their
events and attempts: within ${medianRatio(empty, full).toFixed(2)} times (target: 1.2).`;
}

/** The service's rate without a rival, in a new process. */
async function contest(
  ground: Ground,
  url: string,
  subscriptions = SUBSCRIPTIONS,
): Promise<ContestantResult> {
  const running = await start(ground, 'service', url, subscriptions);
  const result = await running.send(DELIVERIES);
  await running.end();
  return result;
}

function start(
  ground: Ground,
  name: ContestantName,
  databaseUrl: string,
  subscriptions = SUBSCRIPTIONS,
): Promise<RunningContestant> {
  return RunningContestant.start({
    name,
    databaseUrl,
    dataDir: ground.dataDir,
    receiverPorts: ground.receiverPorts,
    subscriptions,
    inFlight: IN_FLIGHT,
    warmUp: Math.min(WARM_UP, SLOW.get(name) ?? WARM_UP),
  });
}

/** The service's schema, with the rows of a month. */
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

function medianFigures(figures: readonly ContestantResult[]): ContestantResult {
  return {
    rate: medianOf(figures.map(({ rate }) => rate)),
    processorMicros: medianOf(figures.map(({ processorMicros }) => processorMicros)),
    serverMicros: medianOf(figures.map(({ serverMicros }) => serverMicros)),
  };
}
