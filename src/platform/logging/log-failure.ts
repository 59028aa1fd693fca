import type { Logger } from '@nestjs/common';
import { isToldOutage } from '../database/outage.js';

/** Except outages, which are logged once elsewhere: they would flood the log. */
export function logFailure(
  logger: Logger,
  error: unknown,
  about: Record<string, unknown> = {},
): void {
  if (isToldOutage(error)) return;
  logger.error({ err: error, ...about });
}

/** Logs a failure; the next pass tries again. */
export async function attempt(logger: Logger, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    logFailure(logger, error);
  }
}
