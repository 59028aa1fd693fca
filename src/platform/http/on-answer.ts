import type { ServerResponse } from 'node:http';

/**
 * Calls back once, when the answer is made or its connection is closed, and not when the answer is on its
 * way: a client that reads nothing, or asks for more on the same connection first, can keep an answer waiting
 * for as long as it likes.
 */
export function onAnswer(response: ServerResponse, done: () => void): void {
  let isDone = false;
  const once = () => {
    if (isDone) return;
    isDone = true;
    done();
  };
  const end = response.end.bind(response) as (...parts: unknown[]) => ServerResponse;
  response.end = (...parts: unknown[]) => {
    once();
    return end(...parts);
  };
  response.once('close', once);
}
