import { Injectable } from '@nestjs/common';
import {
  LeadStatuses,
  type InstantLeadStatus,
  isInstant,
  type Journey,
  JourneyAudit,
  type JourneyFee,
  JourneyFeesRepository,
  JourneyMover,
  JourneysRepository,
} from '../../journeys/index.js';
import { type ClaimedNotice, PaymentOrders, Refunds } from '../../payments/index.js';
import type { Tx } from '../../platform/index.js';
import { BindingChoices } from '../offers/binding-choices.js';

@Injectable()
export class UnpaidFees {
  constructor(
    private readonly choices: BindingChoices,
    private readonly mover: JourneyMover,
  ) {}

  /**
   * The fee can no longer be paid: the applicant chooses another offer, or the journey ends.
   * @param journey locked, in FEE_PENDING
   */
  async end(tx: Tx, journey: Journey): Promise<Journey> {
    if (isInstant(journey)) {
      const others = await this.choices.choosable(tx, journey);
      if (others.some(({ id }) => id !== journey.selectedOfferId))
        return this.choices.release(tx, journey);
    }
    return this.mover.move(tx, journey, 'FEE_UNPAID');
  }
}

@Injectable()
export class FeeTries {
  constructor(
    private readonly paymentOrders: PaymentOrders,
    private readonly refunds: Refunds,
    private readonly journeys: JourneysRepository,
    private readonly fees: JourneyFeesRepository,
    private readonly mover: JourneyMover,
    private readonly unpaid: UnpaidFees,
    private readonly leads: LeadStatuses,
    private readonly audit: JourneyAudit,
  ) {}

  /** The first payment in time. */
  async take(tx: Tx, journey: Journey, fee: JourneyFee, notice: ClaimedNotice): Promise<Journey> {
    const { orderId, gatewayPaymentId, at: paidAt } = notice;
    // The page may have stayed open after the offer expired.
    if (isInstant(journey) && paidAt > fee.expiresAt) {
      return this.unpaid.end(tx, await this.giveBack(tx, journey, notice));
    }
    await this.fees.change(tx, fee, { orderId, gatewayPaymentId, paidAt });
    const facts = { redirectId: fee.redirectId, ...factsOf(notice) };
    await this.audit.record(tx, journey, 'FEE_TAKEN', facts);
    // An earlier order was paid; its replacement must not be.
    if (fee.orderId !== null && fee.orderId !== orderId) {
      await this.paymentOrders.cancel(tx, fee.orderId);
    }
    await this.journeys.touch(tx, journey);
    return this.mover.move(tx, journey, 'FEE_PAID');
  }

  async giveBack(tx: Tx, journey: Journey, notice: ClaimedNotice): Promise<Journey> {
    const { partnerId, orderId, gatewayPaymentId } = notice;
    if (gatewayPaymentId === null) throw new Error(`a notice of ${orderId} names no payment`);
    const isPaid = (await this.fees.list(tx, journey)).some(({ paidAt }) => paidAt !== null);
    const reason = isPaid ? 'PAID_TWICE' : 'PAID_TOO_LATE';
    const refund = { partnerId, orderId, gatewayPaymentId, reason } as const;
    const refundId = await this.refunds.request(tx, refund);
    // Null: the settlement has requested this refund.
    if (refundId !== null) {
      const facts = { ...factsOf(notice), reason, refundId };
      await this.audit.record(tx, journey, 'FEE_RETURNED', facts);
    }
    return journey;
  }

  /** The link leads to the payment again. */
  async fail(tx: Tx, journey: Journey, fee: JourneyFee, notice: ClaimedNotice): Promise<Journey> {
    if (notice.orderId !== fee.orderId || fee.isTryFailed) return journey;
    await this.fees.change(tx, fee, { isTryFailed: true });
    const leadStatus: InstantLeadStatus = 'PAYMENT_FAILED';
    const facts = { ...factsOf(notice), ...(isInstant(journey) && { leadStatus }) };
    await this.audit.record(tx, journey, 'FEE_TRY_FAILED', facts);
    if (isInstant(journey)) await this.leads.follow(tx, [journey], leadStatus);
    const changes = { isReturned: false };
    return (await this.journeys.change(tx, journey, journey.state, changes)) ?? journey;
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
