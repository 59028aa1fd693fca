import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { createDatabase } from '../support/create-database.ts';
import { medianOf, medianRatio } from '../support/interleaved.ts';
import { processorTime } from '../support/process-figures.ts';
import { table } from '../support/report.ts';
import { untilQuiet } from '../support/until-quiet.ts';
import { HANGING, startRemoteLenders } from './remote-lenders.ts';
import type { LoadOrder, LoadResult } from './steady-load.ts';

export const ROUNDS = Number(process.env.LENDERS_ROUNDS ?? 5);
/** Initiations per second. At the slower rate two processors also keep up with the offers. */
const RATES = [200, 20];
const SECONDS = 20;
const WARM_UP = { rate: 60, seconds: 5 };
const GIVE_UP_MS = 300_000;

type Side = 'healthy' | 'hanging';

const SIDES: readonly Side[] = ['healthy', 'hanging'];

/** Milliseconds. */
interface Figures {
  readonly initiate50: number;
  readonly initiate99: number;
  /** From a journey’s start to the offers of each of the two other lenders. */
  readonly offers50: number;
  readonly offers99: number;
  /** Questions to the hanging lender, sent or about to be. */
  readonly attempts: number;
  /** Processor time of the service per journey. */
  readonly serviceMs: number;
}

type Results = ReadonlyMap<Side, Figures[]>;

const OTHERS_OFFERS = `
  SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY ms) AS p50,
    percentile_cont(0.99) WITHIN GROUP (ORDER BY ms) AS p99
  FROM (
    SELECT extract(epoch FROM closed_at - created_at)::float8 * 1000 AS ms FROM lender_questions
    WHERE kind = 'OFFERS' AND lender_code <> $1 AND created_at >= $2 AND status = 'ANSWERED'
  ) AS answered`;
const OTHERS_LEFT = `
  SELECT count(*)::int AS left FROM lender_questions
  WHERE kind = 'OFFERS' AND lender_code <> $1 AND closed_at IS NULL`;
const ATTEMPTS = `
  SELECT coalesce(avg(attempts), 0)::float8 AS attempts FROM lender_questions
  WHERE kind = 'OFFERS' AND lender_code = $1 AND created_at >= $2`;
const FORGET = `
  UPDATE lender_questions SET status = 'CLOSED', closed_at = app_now() WHERE closed_at IS NULL;
  UPDATE lender_inbox SET consumed_at = app_now() WHERE consumed_at IS NULL;
  UPDATE journeys SET state = 'ABANDONED' WHERE state = 'INITIATED'`;

let applicants = 0;

/** Measures whether a hanging lender slows the service’s responses, or the other lenders’ offers. */
export async function hangingSection(serverUrl: string): Promise<string> {
  const load = fork(fileURLToPath(new URL('steady-load.ts', import.meta.url)));
  const kill = () => load.kill('SIGKILL');
  process.once('exit', kill);
  const parts: string[] = [];
  try {
    for (const rate of RATES) {
      const url = await createDatabase(serverUrl, `lenders_at_${rate}`);
      parts.push(tableOf(rate, await measure(url, load, rate)));
    }
  } finally {
    process.off('exit', kill);
    kill();
  }
  return `### One lender that hangs

Journeys are initiated at a steady rate for ${SECONDS} s, whether or not those before were answered, beside three healthy lenders, and
beside two while the third takes every question and never answers; ${ROUNDS} rounds in turns, each turn with a
service and lenders that were just started and warmed up. _Initiate_: milliseconds from when the call was due to its answer. _Offers_: from a
journey’s start to the offers of each of the other two lenders. _Attempts_: how often a question
to the one that hangs was claimed by the end of the turn, whether it was then put or the lender was left alone. _Service_: its processor time for a journey, milliseconds. The ratio is that of
each round, and of these the median (target: at most 1.2). At 200 a second the two processors, which the load, the lenders and PostgreSQL
share with the service, are full, and offers wait in line; at 20 they keep up.

${parts.join('\n\n')}`;
}

