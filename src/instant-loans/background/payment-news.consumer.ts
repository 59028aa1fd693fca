import {
  type BeforeApplicationShutdown,
  Injectable,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { type ClaimedNotice, PaymentInbox } from '../../payments/index.js';
import { Database, InboxLanes, RandomSource } from '../../platform/index.js';
import { PaymentNews } from './payment-news.js';
import { OperatorFlags } from '../../operator-flags/index.js';

/** Takes what becomes of payments to the applications: they are the only ones that order any. */
@Injectable()
export class PaymentNewsConsumer implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly lanes: InboxLanes<ClaimedNotice>;

  constructor(
    database: Database,
    inbox: PaymentInbox,
    news: PaymentNews,
    flags: OperatorFlags,
    random: RandomSource,
  ) {
    this.lanes = new InboxLanes(database, () => random.fraction(), {
      name: 'payment-news',
      take: (tx) => inbox.take(tx),
      apply: (tx, notice) => news.apply(tx, notice),
      postpone: (tx, { id }, waitMs) => inbox.postpone(tx, id, waitMs),
      flag: (tx, { partnerId, subjectId }, detail) =>
        flags.raise(tx, { partnerId, subjectId, kind: 'UNREADABLE_ANSWER', detail }),
    });
    inbox.arrivals.listen(() => this.lanes.wake());
  }

  onApplicationBootstrap(): void {
    this.lanes.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.lanes.stop();
  }
}
