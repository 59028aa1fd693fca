import type { Stage } from './stage.ts';

const STEP_BOUND_MS = 80_000;

/** The step may still be running, so nothing else is started after it. */
export class StepTimeout extends Error {}

/**
 * Runs one part. After a failure the next part runs, so that one run shows as much as possible.
 * @throws StepTimeout when the part exceeds its limit
 */
export async function runStep<T>(
  stage: Stage,
  title: string,
  part: () => Promise<T>,
): Promise<T | undefined> {
  stage.timeline.heading(title);
  try {
    return await within(STEP_BOUND_MS, title, part());
  } catch (error) {
    if (error instanceof StepTimeout) throw error;
    stage.checks.fail(`${title} stopped: ${describeError(error)}`);
    return undefined;
  }
}

export async function within<T>(milliseconds: number, title: string, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const bound = new Promise<never>((_resolve, reject) => {
    const message = `${title} took longer than ${milliseconds / 1000} s`;
    timer = setTimeout(() => reject(new StepTimeout(message)), milliseconds);
  });
  try {
    return await Promise.race([work, bound]);
  } finally {
    clearTimeout(timer);
  }
}

export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? ` (${error.cause.message})` : '';
  return error.message + cause;
}
