import { Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { attempt, inChunks } from '../platform/index.js';
import { PaymentUpkeep } from './store/payment-upkeep.repository.js';

const CLEAN_EVERY_MS = 10 * 60_000;
const ROWS_A_CHUNK = 1_000;

/** Removes what payments need no more; safe on any number of replicas at once. */
@Injectable()
export class PaymentsTasks {
  private readonly logger = new Logger(PaymentsTasks.name);

  constructor(private readonly upkeep: PaymentUpkeep) {}

  @Interval('payments-clean', CLEAN_EVERY_MS)
  clean(): Promise<void> {
    return attempt(this.logger, async () => {
      await inChunks(0, (after) => this.upkeep.removeNotices(ROWS_A_CHUNK, after));
      await inChunks(0, (after) => this.upkeep.removeCallbacks(ROWS_A_CHUNK, after));
    });
  }
}
