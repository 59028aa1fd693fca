import { setTimeout as sleep } from 'node:timers/promises';

const SELDOM_MS = 150;

interface EventuallyOptions {
  withinMs?: number;
  everyMs?: number;
}

/** Retries until `attempt` neither throws nor returns false; returns its result. */
export async function eventually<Result>(
  attempt: () => Promise<Result> | Result,
  { withinMs = 30_000, everyMs = 25 }: EventuallyOptions = {},
): Promise<Result> {
  const startedAt = performance.now();
  const deadline = startedAt + withinMs;
  for (;;) {
    let failure: unknown;
    try {
      const result = await attempt();
      if (result !== false) return result;
      failure = new Error(`still false after ${withinMs} ms: ${attempt.toString()}`);
    } catch (error) {
      failure = error;
    }
    // The longer the wait, the rarer the attempts, because each is mostly a request or a query.
    const waited = performance.now() - startedAt;
    const restMs = Math.max(everyMs, Math.min(SELDOM_MS, waited / 5));
    if (startedAt + waited + restMs > deadline) throw failure;
    await sleep(restMs);
  }
}

/** Retries until there is a result; returns it. */
export function eventuallyFound<Result>(
  look: () => Promise<Result | null | undefined> | Result | null | undefined,
  options: EventuallyOptions = {},
): Promise<Result> {
  return eventually(async () => {
    const found = await look();
    if (found === null || found === undefined) throw new Error(`not found: ${look.toString()}`);
    return found;
  }, options);
}
