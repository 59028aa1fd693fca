/**
 * Measures whether the list of leads stays quick. Compares a partner with 1,000,000 leads of 3,000,000 with a partner
 * with 1,000 of 3,000, for each query, through the service's repository and over real HTTP. Takes some minutes, mostly
 * to make the leads.
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from 'pg';
import { DataSource } from 'typeorm';
import { built, startBuiltService } from './support/built-service.ts';
import { connected, createDatabase } from './support/create-database.ts';
import { type Compared, compareInterleaved } from './support/interleaved.ts';
import { type LeadsData, loadLeads, untilFolded } from './support/leads-data.ts';
import { type LeadsQuery, queriesFor, targetOf } from './support/leads-queries.ts';
import { surroundings, table, writeReport } from './support/report.ts';
import { SignedClient } from './support/signed-client.ts';

type Platform = typeof import('../src/platform/index.js');
type Repository = typeof import('../src/leads/store/leads.repository.js');
type Statement = typeof import('../src/leads/store/leads-page-statement.js');

const PARTNER = 'demo';
const SMALL: LeadsData = { own: 1_000, all: 3_000 };
const LARGE: LeadsData = { own: 1_000_000, all: 3_000_000 };
const ROUNDS = { repository: 150, http: 60 };
/** For the first page of a list. */
const TARGET_RATIO = 3;
/** For a later page. */
const TARGET_MS = 300;
const PLANS_SHOWN = new Set(['last page']);

/** One amount of leads, and the two ways to query them. */
interface Side {
  readonly data: LeadsData;
  readonly queries: readonly LeadsQuery[];
  readonly loadSeconds: number;
  readonly foldSeconds: number;
  readonly client: Client;
  byRepository(query: LeadsQuery): Promise<{ leads: unknown[]; total: number }>;
  byHttp(query: LeadsQuery): Promise<string>;
  close(): Promise<void>;
}

