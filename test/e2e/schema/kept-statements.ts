import { Client, type QueryConfig } from 'pg';
import { vi } from 'vitest';
import { PLANS_BY_INDEX } from '../../../src/platform/index.js';
import { createTestDatabase } from '../../support/test-database.js';

/** A prepared statement of a connection. */
export interface KeptStatement {
  readonly name: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

/** The prepared statements that are sent during `work`, each once. */
export async function keptStatements(work: () => Promise<void>): Promise<KeptStatement[]> {
  const query = vi.spyOn(Client.prototype, 'query');
  try {
    await work();
    const sent = query.mock.calls.map(([config]) => config as unknown as QueryConfig);
    const kept = sent.filter((config) => config?.name !== undefined);
    const byName = new Map(kept.map(({ name, text, values = [] }) => [name, { text, values }]));
    return [...byName].map(([name, { text, values }]) => ({ name: name!, text, values }));
  } finally {
    query.mockRestore();
  }
}

interface PlanNode {
  readonly 'Node Type': string;
  readonly Operation?: string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly 'Join Filter'?: string;
  readonly Plans?: readonly PlanNode[];
}

/** A join by key without an index. */
const BY_A_KEY = /\((\w+)\.\w+ = (?!\1\.)\w+\.\w+\)/;

/** A column that is compared with one key and with a list of keys. */
const AMONG_ALL = /\((\w+) = (?!ANY)[^()]+\) AND \(\1 = ANY \(\$\d+\)\)/;

/**
 * The costly parts of these statements' generic plans, by statement text: tables that are read whole, and rows that are
 * matched by scanning a key list for each.
 *
 * A plan is cached until its table is analysed. It is often made for a small table, when a full read looks cheap. So
 * each statement is planned for new tables, for analysed ones, and for those of a real database, also with few rows on
 * many pages, where a read by key looks costly.
 * @param url of the database that has a few rows
 */
export async function costlyPlans(
  url: string,
  statements: readonly KeptStatement[],
): Promise<Record<string, string[]>> {
  const empty = await createTestDatabase();
  try {
    const found = [
      ...(await findingsOn(empty.url, statements)),
      ...(await findingsOn(empty.url, statements, 'ANALYZE')),
      ...(await findingsOn(url, statements, 'ANALYZE')),
      ...(await findingsOn(url, statements, 'REWRITE')),
    ];
    const byText = Map.groupBy(found, ({ text }) => text);
    return Object.fromEntries(
      [...byText].map(([text, of]) => [text, [...new Set(of.map(({ finding }) => finding))]]),
    );
  } finally {
    await empty.drop();
  }
}

interface Found {
  readonly text: string;
  readonly finding: string;
}

async function findingsOn(
  url: string,
  statements: readonly KeptStatement[],
  before?: 'ANALYZE' | 'REWRITE',
): Promise<Found[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    if (before === 'REWRITE') await rewriteRows(client);
    if (before) await client.query('ANALYZE');
    if (before === 'REWRITE') await scatterKeys(client);
    for (const [name, value] of Object.entries(PLANS_BY_INDEX))
      await client.query(`SET ${name} = ${value}`);
    const first = await firstColumns(client);
    const found: Found[] = [];
    for (const statement of statements) {
      const plan = await keptPlan(client, statement);
      for (const finding of [...wholeReads(plan, first), ...squares(plan)])
        found.push({ text: statement.text, finding });
    }
    return found;
  } finally {
    await client.end();
  }
}

/** Spreads the few rows of each table over many pages. */
async function rewriteRows(client: Client): Promise<void> {
  const { rows } = await client.query<{ text: string }>(
    `SELECT format('UPDATE %s SET %2$I = %2$I', indrelid::regclass, attname) AS text
     FROM pg_index JOIN pg_attribute ON attrelid = indrelid AND attnum = indkey[0]
       JOIN pg_class AS c ON c.oid = indrelid
     WHERE indisprimary AND attidentity = '' AND relnamespace = 'public'::regnamespace`,
  );
  // In one transaction, because PostgreSQL reuses the space of older ones.
  await client.query('BEGIN');
  await client.query('SET LOCAL session_replication_role = replica');
  for (const { text } of rows) for (let times = 0; times < 40; times += 1) await client.query(text);
  await client.query('COMMIT');
}

/** States that rows lie in the order of all columns but the first of the primary key: the worst for reads by key. */
async function scatterKeys(client: Client): Promise<void> {
  await client.query(
    `SELECT pg_restore_attribute_stats('schemaname', schemaname::text, 'relname', tablename::text,
       'attname', attname::text, 'inherited', inherited, 'correlation', (k.indrelid IS NULL)::integer::real)
     FROM pg_stats LEFT JOIN (
       SELECT indrelid, indrelid::regclass::text AS tablename, attname
       FROM pg_index JOIN pg_attribute ON attrelid = indrelid AND attnum = indkey[0] WHERE indisprimary
     ) AS k USING (tablename, attname)
     WHERE schemaname = 'public'`,
  );
}

/** The first column of each index. */
async function firstColumns(client: Client): Promise<ReadonlyMap<string, string>> {
  const { rows } = await client.query<{ index: string; column: string }>(
    `SELECT indexrelid::regclass::text AS index, pg_get_indexdef(indexrelid, 1, true) AS column
     FROM pg_index`,
  );
  return new Map(rows.map(({ index, column }) => [index, column]));
}

/** The generic plan that a connection with these settings would cache now. */
async function keptPlan(client: Client, { name, text, values }: KeptStatement): Promise<PlanNode> {
  await client.query(`PREPARE "${name}" AS ${text}`);
  const none = values.map(() => 'NULL').join(', ');
  const { rows } = await client.query(`EXPLAIN (FORMAT JSON) EXECUTE "${name}" (${none})`);
  return rows[0]['QUERY PLAN'][0].Plan as PlanNode;
}

/** Reads without a condition on an index's first column, except those with a LIMIT. */
function wholeReads(node: PlanNode, first: ReadonlyMap<string, string>): string[] {
  const { 'Node Type': type, 'Relation Name': table, 'Index Name': index = 'no index' } = node;
  if (type === 'Limit') return [];
  const below = (node.Plans ?? []).flatMap((plan) => wholeReads(plan, first));
  if (table === undefined || !type.endsWith('Scan')) return below;
  const condition = node['Index Cond'] ?? '';
  if (condition.includes(`(${first.get(index)} = `)) return below;
  return [`${table} by ${index}: ${condition}`, ...below];
}

/** Changed rows for which a whole key list is scanned. */
function squares(node: PlanNode, isChanged = false): string[] {
  const { Operation: operation, Plans: plans = [] } = node;
  const { 'Join Filter': filter = '', 'Index Cond': condition = '' } = node;
  const changes = isChanged || operation === 'Update' || operation === 'Delete';
  const isSquare = BY_A_KEY.test(filter) || AMONG_ALL.test(condition);
  return [
    ...(changes && isSquare ? [`each by each: ${filter || condition}`] : []),
    ...plans.flatMap((plan) => squares(plan, changes)),
  ];
}
