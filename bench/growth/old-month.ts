import type { Client } from 'pg';
import { setTimeout as sleep } from 'node:timers/promises';
import { built } from '../support/built-service.ts';
import { medianOf } from '../support/interleaved.ts';
import { table } from '../support/report.ts';
import type { Growth } from './ground.ts';
import { withLongestWait } from './lock-waits.ts';
import { OldCalls } from './old-calls.ts';
import { OLD_MONTHS, type OldMonth } from './old-month-rows.ts';
import { makePartitions } from './partitions.ts';
import { serve } from './rates.ts';
import { PARTS, type Side } from './side.ts';

type Forms = typeof import('../../src/partitions/partitioned-table.js');

const ROUNDS = 3;
const MONTH_DAYS = 30;
/** More than one pass: a pass skips busy tables. */
const MOST_PASSES = 10;
const BETWEEN_PASSES_MS = 100;
/** By then the calls have started. */
const UNDER_WAY_MS = 500;

/** The result of one round, in milliseconds. */
interface Dropped {
  readonly rows: number;
  readonly bytes: number;
  readonly parts: number;
  readonly passes: number;
  readonly ms: number;
  readonly longestWithout: number;
  readonly longest: number;
  /** The wait for a lock of the upkeep, and the longest time between two checks. */
  readonly waited: number;
  readonly gap: number;
}

/** An expired month of history: how long dropping it takes, and its effect on callers. */
export async function oldMonthSection({ large, log }: Growth): Promise<string> {
  const lines: string[][] = [];
  for (const month of OLD_MONTHS) {
    const rounds: Dropped[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const dropped = await dropBesideCalls(large, month);
      rounds.push(dropped);
      const { ms, passes, longest, longestWithout, waited, gap } = dropped;
      log(
        `a month of ${month.name}: ${ms.toFixed()} ms in ${passes} passes, the longest call ${longest.toFixed()} ms, without ${longestWithout.toFixed()}; waited for a lock ${waited.toFixed()} ms, between two looks ${gap.toFixed()} ms at most`,
      );
    }
    lines.push(lineOf(month, rounds));
  }
  const head = [
    'What',
    'rows',
    'MB',
    'partitions',
    'ms',
    'longest',
    'passes',
    'blocked ms',
    'unseen ms',
  ];
  return `### A month that has had its time

The service’s own upkeep drops what is older than it keeps, a few partitions in each transaction; here
${MONTH_DAYS} days at once, on the large one, with as many rows as a month of its journeys leaves, while a partner
reads journeys, lists deliveries and starts journeys, whose events are delivered and whose calls are
logged. Medians of ${ROUNDS} rounds, and the longest (target: under 1,000 ms). _Passes_: the most it took; one
waits for a busy table for 50 ms, and leaves it to the next one. _Blocked_: the longest wait that was seen for a lock of
a table which the upkeep held or stood in line for, of all rounds, each lock separately (target: at most 100 ms); a wait that is shorter than
the time between two looks, _unseen_ at most, may not be seen. _Longest call_: of all, beside it
and without.

${table([...head, 'longest call ms', 'without'], lines)}`;
}

function lineOf({ name }: OldMonth, rounds: readonly Dropped[]): string[] {
  const of = (key: keyof Dropped) => rounds.map((round) => round[key]);
  return [
    name,
    medianOf(of('rows')).toLocaleString('en'),
    (medianOf(of('bytes')) / 1e6).toFixed(),
    medianOf(of('parts')).toFixed(),
    medianOf(of('ms')).toFixed(),
    Math.max(...of('ms')).toFixed(),
    Math.max(...of('passes')).toFixed(),
    Math.max(...of('waited')).toFixed(),
    Math.max(...of('gap')).toFixed(),
    Math.max(...of('longest')).toFixed(),
    Math.max(...of('longestWithout')).toFixed(),
  ];
}

async function dropBesideCalls(side: Side, month: OldMonth): Promise<Dropped> {
  const names = await write(side, month);
  const { rows, bytes } = await sizeOf(side.client, names);
  const served = await serve(side);
  const calls = await OldCalls.begin(served);
  try {
    // Measured with the same checks, so that only the drop differs.
    const { result: longestWithout } = await withLongestWait(side.url, PARTS, () =>
      calls.longest(),
    );
    const { result, isUpkeepThere, ...waits } = await withLongestWait(side.url, PARTS, async () => {
      const dropping = sleep(UNDER_WAY_MS).then(() => drop(side, month, names));
      return { longest: await calls.longestUntil(dropping), ...(await dropping) };
    });
    if (!isUpkeepThere) throw new Error(`no connection that drops has the name ${PARTS}`);
    return { rows, bytes, parts: names.length, longestWithout, ...result, ...waits };
  } finally {
    await calls.end();
    await served.service.stop();
  }
}

/** The month before the retention period, in partitions as the service makes them. */
async function write({ client, journeys }: Side, month: OldMonth): Promise<string[]> {
  const partitioned = await month.table();
  const { keptFrom } = await built<Forms>('src/partitions/partitioned-table.js');
  const until = keptFrom(partitioned, Date.now());
  const parts = await makePartitions(client, partitioned, MONTH_DAYS, until);
  // Without the last partition, which has not expired completely.
  const old = parts.filter(({ to }) => to <= until);
  const ends = [old[0]?.from, old.at(-1)?.to].map((time = 0) => new Date(time));
  const names = old.map(({ name }) => name);
  await client.query(`TRUNCATE ${names.join(', ')}`);
  await client.query('SET session_replication_role = replica');
  await client.query(month.sql, [...ends, Math.ceil((journeys * MONTH_DAYS) / 365)]);
  await client.query('RESET session_replication_role');
  await client.query(`VACUUM ANALYZE ${names.join(', ')}`);
  await client.query('CHECKPOINT');
  return names;
}

async function sizeOf(client: Client, names: readonly string[]) {
  const { rows } = await client.query<{ rows: number; bytes: number }>(
    `SELECT sum(reltuples)::float8 AS rows, sum(pg_total_relation_size(oid))::float8 AS bytes
     FROM pg_class WHERE relname = ANY ($1)`,
    [names],
  );
  return rows[0] ?? { rows: 0, bytes: 0 };
}

/** Repeats the pass until every partition is dropped. */
async function drop(
  side: Side,
  month: OldMonth,
  names: readonly string[],
): Promise<{ passes: number; ms: number }> {
  const startedAt = performance.now();
  for (let passes = 1; passes <= MOST_PASSES; passes += 1) {
    await month.keep(side.parts);
    const ms = performance.now() - startedAt;
    if (!(await isAnyThere(side.client, names))) return { passes, ms };
    await sleep(BETWEEN_PASSES_MS);
  }
  throw new Error(`${month.name}: still there after ${MOST_PASSES} passes`);
}

async function isAnyThere(client: Client, names: readonly string[]): Promise<boolean> {
  const { rows } = await client.query('SELECT FROM pg_class WHERE relname = ANY ($1) LIMIT 1', [
    names,
  ]);
  return rows.length > 0;
}