export async function run(): Promise<void> {
  const platform = await built<Platform>('src/platform/index.js');
  const dataDir = mkdtempSync(join(tmpdir(), 'rinpath-bench-'));
  // As root, PostgreSQL runs as the user postgres, who must enter the folder.
  chmodSync(dataDir, 0o755);
  const postgres = await platform.startEmbeddedPostgres({ dataDir });
  const sides: Side[] = [];
  try {
    sides.push(await makeSide(postgres.url, 'small', SMALL));
    sides.push(await makeSide(postgres.url, 'large', LARGE));
    const [small, large] = sides as [Side, Side];
    await assertRight(small);
    await assertRight(large);
    const repository = await compare(small, large, 'byRepository', ROUNDS.repository);
    const http = await compare(small, large, 'byHttp', ROUNDS.http);
    const report = await reportOf(large, repository, http);
    process.stdout.write(`\n${report.summary}\n`);
    writeReport('leads', report.markdown);
  } finally {
    for (const side of sides) await side.close();
    await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** The service creates the schema and folds the counts, as usual. */
async function makeSide(serverUrl: string, name: string, data: LeadsData): Promise<Side> {
  const { Database, FreshReads, Metrics, dataSourceOptions } =
    await built<Platform>('src/platform/index.js');
  const { LeadsRepository } = await built<Repository>('src/leads/store/leads.repository.js');
  const url = await createDatabase(serverUrl, `leads_${name}`);
  const service = await startBuiltService(url);
  const client = await connected(url);
  process.stdout.write(`Making ${data.all.toLocaleString('en')} leads… `);
  const startedAt = performance.now();
  await loadLeads(client, data);
  const loadSeconds = (performance.now() - startedAt) / 1_000;
  const foldSeconds = (await untilFolded(client)) / 1_000;
  // As autovacuum does within a minute.
  await client.query('VACUUM ANALYZE lead_counts, lead_count_deltas');
  process.stdout.write(
    `made in ${loadSeconds.toFixed()} s, counted ${foldSeconds.toFixed()} s later\n`,
  );
  const dataSource = new DataSource(
    dataSourceOptions({ url, poolSize: 1, entities: [], migrations: [] }),
  );
  await dataSource.initialize();
  const database = new Database(dataSource);
  const repository = new LeadsRepository(database, new FreshReads(database, new Metrics()));
  const http = new SignedClient(service.baseUrl);
  return {
    data,
    queries: queriesFor(data),
    loadSeconds,
    foldSeconds,
    client,
    byRepository: ({ filter, page, limit }) => repository.list(PARTNER, filter, { page, limit }),
    byHttp: (query) => http.get(targetOf(query)),
    close: async () => {
      http.close();
      await dataSource.destroy();
      await client.end();
      await service.stop();
    },
  };
}

/** A quick but wrong result would be worthless. */
async function assertRight(side: Side): Promise<void> {
  for (const query of side.queries) {
    const { filter, page, limit } = query;
    const { rows } = await side.client.query<{ id: string | null; total: number }>(
      `WITH own AS MATERIALIZED (
         SELECT id, submitted_at FROM applications
         WHERE partner_id = $1 AND ($2::text IS NULL OR status = $2)
           AND ($3::text IS NULL OR loan_type = $3)
           AND submitted_at BETWEEN coalesce($4::timestamptz, '-infinity') AND coalesce($5::timestamptz, 'infinity')
       )
       SELECT id, (SELECT count(*) FROM own) AS total FROM (SELECT) AS nothing LEFT JOIN (
         SELECT id, submitted_at FROM own ORDER BY submitted_at DESC, id DESC LIMIT $6 OFFSET $7
       ) AS page ON true ORDER BY submitted_at DESC, id DESC`,
      [
        PARTNER,
        filter.status ?? null,
        filter.loanType ?? null,
        filter.from ?? null,
        filter.to ?? null,
        limit,
        (page - 1) * limit,
      ],
    );
    const expected = rows.flatMap(({ id }) => (id === null ? [] : [id]));
    const found = await side.byRepository(query);
    const ids = found.leads.map((lead) => (lead as { id: string }).id);
    const isRight = found.total === rows[0]?.total && ids.join() === expected.join();
    if (!isRight) throw new Error(`${query.name} of ${side.data.own} leads is answered wrongly`);
  }
}

function compare(
  small: Side,
  large: Side,
  way: 'byRepository' | 'byHttp',
  rounds: number,
): Promise<Compared[]> {
  const comparisons = small.queries.map((query, place) => ({
    name: query.name,
    small: () => small[way](query),
    large: () => large[way](large.queries[place] ?? query),
  }));
  return compareInterleaved(comparisons, rounds);
}

async function reportOf(
  large: Side,
  repository: readonly Compared[],
  http: readonly Compared[],
): Promise<{ summary: string; markdown: string }> {
  const ms = (time: number) => time.toFixed(2);
  const figures = table(
    ['Query', '1,000', '1,000,000', 'ratio', 'HTTP 1,000', 'HTTP 1,000,000', 'HTTP ratio'],
    repository.map(({ name, ...one }, place) => {
      const other = http[place] ?? one;
      return [
        name,
        ms(one.small),
        ms(one.large),
        ms(one.ratio),
        ms(other.small),
        ms(other.large),
        ms(other.ratio),
      ];
    }),
  );
  const isFirst = (_: Compared, place: number) => large.queries[place]?.page === 1;
  const firsts = [repository.filter(isFirst), http.filter(isFirst)].flat();
  const worst = Math.max(...firsts.map(({ ratio }) => ratio));
  const slowest = Math.max(...[...repository, ...http].map((one) => one.large));
  const verdict =
    `The worst ratio of a first page is ${ms(worst)}; the target is ${TARGET_RATIO} at most. ` +
    `The slowest page takes ${ms(slowest)} ms; the target is ${TARGET_MS} at most.`;
  const markdown = `
## The list of leads

${verdict}

${surroundings()}. Milliseconds, medians of ${ROUNDS.repository} calls of the repository and
${ROUNDS.http} over HTTP, large and small in turns; on the service's embedded PostgreSQL. A partner
with 1,000,000 leads among 3,000,000 against one with 1,000 among 3,000; every call answers a page of
20 and the total.

${figures}

The 3,000,000 leads were written in ${large.loadSeconds.toFixed()} s by plain SQL; the service had
counted them ${large.foldSeconds.toFixed()} s after that. How it works:
[decision 6](../adr/0006-lead-counts.md).

${await plansOf(large)}`;
  return { summary: `${figures}\n\n${verdict}`, markdown };
}

async function plansOf(large: Side): Promise<string> {
  const { leadsPageStatement } = await built<Statement>('src/leads/store/leads-page-statement.js');
  const plans: string[] = [];
  for (const { name, filter, page, limit } of large.queries) {
    if (!PLANS_SHOWN.has(name)) continue;
    const stretch = { offset: (page - 1) * limit, limit };
    const { text, values } = leadsPageStatement(PARTNER, filter, stretch);
    const { rows } = await large.client.query<{ 'QUERY PLAN': string }>(
      `EXPLAIN (ANALYZE, BUFFERS, COSTS OFF) ${text}`,
      values,
    );
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    plans.push(
      `<details><summary>Plan: ${name}</summary>\n\n\`\`\`\n${plan}\n\`\`\`\n\n</details>`,
    );
  }
  return plans.join('\n\n');
}
