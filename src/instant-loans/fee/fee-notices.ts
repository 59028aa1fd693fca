import { Injectable } from '@nestjs/common';
import {
  type Journey,
  type JourneyFee,
  JourneyFeesRepository,
  JourneysRepository,
} from '../../journeys/index.js';
import { type ClaimedNotice, PaymentInbox, PaymentOrders } from '../../payments/index.js';
import type { Tx } from '../../platform/index.js';
import { FeeTries, UnpaidFees } from './fee-tries.js';

/**
 * Runs in the transaction that holds the inbox row. Notices come in any order and repeatedly. The
 * first payment in time counts; every other one is refunded.
 */
@Injectable()
export class FeeNotices {
  constructor(
    private readonly inbox: PaymentInbox,
    private readonly paymentOrders: PaymentOrders,
    private readonly journeys: JourneysRepository,
    private readonly fees: JourneyFeesRepository,
    private readonly tries: FeeTries,
    private readonly unpaid: UnpaidFees,
  ) {}

  /** @throws Error when the journey is missing, or the payment would be lost */
  async apply(tx: Tx, notice: ClaimedNotice): Promise<void> {
    const isEnd = notice.kind === 'EXPIRED' || notice.kind === 'CANCELLED';
    // Checked first: a payment through another page is then already in the inbox.
    const isLastPage = isEnd && !(await this.mayBePaid(tx, notice));
    // Payments first: one through another page wins. Every transaction locks inbox rows before the
    // journey.
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
          ? this.tries.take(tx, journey, fee, notice)
          : this.tries.giveBack(tx, journey, notice);
      case 'FAILED':
        return isPending ? this.tries.fail(tx, journey, fee, notice) : journey;
      case 'EXPIRED':
      case 'CANCELLED':
        return isPending && isLastPage ? this.unpaid.end(tx, journey) : journey;
    }
  }

  /** Only the last open page of the fee ends the journey. */
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

  /** @throws Error for an unknown order */
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
    if (await this.paymentOrders.isAttemptOf(tx, orderId, current)) return true;
    // An earlier order was paid; it counts instead of its successor.
    return this.paymentOrders.isAttemptOf(tx, current, orderId);
  }
}
