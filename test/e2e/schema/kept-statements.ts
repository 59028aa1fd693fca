import { Client, type QueryConfig } from 'pg';
import { vi } from 'vitest';
import { PLANS_BY_INDEX } from '../../../src/platform/index.js';

/** A statement that its connection keeps under a name. */
export interface KeptStatement {
  readonly name: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Those that are sent while `work` goes on, each once. */
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
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly Plans?: readonly PlanNode[];
}

/**
 * Which tables these statements read whole, by their texts, when they are planned for the tables as they are now. Plans are kept
 * until a table is analysed again, and they are made while tables are small as likely as not: one that reads all of a small
 * table, by whichever index, reads all of what the table has become.
 */
export async function readWhole(
  client: Client,
  statements: readonly KeptStatement[],
): Promise<Record<string, string[]>> {
  await client.query('ANALYZE');
  for (const [name, value] of Object.entries(PLANS_BY_INDEX))
    await client.query(`SET ${name} = ${value}`);
  const first = await firstColumns(client);
  const whole: Record<string, string[]> = {};
  for (const statement of statements) {
    const found = wholeReads(await keptPlan(client, statement), first);
    if (found.length > 0) whole[statement.text] = found;
  }
  return whole;
}

/** Of each index the first column. */
async function firstColumns(client: Client): Promise<ReadonlyMap<string, string>> {
  const { rows } = await client.query<{ index: string; column: string }>(
    `SELECT indexrelid::regclass::text AS index, pg_get_indexdef(indexrelid, 1, true) AS column
     FROM pg_index`,
  );
  return new Map(rows.map(({ index, column }) => [index, column]));
}

/** The plan that a connection with these settings would keep now. */
async function keptPlan(client: Client, { name, text, values }: KeptStatement): Promise<PlanNode> {
  await client.query(`PREPARE "${name}" AS ${text}`);
  const none = values.map(() => 'NULL').join(', ');
  const { rows } = await client.query(`EXPLAIN (FORMAT JSON) EXECUTE "${name}" (${none})`);
  return rows[0]['QUERY PLAN'][0].Plan as PlanNode;
}

/** Reads of a table by no value of an index's first column, but for those that end after so many rows. */
function wholeReads(node: PlanNode, first: ReadonlyMap<string, string>): string[] {
  const { 'Node Type': type, 'Relation Name': table, 'Index Name': index = 'no index' } = node;
  if (type === 'Limit') return [];
  const below = (node.Plans ?? []).flatMap((plan) => wholeReads(plan, first));
  if (table === undefined || !type.endsWith('Scan')) return below;
  const condition = node['Index Cond'] ?? '';
  if (condition.includes(`(${first.get(index)} = `)) return below;
  return [`${table} by ${index}: ${condition}`, ...below];
}
