import {
  type BeforeApplicationShutdown,
  Injectable,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { type ClaimedNotice, PaymentInbox } from '../../payments/index.js';
import { Database, DuePoller, InboxConsumer, RandomSource } from '../../platform/index.js';
import { PaymentNotices } from './payment-notices.js';
import { OperatorFlags } from '../../operator-flags/index.js';

@Injectable()
export class PaymentNoticesConsumer implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly consumer: InboxConsumer<ClaimedNotice>;

  constructor(
    database: Database,
    poller: DuePoller,
    inbox: PaymentInbox,
    notices: PaymentNotices,
    flags: OperatorFlags,
    random: RandomSource,
  ) {
    this.consumer = new InboxConsumer(database, poller, () => random.fraction(), {
      name: 'payment-notices',
      due: PaymentInbox.DUE,
      take: (tx) => inbox.take(tx),
      apply: (tx, notice) => notices.apply(tx, notice),
      postpone: (tx, { id }, waitMs) => inbox.postpone(tx, id, waitMs),
      flag: (tx, { id, partnerId, subjectId }, detail) =>
        flags.raise(tx, {
          partnerId,
          subjectId,
          kind: 'UNREADABLE_ANSWER',
          cause: ['payment-notices', String(id)],
          detail,
        }),
    });
    inbox.arrivals.listen(() => this.consumer.wake());
  }

  onApplicationBootstrap(): void {
    this.consumer.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.consumer.stop();
  }
}
