import { workerData } from 'node:worker_threads';
import { answerOrders } from './messages.js';

const { default: answer } = (await import(workerData as string)) as {
  default: (order: never) => Promise<unknown>;
};

answerOrders(answer, () => Promise.resolve());
