import {
  type BeforeApplicationShutdown,
  Injectable,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import {
  AgreedLanguages,
  ApplicantFiles,
  JourneyAudit,
  JourneysRepository,
} from '../../journeys/index.js';
import { SmsOutbox } from '../../messaging/index.js';
import { OperatorFlags } from '../../operator-flags/index.js';
import {
  type ClaimedNotice,
  CURRENCY,
  type DoneRefund,
  PaymentInbox,
  RefundInbox,
} from '../../payments/index.js';
import {
  Database,
  DuePoller,
  formatRupees,
  InboxConsumer,
  RandomSource,
  type Tx,
} from '../../platform/index.js';
import { FeeNotices } from '../fee/fee-notices.js';

/** Notifies the applicant once, in the transaction that holds the refund's row. */
@Injectable()
export class FeeRefunds {
  constructor(
    private readonly inbox: RefundInbox,
    private readonly journeys: JourneysRepository,
    private readonly applicants: ApplicantFiles,
    private readonly languages: AgreedLanguages,
    private readonly sms: SmsOutbox,
    private readonly audit: JourneyAudit,
  ) {}

  /** Erased applicants have no number; the registered SMS text requires rupees. */
  async apply(tx: Tx, refund: DoneRefund): Promise<void> {
    const { partnerId, subjectId, refundId, amount, currency } = refund;
    const journey = await this.journeys.lock(tx, partnerId, subjectId);
    if (!journey) throw new Error(`there is no journey ${subjectId}`);
    const file = currency === CURRENCY ? this.applicants.open(journey) : null;
    if (!file) return this.inbox.markConsumed(tx, refund.id);
    const { mobile, pan } = file.applicant;
    const put = await this.sms.put(tx, {
      partnerId,
      subjectId,
      kind: 'REFUND_MADE',
      language: await this.languages.of(tx, journey),
      applicant: { mobile, pan },
      values: { amount: formatRupees(amount) },
    });
    const later = put.isHeldBack ? await this.sms.noTextUntil(tx, mobile) : null;
    if (later) return this.inbox.defer(tx, refund.id, later);
    const facts = { refundId, amount };
    if (!put.isHeldBack) await this.audit.record(tx, journey, 'REFUND_TOLD', facts);
    return this.inbox.markConsumed(tx, refund.id);
  }
}

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
