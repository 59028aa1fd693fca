import { Injectable } from '@nestjs/common';
import { OperatorFlags } from '../../operator-flags/index.js';
import { IdGenerator, Tx } from '../../platform/index.js';
import { PaymentMetrics } from '../payment-metrics.js';
import { PaymentAudit } from '../store/payment-audit.js';
import { PaymentRefundsRepository } from '../store/payment-refunds.repository.js';
import { PaymentsRepository } from '../store/payments.repository.js';
import type { NewRefund, ReturnedMoney, ShownRefund } from './refund.js';

/** Where money that is not kept is given back: the module's face to those above. */
@Injectable()
export class Refunds {
  constructor(
    private readonly ids: IdGenerator,
    private readonly payments: PaymentsRepository,
    private readonly refunds: PaymentRefundsRepository,
    private readonly audit: PaymentAudit,
    private readonly metrics: PaymentMetrics,
    private readonly flags: OperatorFlags,
  ) {}

  /**
   * Records that a payment goes back, all of it; the gateway is asked in the background. Asked twice
   * for the same payment it goes back once.
   * @returns the refund's id (`rfd_…`); null when that was recorded before
   * @throws Error when there is no such payment
   */
  async request(tx: Tx, { reason, ...named }: NewRefund): Promise<string | null> {
    const payment = await this.payments.find(tx, named);
    if (!payment) throw new Error(`order ${named.orderId} has no such payment`);
    const account = await this.payments.accountOf(tx, payment);
    const id = this.ids.next('rfd');
    const refund = await this.refunds.insert(tx, { id, account, reason }, payment);
    if (!refund) return null;
    const { id: refundId, orderId, partnerId, subjectId, status } = refund;
    const { gatewayPaymentId, amount, currency } = refund;
    const about = { refundId, reason, gatewayPaymentId, amount, currency, account };
    const order = { id: orderId, partnerId, subjectId };
    await this.audit.record(tx, order, 'REFUND_REQUESTED', null, status, about);
    tx.afterCommit(() => this.metrics.refunds.inc({ reason, status }));
    return refundId;
  }

  /**
   * Has a refund that has failed be made once more, under another name: what stood in its way is mended.
   * @returns false when there is none, or it has not failed
   */
  async retry(tx: Tx, id: string): Promise<boolean> {
    const refund = await this.refunds.lock(tx, id);
    if (refund?.status !== 'FAILED') return false;
    const again = await this.refunds.beginAgain(tx, refund, 0);
    if (!again) throw new Error(`refund ${id} moved under its lock`);
    const { orderId, partnerId, subjectId, status } = refund;
    const order = { id: orderId, partnerId, subjectId };
    const about = { refundId: id, attempt: again.attempt };
    await this.audit.record(tx, order, 'REFUND_RETRIED', status, again.status, about);
    await this.flags.resolve(tx, { subjectId, kind: 'REFUND_FAILED' }, { refundId: id });
    return true;
  }

  /** All money of an application that goes back, or has gone back, the first that was asked for first. */
  async of(tx: Tx, partnerId: string, subjectId: string): Promise<ReturnedMoney[]> {
    const returned: ReturnedMoney[] = [];
    for (const refund of await this.refunds.list(tx, partnerId, subjectId)) {
      returned.push({ ...refund, isTakenBack: await this.isTakenBack(tx, subjectId, refund) });
    }
    return returned;
  }

  private async isTakenBack(tx: Tx, subjectId: string, refund: ShownRefund): Promise<boolean> {
    if (refund.status !== 'DONE') return false;
    const facts = { refundId: refund.id, wasDone: true };
    return this.flags.isOpen(tx, { subjectId, kind: 'REFUND_FAILED' }, facts);
  }
}
