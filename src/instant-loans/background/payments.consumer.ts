import {
  type BeforeApplicationShutdown,
  Injectable,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { OperatorFlags } from '../../operator-flags/index.js';
import {
  type ClaimedNotice,
  type DoneRefund,
  PaymentInbox,
  RefundInbox,
} from '../../payments/index.js';
import { Database, DuePoller, InboxConsumer, RandomSource } from '../../platform/index.js';
import { FeeNotices } from '../fee/fee-notices.js';
import { FeeRefunds } from '../fee/fee-refunds.js';

/** Applies payment notices and completed refunds. */
@Injectable()
export class PaymentsConsumer implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly notices: InboxConsumer<ClaimedNotice>;
  private readonly refunds: InboxConsumer<DoneRefund>;

  constructor(
    database: Database,
    poller: DuePoller,
    flags: OperatorFlags,
    random: RandomSource,
    noticeInbox: PaymentInbox,
    notices: FeeNotices,
    refundInbox: RefundInbox,
    refunds: FeeRefunds,
  ) {
    const fraction = () => random.fraction();
    this.notices = new InboxConsumer(database, poller, fraction, {
      name: 'payment-notices',
      due: PaymentInbox.DUE,
      take: (tx) => noticeInbox.take(tx),
      apply: (tx, notice) => notices.apply(tx, notice),
      postpone: (tx, { id }, waitMs) => noticeInbox.postpone(tx, id, waitMs),
      flag: (tx, { id, partnerId, subjectId }, detail) => {
        const cause = ['payment-notices', String(id)];
        return flags.raise(tx, { partnerId, subjectId, kind: 'UNREADABLE_ANSWER', cause, detail });
      },
    });
    this.refunds = new InboxConsumer(database, poller, fraction, {
      name: 'done-refunds',
      due: RefundInbox.DUE,
      take: (tx) => refundInbox.take(tx),
      apply: (tx, refund) => refunds.apply(tx, refund),
      postpone: (tx, { id }, waitMs) => refundInbox.postpone(tx, id, waitMs),
      flag: (tx, { id, partnerId, subjectId }, detail) => {
        const cause = ['done-refunds', String(id)];
        return flags.raise(tx, { partnerId, subjectId, kind: 'SMS_NOT_SENT', cause, detail });
      },
    });
    noticeInbox.arrivals.listen(() => this.notices.wake());
    refundInbox.arrivals.listen(() => this.refunds.wake());
  }

  onApplicationBootstrap(): void {
    this.notices.start();
    this.refunds.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all([this.notices.stop(), this.refunds.stop()]);
  }
}
