import { built } from '../support/built-service.ts';
import { medianOf, medianRatio } from '../support/interleaved.ts';
import type { Growth } from './ground.ts';
import type { Side } from './side.ts';

type Abandonment = typeof import('../../src/journeys/background/journey.tasks.js');
type Store = typeof import('../../src/journeys/store/journeys.repository.js');

const DUE = 1_000;
const ROUNDS = 7;
const DAYS = 7;

/** The service's own run over inactive journeys; the two sides alternate. */
export async function abandonmentSection({ small, large, log }: Growth): Promise<string> {
  const sides = [small, large];
  const chosen = new Map<Side, string[]>();
  for (const side of sides) chosen.set(side, await choose(side));
  const times = new Map<Side, number[]>(sides.map((side) => [side, []]));
  for (let round = -1; round < ROUNDS; round += 1) {
    for (const side of round % 2 === 0 ? sides : sides.toReversed()) {
      const ms = await pass(side, chosen.get(side) ?? []);
      log(`abandonment, ${side.name}: ${(ms / DUE).toFixed(2)} ms a journey`);
      if (round >= 0) times.get(side)?.push(ms / DUE);
    }
  }
  const [few, many] = [times.get(small) ?? [], times.get(large) ?? []];
  const plan = await planOf(large, chosen.get(large) ?? []);
  return `### Abandonment

One pass of the service’s own task over ${DUE.toLocaleString('en')} journeys that are due, made due again
before each; medians of ${ROUNDS} passes in turns. A journey takes ${medianOf(few).toFixed(2)} ms where there are
hardly others, ${medianOf(many).toFixed(2)} ms among ${large.journeys.toLocaleString('en')}: ${medianRatio(many, few).toFixed(2)}
times as long (target: within 1.15).

<details><summary>Plan: the next journey that is due, among ${large.journeys.toLocaleString('en')}</summary>

\`\`\`
${plan}
\`\`\`

</details>`;
}

/** On the large side, journeys of the last month if there are enough. */
async function choose({ client }: Side): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    `SELECT id FROM (
       SELECT id FROM journeys WHERE id NOT IN (SELECT id FROM growth_real_journeys)
       ORDER BY created_at DESC LIMIT $1 * 500
     ) AS newest ORDER BY md5(id) LIMIT $1`,
    [DUE],
  );
  if (rows.length < DUE) throw new Error(`there are only ${rows.length} journeys to make due`);
  return rows.map(({ id }) => id);
}

async function pass(side: Side, ids: readonly string[]): Promise<number> {
  const { AbandonmentTasks } = await built<Abandonment>('src/journeys/background/journey.tasks.js');
  const tasks = side.parts.get(AbandonmentTasks);
  await makeDue(side, ids);
  await side.foldLeads();
  const startedAt = performance.now();
  await tasks.run();
  const ms = performance.now() - startedAt;
  await assertAbandoned(side, ids);
  await side.foldLeads();
  return ms;
}

/** The run starts with the longest overdue; their order is unrelated to ids. */
async function makeDue({ client }: Side, ids: readonly string[]): Promise<void> {
  await client.query(
    `UPDATE journeys SET state = 'OFFERS_RECEIVED', offers_due_at = now() + interval '1 day',
       last_activity_at = now() - $2 * interval '1 day' - place * interval '1 second',
       finished_at = NULL, outcome_reason = NULL
     FROM unnest($1::text[]) WITH ORDINALITY AS due (journey, place) WHERE id = journey`,
    [ids, DAYS],
  );
  await client.query(
    `UPDATE applications SET status = 'OFFERS_RECEIVED'
     FROM journeys AS j WHERE applications.id = j.application_id AND j.id = ANY ($1)`,
    [ids],
  );
}

async function assertAbandoned({ client }: Side, ids: readonly string[]): Promise<void> {
  const { rows } = await client.query<{ done: number }>(
    `SELECT count(*)::int AS done FROM journeys WHERE id = ANY ($1) AND state = 'ABANDONED'`,
    [ids],
  );
  if (rows[0]?.done !== ids.length) throw new Error(`only ${rows[0]?.done} were abandoned`);
}

async function planOf(side: Side, ids: readonly string[]): Promise<string> {
  const { CLAIM_IDLE } = await built<Store>('src/journeys/store/journeys.repository.js');
  await makeDue(side, ids);
  await side.client.query('BEGIN');
  const { rows } = await side.client.query<{ 'QUERY PLAN': string }>(
    `EXPLAIN (ANALYZE, BUFFERS) ${CLAIM_IDLE}`,
    [DAYS, []],
  );
  await side.client.query('ROLLBACK');
  return rows.map((row) => row['QUERY PLAN']).join('\n');
}
