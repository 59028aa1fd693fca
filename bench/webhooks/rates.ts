import { once } from 'node:events';
import { Client } from 'pg';
import { createDatabase } from '../support/create-database.ts';
import { medianOf, medianRatio } from '../support/interleaved.ts';
import { table } from '../support/report.ts';
import type { ContestantOrder, ContestantResult } from './contestant.ts';
import type { ContestantName } from './contestants.ts';
import { FINISHED_SUBSCRIPTIONS, loadFinished, loadSubscriptions } from './data.ts';
import { answerOf, forkWith, type Ground } from './ground.ts';
import { makeSender } from './sender.ts';

export const ROUNDS = 5;
const IN_FLIGHT = 64;
const SUBSCRIPTIONS = 50;
const MANY = 2_000;
export const WARM_UP = 10_000;
const DELIVERIES = 50_000;
/** A queue that takes a second for what the others do in a tenth is not given as much. */
const SLOW = new Map<ContestantName, number>([['graphile-worker', 8_000]]);
const FINISHED = 3_000_000;

const CONTESTANTS: readonly ContestantName[] = [
  'bare loop',
  'service',
  'graphile-worker',
  'graphile-worker with local queue',
  'pg-boss',
];

interface Figures {
  readonly rate: number;
  readonly processorMicros: number;
  readonly serverMicros: number;
}

/** Deliveries a second beside the queues and the bare loop. */
export async function rateSection(ground: Ground): Promise<string> {
  const results = new Map<ContestantName, Figures[]>();
  for (let round = 0; round < ROUNDS; round += 1) {
    // Another one begins each time: whoever comes after a busy neighbour is not always the same.
    for (const name of inTurn(round)) {
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
  const [best] = medians
    .filter(({ name }) => !['bare loop', 'service'].includes(name))
    .toSorted((a, b) => b.rate - a.rate);
  const to = (name: ContestantName = 'bare loop') => ratio(results, 'service', name).toFixed(2);
  return `### Deliveries a second

${DELIVERIES.toLocaleString('en')} deliveries that are due, to ${SUBSCRIPTIONS} subscriptions with a receiver each; the queues
post ${IN_FLIGHT} at a time, the service up to five a subscription. The service, which also keeps each
attempt and the subscriptions’ health, reaches ${to(best?.name)} of the best queue (target: 1.2) and ${to('bare loop')} of the
bare loop (target: 0.6): ratios of each round, their median, because the machine is not as fast in one
round as in the next. Processor time is that of a delivery, in microseconds.

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

function inTurn(round: number): ContestantName[] {
  const first = round % CONTESTANTS.length;
  return [...CONTESTANTS.slice(first), ...CONTESTANTS.slice(0, first)];
}

/** How many times as fast one was as another. */
function ratio(
  results: ReadonlyMap<ContestantName, readonly Figures[]>,
  one: ContestantName,
  other: ContestantName,
): number {
  const rates = (name: ContestantName) => (results.get(name) ?? []).map(({ rate }) => rate);
  return medianRatio(rates(one), rates(other));
}

/** More subscriptions than a sender has slots. */
export async function manySection(ground: Ground): Promise<string> {
  const few: number[] = [];
  const many: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const fewUrl = await createDatabase(ground.serverUrl, `few_${round}`);
    few.push((await contest(ground, 'service', fewUrl)).rate);
    const manyUrl = await createDatabase(ground.serverUrl, `many_${round}`);
    many.push((await contest(ground, 'service', manyUrl, MANY)).rate);
  }
  return `### Many subscriptions

The same deliveries to ${MANY.toLocaleString('en')} subscriptions, more than a sender has slots for:
${Math.round(medianOf(many)).toLocaleString('en')} a second, ${medianRatio(many, few).toFixed(2)} of what it is with
${SUBSCRIPTIONS}.`;
}

/** Whether what is long finished slows the sender down. */
export async function finishedSection(ground: Ground): Promise<string> {
  const empty: number[] = [];
  const full: number[] = [];
  const fullUrl = await createDatabase(ground.serverUrl, 'finished');
  await fill(fullUrl);
  for (let round = 0; round < ROUNDS; round += 1) {
    const emptyUrl = await createDatabase(ground.serverUrl, `unfinished_${round}`);
    empty.push((await contest(ground, 'service', emptyUrl)).rate);
    full.push((await contest(ground, 'service', fullUrl)).rate);
  }
  return `### With ${FINISHED.toLocaleString('en')} finished deliveries

${Math.round(medianOf(empty)).toLocaleString('en')} a second on an empty table,
${Math.round(medianOf(full)).toLocaleString('en')} beside ${FINISHED.toLocaleString('en')} finished ones with their
events and attempts: within ${medianRatio(empty, full).toFixed(2)} times (target: 1.2).`;
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
  const child = forkWith('contestant.ts', { CONTESTANT: JSON.stringify(order) });
  const [result] = (await answerOf(child)) as [ContestantResult];
  await once(child, 'exit');
  return result;
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
