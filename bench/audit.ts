/**
 * What the chain of the audit costs a move, with and without its trigger in turns; how long the roots of their
 * days take, and how quickly `admin audit verify` holds two million rows against their chains. `npm run bench -- audit 50000` verifies so many,
 * for a look.
 */
import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { built, MASTER_KEY, startBuiltService } from './support/built-service.ts';
import { createDatabase } from './support/create-database.ts';
import { startJourneys } from './support/headless-journeys.ts';
import { medianOf } from './support/interleaved.ts';
import { surroundings, table, writeReport } from './support/report.ts';
import { type ServiceParts, serviceParts } from './support/service-parts.ts';

type Platform = typeof import('../src/platform/index.js');
type Mover = typeof import('../src/journeys/domain/journey-mover.js');
type Journeys = typeof import('../src/journeys/store/journeys.repository.js');
type Tasks = typeof import('../src/audit/audit.tasks.js');
type Roots = typeof import('../src/audit/roots/audit-roots.service.js');

const ROWS = 2_000_000;
const ROWS_A_JOURNEY = 10;
const JOURNEYS_A_STATEMENT = 10_000;
const ROUNDS = 60;
const MOVES_A_ROUND = 60;
const JOURNEYS_THE_NEXT_DAY = 1_000;
const DAY_MS = 86_400_000;
const TARGET_SHARE = 0.05;
const TRIGGER = 'journey_audit_join_audit';

interface MoveTimes {
  /** How many journeys one transaction moves. */
  readonly together: number;
  /** Medians of the rounds, microseconds a move. */
  readonly without: number;
  readonly with: number;
  /** The median of what a round with the chain took more than its neighbour without. */
  readonly more: number;
}

/** Of a night: how many trees, and seconds. */
interface Night {
  readonly trees: number;
  readonly seconds: number;
  readonly longest: number;
}

interface Verified {
  readonly rows: number;
  readonly madeSeconds: number;
  readonly nights: readonly Night[];
  readonly seconds: number;
}

