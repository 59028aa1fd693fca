import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PLANS_BY_INDEX } from '../../../src/platform/index.js';
import { loanRequest } from '../../support/loan-requests.js';
import { JourneyBench } from '../journeys/journey-bench.js';
import { type KeptStatement, keptStatements } from './kept-statements.js';

// What a planned transaction does keeps its plans until a table is analysed again, and they are made while tables are small as
// likely as not. One that reads all of a small table, by whichever index, reads all of what the table has become.

/** As planned transactions name their statements. */
const OF_A_PLANNED_TRANSACTION = /^[0-9a-f]{24}$/;

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly Plans?: readonly PlanNode[];
}

let bench: JourneyBench;
let client: Client;

beforeAll(async () => {
  bench = await JourneyBench.open();
  client = new Client({ connectionString: bench.service.databaseUrl });
  await client.connect();
});

afterAll(async () => {
  await client?.end();
  await bench?.close();
});

/** A few journeys that come at one moment, each call twice, with their offers. */
async function walk(): Promise<void> {
  await bench.demo.post('/webhooks', { url: 'http://127.0.0.1:9/nobody' });
  const calls = [1, 2, 3].map(() => ({ headers: { 'idempotency-key': randomUUID() } }));
  for (let times = 0; times < 2; times += 1)
    await Promise.all(calls.map((call) => bench.demo.initiate(loanRequest(), call)));
  await bench.startWithOffers();
  await bench.settled();
}

/** Of each index the first column. */
async function firstColumns(): Promise<ReadonlyMap<string, string>> {
  const { rows } = await client.query<{ index: string; column: string }>(
    `SELECT indexrelid::regclass::text AS index, pg_get_indexdef(indexrelid, 1, true) AS column
     FROM pg_index`,
  );
  return new Map(rows.map(({ index, column }) => [index, column]));
}

/** The plan that a planned transaction would keep now. */
async function keptPlan({ name, text, values }: KeptStatement): Promise<PlanNode> {
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

it('a planned transaction reads no table whole, also by a plan that was made while it was small', async () => {
  const sent = await keptStatements(walk);
  const kept = sent.filter(({ name }) => OF_A_PLANNED_TRANSACTION.test(name));
  for (const part of [
    'FROM journeys',
    'UPDATE journeys',
    'UPDATE applications',
    'FROM idempotent_answers',
    'FROM journey_offers',
    'FROM lender_questions',
    'UPDATE lender_questions',
    'JOIN webhook_subscriptions',
  ])
    expect(kept.map(({ text }) => text).join()).toContain(part);
  await client.query('ANALYZE');
  for (const [name, value] of Object.entries(PLANS_BY_INDEX))
    await client.query(`SET ${name} = ${value}`);
  const first = await firstColumns();
  const whole: Record<string, string[]> = {};
  for (const statement of kept) {
    const found = wholeReads(await keptPlan(statement), first);
    if (found.length > 0) whole[statement.text] = found;
  }
  expect(whole).toEqual({});
});
