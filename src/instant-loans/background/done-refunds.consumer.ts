import {
  type BeforeApplicationShutdown,
  Injectable,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { OperatorFlags } from '../../operator-flags/index.js';
import { type DoneRefund, RefundInbox } from '../../payments/index.js';
import { Database, DuePoller, InboxConsumer, RandomSource } from '../../platform/index.js';
import { DoneRefunds } from './done-refunds.js';

@Injectable()
export class DoneRefundsConsumer implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly consumer: InboxConsumer<DoneRefund>;

  constructor(
    database: Database,
    poller: DuePoller,
    inbox: RefundInbox,
    refunds: DoneRefunds,
    flags: OperatorFlags,
    random: RandomSource,
  ) {
    this.consumer = new InboxConsumer(database, poller, () => random.fraction(), {
      name: 'done-refunds',
      due: RefundInbox.DUE,
      take: (tx) => inbox.take(tx),
      apply: (tx, refund) => refunds.apply(tx, refund),
      postpone: (tx, { id }, waitMs) => inbox.postpone(tx, id, waitMs),
      flag: (tx, { id, partnerId, subjectId }, detail) =>
        flags.raise(tx, {
          partnerId,
          subjectId,
          kind: 'SMS_NOT_SENT',
          cause: ['done-refunds', String(id)],
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
