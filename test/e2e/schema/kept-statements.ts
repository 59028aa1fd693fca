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
 * each statement is planned for new tables, for analysed ones, and for those of a real database.
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
  before?: 'ANALYZE',
): Promise<Found[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    if (before) await client.query(before);
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
