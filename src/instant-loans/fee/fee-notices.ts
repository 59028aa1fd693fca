import { Injectable } from '@nestjs/common';
import {
  type InstantLeadStatus,
  isInstant,
  type Journey,
  JourneyAudit,
  type JourneyFee,
  JourneyFeesRepository,
  JourneyMover,
  JourneysRepository,
} from '../../journeys/index.js';
import { LeadWriter } from '../../leads/index.js';
import { type ClaimedNotice, PaymentInbox, PaymentOrders, Refunds } from '../../payments/index.js';
import type { Tx } from '../../platform/index.js';
import { BindingChoices } from '../offers/binding-choices.js';

/**
 * Applies one payment notice in the transaction that holds the inbox row. Notices come in any order
 * and repeatedly: the first payment in time counts; every other one is refunded.
 */
@Injectable()
export class FeeNotices {
  constructor(
    private readonly inbox: PaymentInbox,
    private readonly paymentOrders: PaymentOrders,
    private readonly refunds: Refunds,
    private readonly journeys: JourneysRepository,
    private readonly fees: JourneyFeesRepository,
    private readonly mover: JourneyMover,
    private readonly choices: BindingChoices,
    private readonly leads: LeadWriter,
    private readonly audit: JourneyAudit,
  ) {}

  /** @throws Error when the journey is missing: the payment would be lost */
  async apply(tx: Tx, notice: ClaimedNotice): Promise<void> {
    const isEnd = notice.kind === 'EXPIRED' || notice.kind === 'CANCELLED';
    // Checked before: a payment through another page is then already in the inbox.
    const isLastPage = isEnd && !(await this.mayBePaid(tx, notice));
    // Payments first: one through another page wins. Inbox rows are locked before the journey, in every
    // transaction that locks both.
    const payments = isEnd ? await this.inbox.takePaymentsOf(tx, notice) : [];
    let journey = await this.journeys.lock(tx, notice.partnerId, notice.subjectId);
    if (!journey) throw new Error(`there is no journey ${notice.subjectId}`);
    for (const one of [...payments, notice]) {
      journey = await this.applyTo(tx, journey, one, isLastPage);
      await this.inbox.markConsumed(tx, one.id);
    }
  }

  private async applyTo(
    tx: Tx,
    journey: Journey,
    notice: ClaimedNotice,
    isLastPage: boolean,
  ): Promise<Journey> {
    const fee = await this.feeOf(tx, journey, notice.orderId);
    const isPending = journey.state === 'FEE_PENDING' && journey.redirectId === fee.redirectId;
    switch (notice.kind) {
      case 'PAID':
        return isPending
          ? this.takeMoney(tx, journey, fee, notice)
          : this.giveBack(tx, journey, fee, notice);
      case 'FAILED':
        return isPending ? this.noteFailure(tx, journey, fee, notice) : journey;
      case 'EXPIRED':
      case 'CANCELLED':
        return isPending && isLastPage ? this.choices.endUnpaid(tx, journey) : journey;
    }
  }

  /** Whether another page of this fee is open: only the last one to close ends the journey. */
  private async mayBePaid(
    tx: Tx,
    { partnerId, subjectId: id, orderId }: ClaimedNotice,
  ): Promise<boolean> {
    const fee = await this.feeOf(tx, { partnerId, id }, orderId);
    for (const open of await this.paymentOrders.unendedOf(tx, { partnerId, id })) {
      if (open !== orderId && (await this.isOf(tx, fee, open))) return true;
    }
    return false;
  }

  private async takeMoney(
    tx: Tx,
    journey: Journey,
    fee: JourneyFee,
    notice: ClaimedNotice,
  ): Promise<Journey> {
    const { orderId, gatewayPaymentId, at: paidAt } = notice;
    // The page may have stayed open after the offer expired.
    if (isInstant(journey) && paidAt > fee.expiresAt)
      return this.endTooLate(tx, journey, fee, notice);
    await this.fees.change(tx, fee, { orderId, gatewayPaymentId, paidAt });
    const facts = { redirectId: fee.redirectId, ...factsOf(notice) };
    await this.audit.record(tx, journey, 'FEE_TAKEN', journey.state, facts);
    // An earlier order was paid after all: its replacement must not be.
    if (fee.orderId !== null && fee.orderId !== orderId) {
      await this.paymentOrders.cancel(tx, fee.orderId);
    }
    await this.journeys.touch(tx, journey);
    return this.mover.move(tx, journey, 'FEE_PAID');
  }

  private async endTooLate(
    tx: Tx,
    journey: Journey,
    fee: JourneyFee,
    notice: ClaimedNotice,
  ): Promise<Journey> {
    await this.giveBack(tx, journey, fee, notice);
    return this.choices.endUnpaid(tx, journey);
  }

  private async giveBack(
    tx: Tx,
    journey: Journey,
    fee: JourneyFee,
    notice: ClaimedNotice,
  ): Promise<Journey> {
    const { partnerId, orderId, gatewayPaymentId } = notice;
    if (gatewayPaymentId === null) throw new Error(`a notice of ${orderId} names no payment`);
    const reason = fee.paidAt === null ? 'PAID_TOO_LATE' : 'PAID_TWICE';
    const refund = { partnerId, orderId, gatewayPaymentId, reason } as const;
    const refundId = await this.refunds.request(tx, refund);
    // Null: the settlement has requested this refund.
    if (refundId !== null) {
      const facts = { ...factsOf(notice), reason, refundId };
      await this.audit.record(tx, journey, 'FEE_RETURNED', journey.state, facts);
    }
    return journey;
  }

  /** The link leads to the payment again. */
  private async noteFailure(
    tx: Tx,
    journey: Journey,
    fee: JourneyFee,
    notice: ClaimedNotice,
  ): Promise<Journey> {
    if (notice.orderId !== fee.orderId || fee.isTryFailed) return journey;
    await this.fees.change(tx, fee, { isTryFailed: true });
    const leadStatus: InstantLeadStatus = 'PAYMENT_FAILED';
    const facts = { ...factsOf(notice), ...(isInstant(journey) && { leadStatus }) };
    await this.audit.record(tx, journey, 'FEE_TRY_FAILED', journey.state, facts);
    if (isInstant(journey)) {
      await this.leads.setStatus(tx, journey.partnerId, journey.applicationId, leadStatus);
    }
    const changes = { isReturned: false };
    return (await this.journeys.change(tx, journey, journey.state, changes)) ?? journey;
  }

  /** @throws Error when no fee of the journey was ordered so */
  private async feeOf(
    tx: Tx,
    journey: Pick<Journey, 'partnerId' | 'id'>,
    orderId: string,
  ): Promise<JourneyFee> {
    for (const fee of await this.fees.list(tx, journey)) {
      if (await this.isOf(tx, fee, orderId)) return fee;
    }
    throw new Error(`journey ${journey.id} has no fee of the order ${orderId}`);
  }

  private async isOf(tx: Tx, { orderId: current }: JourneyFee, orderId: string): Promise<boolean> {
    if (current === null) return false;
    if (await this.paymentOrders.isTryOf(tx, orderId, current)) return true;
    // An earlier order was paid, and counts in place of its successor.
    return this.paymentOrders.isTryOf(tx, current, orderId);
  }
}

/** For the audit: no personal data. */
function factsOf({ orderId, gatewayPaymentId, amount }: ClaimedNotice) {
  return {
    orderId,
    ...(gatewayPaymentId !== null && { gatewayPaymentId }),
    ...(amount !== null && { amount }),
  };
}
