import type { Logger } from '@nestjs/common';
import { logFailure } from '../logging/log-failure.js';

/** One pass of scheduled work: what fails is logged, and the next pass tries again. */
export async function attempt(logger: Logger, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    logFailure(logger, error);
  }
}
