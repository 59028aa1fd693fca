import { parentPort } from 'node:worker_threads';
import { BatchQueue } from '../work/batch-queue.js';
import { type Answered, type Answers, MAX_PER_MESSAGE, type Orders, partsOf } from './messages.js';

/**
 * The thread's side of an `AnsweringThread`: handles orders concurrently and sends answers in
 * batches.
 * @param end releases the thread's resources
 */
export function answerOrders(
  answer: (order: never) => Promise<unknown>,
  end: () => Promise<void>,
): void {
  if (!parentPort) throw new Error('this file is run as a worker thread');
  const port = parentPort;
  const ready = new BatchQueue<Answered<unknown>>({
    run: (answers) => Promise.resolve(port.postMessage(answers satisfies Answers<unknown>)),
    maxItems: MAX_PER_MESSAGE,
    maxInFlight: 1,
  });

  const work = async (id: number, order: unknown) => {
    try {
      ready.add({ id, answer: await answer(order as never) });
    } catch (error) {
      ready.add({ id, error: partsOf(error) });
    }
  };
  const close = async () => {
    await end();
    await ready.drained();
    // Does not wait for unresponsive sockets; exits only the thread.
    setImmediate(() => process.exit());
  };
  port.on('message', (orders: Orders) => {
    if (orders === 'end') void close();
    else for (const { id, order } of orders) void work(id, order);
  });
}
