import type { ServerResponse } from 'node:http';

/**
 * Calls back once, when the response is complete or the connection closes. Not when it is sent: a
 * slow client could delay that indefinitely.
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