export async function run(only?: string): Promise<void> {
  const { startEmbeddedPostgres } = await built<Platform>('src/platform/index.js');
  const dataDir = mkdtempSync(join(tmpdir(), 'rinpath-bench-'));
  // Under root PostgreSQL runs as the user postgres, who must get in.
  chmodSync(dataDir, 0o755);
  const postgres = await startEmbeddedPostgres({ dataDir });
  try {
    const moves = only === undefined ? await measureMoves(postgres.url) : [];
    const verified = await measureVerification(
      postgres.url,
      only === undefined ? ROWS : Number(only),
    );
    const report = reportOf(moves, verified);
    process.stdout.write(`\n${report}\n`);
    if (only === undefined) writeReport('audit', report);
  } finally {
    await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function measureMoves(serverUrl: string): Promise<MoveTimes[]> {
  const url = await createDatabase(serverUrl, 'audit_moves');
  const service = await startBuiltService(url);
  const [started] = await startJourneys(service.baseUrl, 1);
  await service.stop();
  const parts = await serviceParts(url);
  const client = await connect(url);
  try {
    const times: MoveTimes[] = [];
    for (const together of [1, 20]) {
      const count = ROUNDS * MOVES_A_ROUND * 2;
      await copyJourney(client, started?.journeyId ?? '', `${together}`, count);
      times.push(await moveInTurns(client, parts, together));
    }
    return times;
  } finally {
    await parts.close();
    await client.end();
  }
}

/** So many journeys like this one, in their first state. */
async function copyJourney(client: Client, id: string, name: string, count: number): Promise<void> {
  const { rows } = await client.query<{ columns: string }>(
    `SELECT string_agg(column_name, ', ') AS columns FROM information_schema.columns
     WHERE table_name = 'journeys' AND is_generated = 'NEVER'`,
  );
  const columns = rows[0]?.columns ?? '';
  await client.query(
    `INSERT INTO applications SELECT (jsonb_populate_record(a, jsonb_build_object('id', 'app_${name}_' || n))).*
     FROM applications AS a, generate_series(1, $2::int) AS n
     WHERE a.id = (SELECT application_id FROM journeys WHERE id = $1)`,
    [id, count],
  );
  await client.query(
    `INSERT INTO journeys (${columns}) SELECT ${columns} FROM (
       SELECT (jsonb_populate_record(j, jsonb_build_object('id', 'jrn_${name}_' || n, 'application_id',
         'app_${name}_' || n, 'session_hash', 'bench_${name}_' || n, 'state', 'INITIATED'))).*
       FROM journeys AS j, generate_series(1, $2::int) AS n WHERE j.id = $1) AS copies`,
    [id, count],
  );
  await client.query('VACUUM ANALYZE');
}

/** Each round moves journeys that no other one has, with and without the trigger in turns. */
async function moveInTurns(
  client: Client,
  parts: ServiceParts,
  together: number,
): Promise<MoveTimes> {
  const { Database } = await built<Platform>('src/platform/index.js');
  const { JourneyMover } = await built<Mover>('src/journeys/domain/journey-mover.js');
  const { JourneysRepository } = await built<Journeys>('src/journeys/store/journeys.repository.js');
  const [database, mover] = [parts.get(Database), parts.get(JourneyMover)];
  const journeys = parts.get(JourneysRepository);
  const times = { without: [] as number[], with: [] as number[] };
  let next = 1;
  const roundOf = async () => {
    const startedAt = performance.now();
    for (let moved = 0; moved < MOVES_A_ROUND; moved += together) {
      const ids = Array.from({ length: together }, () => `jrn_${together}_${next++}`);
      await database.transaction(async (tx) => {
        const moves = [];
        for (const id of ids) {
          const journey = await journeys.lock(tx, 'demo', id);
          if (!journey) throw new Error(`there is no ${id}`);
          moves.push({ journey, changes: {} });
        }
        await mover.moveAll(tx, moves, 'WENT_IDLE');
      });
    }
    return ((performance.now() - startedAt) / MOVES_A_ROUND) * 1_000;
  };
  for (let round = 0; round < ROUNDS; round += 1) {
    const sides = round % 2 === 0 ? (['without', 'with'] as const) : (['with', 'without'] as const);
    for (const side of sides) {
      const change = side === 'with' ? 'ENABLE' : 'DISABLE';
      await client.query(`ALTER TABLE journey_audit ${change} TRIGGER ${TRIGGER}`);
      times[side].push(await roundOf());
    }
  }
  await client.query(`ALTER TABLE journey_audit ENABLE TRIGGER ${TRIGGER}`);
  const more = medianOf(times.with.map((time, index) => time - (times.without[index] ?? 0)));
  return { together, without: medianOf(times.without), with: medianOf(times.with), more };
}

async function measureVerification(serverUrl: string, rows: number): Promise<Verified> {
  const url = await createDatabase(serverUrl, 'audit_rows');
  // It makes the schema, and has the tables' old rows, of which there are none, taken in.
  const parts = await serviceParts(url);
  const { AuditTasks } = await built<Tasks>('src/audit/audit.tasks.js');
  await parts.get(AuditTasks).takeIn();
  await parts.close();
  const client = await connect(url);
  process.stdout.write(`Making ${rows.toLocaleString('en')} rows… `);
  let startedAt = performance.now();
  for (let first = 0; first < rows / ROWS_A_JOURNEY; first += JOURNEYS_A_STATEMENT) {
    const last = Math.min(rows / ROWS_A_JOURNEY, first + JOURNEYS_A_STATEMENT) - 1;
    await client.query(FILL, [first, last, ROWS_A_JOURNEY]);
  }
  await client.query('VACUUM ANALYZE');
  await client.end();
  const madeSeconds = (performance.now() - startedAt) / 1_000;
  process.stdout.write(`in ${madeSeconds.toFixed()} s\n`);
  const nights = await closeTwoDays(url);
  startedAt = performance.now();
  await verify(url);
  return { rows, madeSeconds, nights, seconds: (performance.now() - startedAt) / 1_000 };
}

/** The first night has every chain, the second one those of a thousand journeys more. */
async function closeTwoDays(url: string): Promise<Night[]> {
  const { AuditRoots } = await built<Roots>('src/audit/roots/audit-roots.service.js');
  const parts = await serviceParts(url);
  const client = await connect(url);
  try {
    const first = await closeDays(parts.get(AuditRoots));
    await client.query('UPDATE sandbox_clock SET offset_ms = offset_ms + $1', [DAY_MS]);
    await client.query(FILL, [0, JOURNEYS_THE_NEXT_DAY - 1, 1]);
    await client.query('UPDATE sandbox_clock SET offset_ms = offset_ms + $1', [DAY_MS]);
    return [first, await closeDays(parts.get(AuditRoots))];
  } finally {
    await client.end();
    await parts.close();
  }
}

async function closeDays(roots: InstanceType<Roots['AuditRoots']>): Promise<Night> {
  const times: number[] = [];
  for (;;) {
    const startedAt = performance.now();
    if (!(await roots.closeDay())) break;
    times.push((performance.now() - startedAt) / 1_000);
  }
  const seconds = times.reduce((sum, time) => sum + time, 0);
  return { trees: times.length, seconds, longest: Math.max(...times) };
}

const FILL = `
  INSERT INTO journey_audit (partner_id, journey_id, trigger, from_state, to_state, detail)
  SELECT 'demo', 'jrn_' || lpad(to_hex(n), 32, '0'), 'KYC_PASSED', 'KYC_PENDING',
    'BANK_ACCOUNT_PENDING', jsonb_build_object('offerRound', 1, 'outcomeReason', NULL,
      'selectedOfferId', 'off_' || lpad(to_hex(n), 32, '0'), 'selectedBranchId', NULL)
  FROM generate_series($1::int, $2::int) AS n, generate_series(1, $3::int) AS k ORDER BY n, k
`;

/** The operator's own command, as a process of its own. */
async function verify(databaseUrl: string): Promise<void> {
  const main = fileURLToPath(new URL('../dist/src/admin-main.js', import.meta.url));
  const child = spawn(process.execPath, [main, 'audit', 'verify'], {
    stdio: 'inherit',
    env: { PATH: process.env.PATH, DATABASE_URL: databaseUrl, MASTER_KEY },
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`audit verify ended with ${code}`);
}

function reportOf(
  moves: readonly MoveTimes[],
  { rows, madeSeconds, nights, seconds }: Verified,
): string {
  const count = (value: number) => Math.round(value).toLocaleString('en');
  return [
    '## The audit',
    '',
    `${surroundings()}, the embedded PostgreSQL with its settings as shipped, on the same machine.`,
    ...(moves.length > 0
      ? [
          '',
          `A move of a journey with its lead, event and audit row, with the chain and without it in turns: ${ROUNDS}`,
          `rounds of ${MOVES_A_ROUND} moves each. _More_ is the median of the differences between neighbours.`,
          '',
          table(
            ['Moves a transaction', 'without, µs', 'with, µs', 'more, µs', 'share', 'target'],
            moves.map((one) => [
              `${one.together}`,
              count(one.without),
              count(one.with),
              count(one.more),
              `${((one.more / one.without) * 100).toFixed(1)} %`,
              `${TARGET_SHARE * 100} %`,
            ]),
          ),
        ]
      : []),
    '',
    `\`admin audit verify\` held ${count(rows)} rows in ${count(rows / ROWS_A_JOURNEY)} chains against the table in`,
    `${seconds.toFixed(1)} s: ${count(rows / seconds)} rows a second. They were written and chained in ${madeSeconds.toFixed()} s:`,
    `${count(rows / madeSeconds)} a second.`,
    '',
    `Their roots, of at most 50,000 heads each: the first night with every chain, the second with those of`,
    `${count(JOURNEYS_THE_NEXT_DAY)} journeys that had grown, and with a day of which nothing came.`,
    '',
    table(
      ['Night', 'trees', 'seconds', 'the longest'],
      nights.map(({ trees, seconds: all, longest }, index) => [
        index === 0 ? 'first' : 'second',
        `${trees}`,
        all.toFixed(1),
        longest.toFixed(1),
      ]),
    ),
  ].join('\n');
}

async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  await client.connect();
  return client;
}
