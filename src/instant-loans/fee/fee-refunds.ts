import { Injectable } from '@nestjs/common';
import {
  AgreedLanguages,
  ApplicantFiles,
  JourneyAudit,
  JourneysRepository,
} from '../../journeys/index.js';
import { SmsOutbox } from '../../messaging/index.js';
import { CURRENCY, type DoneRefund, RefundInbox } from '../../payments/index.js';
import { formatRupees, type Tx } from '../../platform/index.js';

/** Texts the applicant once, in the transaction that holds the refund's row. */
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

  /** Erased applicants have no number; the registered text names only rupees. */
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
    if (later) return this.inbox.putOff(tx, refund.id, later);
    const facts = { refundId, amount };
    if (!put.isHeldBack) await this.audit.record(tx, journey, 'REFUND_TOLD', journey.state, facts);
    return this.inbox.markConsumed(tx, refund.id);
  }
}
