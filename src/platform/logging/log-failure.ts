import type { Logger } from '@nestjs/common';
import { isToldOutage } from '../database/outage.js';

/**
 * Logs what made a piece of work fail. That the database is away is told elsewhere, once:
 * many a loop and task fails on it again and again, and a log full of that hides everything else.
 */
export function logFailure(
  logger: Logger,
  error: unknown,
  about: Record<string, unknown> = {},
): void {
  if (isToldOutage(error)) return;
  logger.error({ err: error, ...about });
}

/** One pass of scheduled work: what fails is logged, and the next pass tries again. */
export async function attempt(logger: Logger, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    logFailure(logger, error);
  }
}
