import { parentPort } from 'node:worker_threads';
import { type Answered, type Orders, partsOf } from './messages.js';

/**
 * The thread's side of an `AnsweringThread`: works on every order at once and answers in whatever
 * order they end. What ends in one turn of the event loop goes back together.
 * @param end lets go of what the thread holds, once it is told to end
 */
export function answerOrders<Order, Answer>(
  answer: (order: Order) => Promise<Answer>,
  end: () => Promise<void>,
): void {
  if (!parentPort) throw new Error('this file is run as a worker thread');
  const port = parentPort;
  let ready: Answered<Answer>[] = [];

  const send = () => {
    port.postMessage(ready);
    ready = [];
  };
  const add = (answered: Answered<Answer>) => {
    if (ready.push(answered) === 1) setImmediate(send);
  };
  const work = async (id: number, order: Order) => {
    try {
      add({ id, answer: await answer(order) });
    } catch (error) {
      add({ id, error: partsOf(error) });
    }
  };
  port.on('message', (orders: Orders<Order>) => {
    if (orders === 'end') void end().finally(() => setImmediate(() => port.close()));
    else for (const { id, order } of orders) void work(id, order);
  });
}
