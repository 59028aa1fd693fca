import { Injectable } from '@nestjs/common';
import { OperatorFlags } from '../../operator-flags/index.js';
import { IdGenerator, Tx } from '../../platform/index.js';
import { PaymentMetrics } from '../payment-gateways.js';
import { PaymentAudit } from '../store/payment-audit.js';
import { PaymentRefundsRepository } from '../store/payment-refunds.repository.js';
import { PaymentsRepository } from '../store/payments.repository.js';
import type { NewRefund, ReturnedMoney, ShownRefund } from '../payment-order.js';

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
   * Once per payment; the background calls the gateway.
   * @returns the refund's id (`rfd_…`); null when it was requested before
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
   * For a failed refund whose cause is fixed.
   * @returns false when it does not exist or has not failed
   */
  async retry(tx: Tx, id: string): Promise<boolean> {
    const refund = await this.refunds.lock(tx, id);
    if (refund?.status !== 'FAILED') return false;
    const again = await this.refunds.scheduleAttempt(tx, refund, 0);
    if (!again) throw new Error(`refund ${id} changed status under its lock`);
    const { orderId, partnerId, subjectId, status } = refund;
    const order = { id: orderId, partnerId, subjectId };
    const about = { refundId: id, attempt: again.attempt };
    await this.audit.record(tx, order, 'REFUND_RETRIED', status, again.status, about);
    await this.flags.resolve(tx, { subjectId, kind: 'REFUND_FAILED' }, { refundId: id });
    return true;
  }

  /** Oldest request first. */
  async of(tx: Tx, partnerId: string, subjectId: string): Promise<ReturnedMoney[]> {
    const returned: ReturnedMoney[] = [];
    for (const refund of await this.refunds.list(tx, partnerId, subjectId)) {
      returned.push({ ...refund, isRevoked: await this.isRevoked(tx, subjectId, refund) });
    }
    return returned;
  }

  private async isRevoked(tx: Tx, subjectId: string, refund: ShownRefund): Promise<boolean> {
    if (refund.status !== 'DONE') return false;
    const facts = { refundId: refund.id, wasDone: true };
    return this.flags.isOpen(tx, { subjectId, kind: 'REFUND_FAILED' }, facts);
  }
}
