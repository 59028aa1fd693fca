import { Injectable } from '@nestjs/common';
import { type LoanKey, type PersonalDataHolder, PersonalDataRegistry } from '../erasure/index.js';
import { clearGauge, inChunks, ScheduledTask, type Tx } from '../platform/index.js';
import { SmsMetrics } from './sms-outbox.js';
import { SmsMessagesRepository } from './store/sms-messages.repository.js';

const GAUGE_EVERY_MS = 15_000;
const CLEAN_EVERY_MS = 10 * 60_000;
const ROWS_A_CHUNK = 1_000;

/** Safe on any number of replicas. */
@Injectable()
export class MessagingTasks {
  constructor(
    private readonly messages: SmsMessagesRepository,
    private readonly metrics: SmsMetrics,
  ) {}

  @ScheduledTask('sms-oldest-waiting', GAUGE_EVERY_MS)
  async measureOldestWaiting(): Promise<void> {
    const { oldestWaiting } = this.metrics;
    // Reports no value while the database is unreachable.
    const seconds = await this.messages
      .oldestWaitingSeconds()
      .finally(() => clearGauge(oldestWaiting));
    oldestWaiting.set(seconds);
  }

  @ScheduledTask('sms-clean', CLEAN_EVERY_MS)
  clean(): Promise<void> {
    return inChunks('', (after) => this.messages.removeFinished(ROWS_A_CHUNK, after));
  }
}

@Injectable()
export class SmsPersonalData implements PersonalDataHolder {
  readonly order = 5;
  readonly personalColumns = SmsMessagesRepository.PERSONAL_COLUMNS;

  constructor(
    registry: PersonalDataRegistry,
    private readonly messages: SmsMessagesRepository,
  ) {
    registry.registerRecords(this);
  }

  /** Cancels unsent messages; sent ones contain no personal data. */
  erase(tx: Tx, { partnerId, id }: LoanKey): Promise<number> {
    return this.messages.cancel(tx, partnerId, id);
  }
}
