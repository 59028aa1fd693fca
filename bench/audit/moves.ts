import type { Client } from 'pg';
import { built, startBuiltService } from '../support/built-service.ts';
import { connected, createDatabase } from '../support/create-database.ts';
import { startJourneys } from '../support/headless-journeys.ts';
import { medianOf } from '../support/interleaved.ts';
import { table } from '../support/report.ts';
import { type ServiceParts, serviceParts } from '../support/service-parts.ts';

type Platform = typeof import('../../src/platform/index.js');
type Mover = typeof import('../../src/journeys/progress/journey-mover.js');
type Journeys = typeof import('../../src/journeys/store/journeys.repository.js');

const ROUNDS = 60;
const MOVES_A_ROUND = 60;
const TARGET_SHARE = 0.05;
const TRIGGER = 'journey_audit_join_audit';

interface MoveTimes {
  /** The number of journeys that one transaction changes. */
  readonly together: number;
  /** Medians over the rounds, in microseconds per transition. */
  readonly without: number;
  readonly with: number;
  /** The median extra time of a round with the chain over the next round without it. */
  readonly more: number;
}

/** The cost of the chain per transition. Rounds with and without its trigger alternate. */
export async function movesSection(serverUrl: string): Promise<string> {
  const moves = await measureMoves(serverUrl);
  return [
    '### A move',
    '',
    `A move of a journey with its lead, event and audit row, with the chain and without it in turns: ${ROUNDS}`,
    `rounds of ${MOVES_A_ROUND} moves each. _More_ is the median of the differences between neighbours.`,
    '',
    table(
      ['Moves a transaction', 'without, µs', 'with, µs', 'more, µs', 'share', 'target'],
      moves.map((one) => [
        `${one.together}`,
        Math.round(one.without).toLocaleString('en'),
        Math.round(one.with).toLocaleString('en'),
        Math.round(one.more).toLocaleString('en'),
        `${((one.more / one.without) * 100).toFixed(1)} %`,
        `${TARGET_SHARE * 100} %`,
      ]),
    ),
  ].join('\n');
}

async function measureMoves(serverUrl: string): Promise<MoveTimes[]> {
  const url = await createDatabase(serverUrl, 'audit_moves');
  const service = await startBuiltService(url);
  const [started] = await startJourneys(service.baseUrl, 1);
  await service.stop();
  const parts = await serviceParts(url);
  const client = await connected(url);
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

/** Copies this journey in its first state `count` times. */
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

/** Each round changes its own journeys; rounds with and without the trigger alternate. */
async function moveInTurns(
  client: Client,
  parts: ServiceParts,
  together: number,
): Promise<MoveTimes> {
  const { Database } = await built<Platform>('src/platform/index.js');
  const { JourneyMover } = await built<Mover>('src/journeys/progress/journey-mover.js');
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
        await mover.moveGroups(tx, [{ moves, trigger: 'WENT_IDLE' }]);
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
