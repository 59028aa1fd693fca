import type { Logger } from '@nestjs/common';
import { isLoggedOutage } from '../database/outage.js';

/** Outages would flood the log. */
export function logFailure(
  logger: Logger,
  error: unknown,
  about: Record<string, unknown> = {},
): void {
  if (isLoggedOutage(error)) return;
  logger.error({ err: error, ...about });
}

/** The next pass retries. */
export async function attempt(logger: Logger, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    logFailure(logger, error);
  }
}
