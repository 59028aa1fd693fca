import { parentPort } from 'node:worker_threads';
import { BatchQueue } from '../work/batcher.js';

/** In both directions, so that both sides work in parallel. */
export const MAX_PER_MESSAGE = 64;

export interface NumberedOrder {
  readonly id: number;
  readonly order: unknown;
}

export type Orders = readonly NumberedOrder[] | 'end';

export type Answers<Answer> = readonly Answered<Answer>[];

type Answered<Answer> =
  | { readonly id: number; readonly answer: Answer }
  | { readonly id: number; readonly error: ErrorParts };

/** Structured cloning would lose codes and causes. */
interface ErrorParts {
  readonly message: string;
  readonly stack?: string;
  /** Codes and similar fields. */
  readonly parts: Readonly<Record<string, string | number>>;
  readonly cause?: ErrorParts;
  /** Of an AggregateError. */
  readonly errors?: readonly ErrorParts[];
}

const DEEPEST = 3;

export function partsOf(error: unknown, depth = 0): ErrorParts {
  if (!(error instanceof Error)) return { message: String(error), parts: {} };
  const { message, stack, cause } = error;
  const parts = Object.fromEntries(Object.entries(error).filter(([, value]) => isPlain(value)));
  if (depth === DEEPEST) return { message, stack, parts };
  const errors = error instanceof AggregateError ? (error.errors as unknown[]) : undefined;
  return {
    message,
    stack,
    parts,
    cause: cause === undefined ? undefined : partsOf(cause, depth + 1),
    errors: errors?.map((one) => partsOf(one, depth + 1)),
  };
}

export function errorOf({ message, stack, parts, cause, errors }: ErrorParts): Error {
  const options = cause && { cause: errorOf(cause) };
  const error = errors
    ? new AggregateError(errors.map(errorOf), message, options)
    : new Error(message, options);
  return Object.assign(error, { stack }, parts);
}

function isPlain(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number';
}

/**
 * The thread's side of an `AnsweringThread`.
 * @param end releases the thread's resources
 */
export function answerOrders(
  answer: (order: never) => Promise<unknown>,
  end: () => Promise<void>,
): void {
  if (!parentPort) throw new Error('this file must run as a worker thread');
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
