/**
 * The thread that speaks with PostgreSQL for background work: it is started with its connections'
 * settings, is sent statements and answers each with its rows by column. It imports nothing of the
 * service but what it speaks with.
 */
import { workerData } from 'node:worker_threads';
import { Pool, type PoolConfig } from 'pg';
import { answerOrders } from '../../threads/answer-orders.js';
import { readBigintsAsNumbers } from '../safe-integers.js';
import { type Table, tableOf } from './table.js';

/** One statement that each connection plans once and keeps under its name. */
export interface Statement {
  readonly name: string;
  readonly text: string;
  readonly values: unknown[];
}

readBigintsAsNumbers();
const pool = new Pool(workerData as PoolConfig);
// An idle connection that breaks is replaced at the next statement.
pool.on('error', () => undefined);

answerOrders(tableOfStatement, () => pool.end());

async function tableOfStatement(statement: Statement): Promise<Table> {
  const { fields, rows } = await pool.query<unknown[]>({ ...statement, rowMode: 'array' });
  return tableOf(
    fields.map(({ name }) => name),
    rows,
  );
}
