import { Injectable } from '@nestjs/common';
import { inChunks, ScheduledTask } from '../platform/index.js';
import { PaymentUpkeepRepository } from './store/payment-upkeep.repository.js';

const CLEAN_EVERY_MS = 10 * 60_000;
const ROWS_A_CHUNK = 1_000;

/** Safe on any number of replicas at once. */
@Injectable()
export class PaymentsTasks {
  constructor(private readonly upkeep: PaymentUpkeepRepository) {}

  @ScheduledTask('payments-clean', CLEAN_EVERY_MS)
  async clean(): Promise<void> {
    await inChunks(0, (after) => this.upkeep.removeNotices(ROWS_A_CHUNK, after));
    await inChunks(0, (after) => this.upkeep.removeCallbacks(ROWS_A_CHUNK, after));
  }
}