async function measure(databaseUrl: string, load: ChildProcess, rate: number): Promise<Results> {
  const results = new Map<Side, Figures[]>(SIDES.map((side) => [side, []]));
  for (let round = 0; round < ROUNDS; round += 1) {
    const turn = SIDES.map((_, index) => SIDES[(index + round) % SIDES.length] ?? 'healthy');
    for (const side of turn) {
      const figures = await measureOnce(databaseUrl, load, rate, side);
      results.get(side)?.push(figures);
      const shown = Object.entries(figures).map(([name, value]) => `${name} ${value.toFixed(1)}`);
      process.stdout.write(`${rate} a second, ${side}: ${shown.join(', ')}\n`);
    }
  }
  return results;
}

async function measureOnce(
  databaseUrl: string,
  load: ChildProcess,
  rate: number,
  side: Side,
): Promise<Figures> {
  const lenders = await startRemoteLenders(databaseUrl);
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { baseUrl } = lenders.service;
    await drive(load, { baseUrl, ...WARM_UP });
    await untilQuiet(client);
    if (side === 'hanging') await lenders.hang();
    const { pid } = lenders.service;
    const spentBefore = processorTime(pid);
    const { rows: moment } = await client.query<{ now: Date }>('SELECT app_now() AS now');
    const calls = await drive(load, { baseUrl, rate, seconds: SECONDS });
    await untilOffered(client);
    const spent = processorTime(pid) - spentBefore;
    const about = [HANGING, moment[0]?.now];
    const { rows } = await client.query<{ p50: number; p99: number }>(OTHERS_OFFERS, about);
    const put = await client.query<{ attempts: number }>(ATTEMPTS, about);
    const [offers] = rows;
    if (!offers) throw new Error('nothing was measured');
    return {
      initiate50: calls.p50,
      initiate99: calls.p99,
      offers50: offers.p50,
      offers99: offers.p99,
      attempts: put.rows[0]?.attempts ?? Number.NaN,
      serviceMs: (spent * 1_000) / calls.calls,
    };
  } finally {
    await lenders.stop();
    // Deletes the remaining work, so that it does not affect the next turn.
    await client.query(FORGET);
    await client.end();
  }
}

/** @throws Error when a call failed */
async function drive(load: ChildProcess, order: Omit<LoadOrder, 'from'>): Promise<LoadResult> {
  const ended = once(load, 'message') as Promise<[LoadResult]>;
  load.send({ ...order, from: applicants } satisfies LoadOrder);
  const [result] = await ended;
  applicants += result.calls;
  if (result.failures > 0) {
    throw new Error(`${result.failures} calls failed, the first: ${result.firstFailure}`);
  }
  return result;
}

/** Waits until every journey has the offers of the other two. @throws Error when they do not come */
async function untilOffered(client: Client): Promise<void> {
  const until = performance.now() + GIVE_UP_MS;
  for (;;) {
    const { rows } = await client.query<{ left: number }>(OTHERS_LEFT, [HANGING]);
    if (rows[0]?.left === 0) return;
    if (performance.now() > until) throw new Error(`${rows[0]?.left} offers never came`);
    await sleep(200);
  }
}

function tableOf(rate: number, results: Results): string {
  const of = (side: Side, key: keyof Figures) =>
    (results.get(side) ?? []).map((figures) => figures[key]);
  const row = (name: string, key: keyof Figures) => [
    name,
    ...SIDES.map((side) => medianOf(of(side, key)).toFixed(1)),
    medianRatio(of('hanging', key), of('healthy', key)).toFixed(2),
  ];
  const head = [`${rate} a second`, 'three healthy', 'one of them hangs', 'ratio'];
  return table(head, [
    row('Initiate, p50', 'initiate50'),
    row('Initiate, p99', 'initiate99'),
    row('Offers, p50', 'offers50'),
    row('Offers, p99', 'offers99'),
    row('Attempts', 'attempts'),
    row('Service', 'serviceMs'),
  ]);
}
