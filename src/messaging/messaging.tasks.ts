import { Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { attempt, inChunks, Metrics } from '../platform/index.js';
import { SmsLimits } from './sms-limits.js';
import { SmsMessagesRepository } from './store/sms-messages.repository.js';

const GAUGE_EVERY_MS = 15_000;
const CLEAN_EVERY_MS = 10 * 60_000;
const ROWS_A_CHUNK = 1_000;

/** Scheduled work on text messages; safe on any number of replicas at once. */
@Injectable()
export class MessagingTasks {
  private readonly logger = new Logger(MessagingTasks.name);

  constructor(
    private readonly messages: SmsMessagesRepository,
    private readonly limits: SmsLimits,
    private readonly metrics: Metrics,
  ) {}

  @Interval('sms-oldest-waiting', GAUGE_EVERY_MS)
  measureOldestWaiting(): Promise<void> {
    return attempt(this.logger, async () => {
      this.metrics.oldestWaitingSms.set(await this.messages.oldestWaitingSeconds());
    });
  }

  @Interval('sms-clean', CLEAN_EVERY_MS)
  clean(): Promise<void> {
    return attempt(this.logger, () =>
      inChunks('', (after) => this.messages.removeFinished(ROWS_A_CHUNK, after)),
    );
  }

  @Interval('sms-limits-clean', CLEAN_EVERY_MS)
  cleanLimits(): Promise<void> {
    return attempt(this.logger, async () => {
      while ((await this.limits.removeEnded(ROWS_A_CHUNK)) === ROWS_A_CHUNK);
    });
  }
}
