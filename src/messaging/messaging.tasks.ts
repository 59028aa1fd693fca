import { Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { attempt, Metrics } from '../platform/index.js';
import { SmsMessages } from './sms-messages.repository.js';

const GAUGE_EVERY_MS = 15_000;

/** Measures how long text messages wait, on every replica alike. */
@Injectable()
export class MessagingTasks {
  private readonly logger = new Logger(MessagingTasks.name);

  constructor(
    private readonly messages: SmsMessages,
    private readonly metrics: Metrics,
  ) {}

  @Interval('sms-oldest-waiting', GAUGE_EVERY_MS)
  measureOldestWaiting(): Promise<void> {
    return attempt(this.logger, async () => {
      this.metrics.oldestWaitingSms.set(await this.messages.oldestWaitingSeconds());
    });
  }
}
