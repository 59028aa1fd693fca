/**
 * The thread that speaks with PostgreSQL for background work: it is started with its connection's
 * settings, is sent statements and answers each with its rows by column. It imports nothing of the
 * service but what it speaks with.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { Pool } from 'pg';
import { readBigintsAsNumbers } from '../safe-integers.js';
import {
  partsOf,
  tableOf,
  type ThreadAnswer,
  type ThreadOrder,
  type ThreadSetUp,
} from './messages.js';

if (!parentPort) throw new Error('statement-worker.js is run as a worker thread');
const port = parentPort;
readBigintsAsNumbers();
const pool = new Pool(workerData as ThreadSetUp);
// An idle connection that breaks is replaced at the next statement.
pool.on('error', () => undefined);

port.on('message', (order: ThreadOrder) => {
  if (order === 'end') void pool.end().finally(() => port.close());
  else void answerTo(order).then((answer) => port.postMessage(answer));
});

async function answerTo({
  id,
  name,
  text,
  values,
}: Exclude<ThreadOrder, 'end'>): Promise<ThreadAnswer> {
  try {
    const { fields, rows } = await pool.query<unknown[]>({ name, text, values, rowMode: 'array' });
    return {
      id,
      table: tableOf(
        fields.map((field) => field.name),
        rows,
      ),
    };
  } catch (error) {
    return { id, error: partsOf(error) };
  }
}
