import { setTimeout as sleep } from 'node:timers/promises';

interface EventuallyOptions {
  /** How long to go on trying: on a machine that is busy with other tests, too. */
  withinMs?: number;
  everyMs?: number;
}

/**
 * Tries until `attempt` does not throw and does not answer false, and answers what it answered.
 * Write the expectation inside: its failure of the last try is what the test then shows.
 */
export async function eventually<Result>(
  attempt: () => Promise<Result> | Result,
  { withinMs = 15_000, everyMs = 25 }: EventuallyOptions = {},
): Promise<Result> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    let failure: unknown;
    try {
      const result = await attempt();
      if (result !== false) return result;
      failure = new Error(`still false after ${withinMs} ms: ${attempt.toString()}`);
    } catch (error) {
      failure = error;
    }
    if (performance.now() + everyMs > deadline) throw failure;
    await sleep(everyMs);
  }
}

/** Looks until there is something, and answers it. */
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
