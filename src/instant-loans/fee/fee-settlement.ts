import { Injectable, Logger } from '@nestjs/common';
import {
  type Journey,
  JourneyAudit,
  type JourneyFee,
  JourneyFeesRepository,
  JourneysRepository,
} from '../../journeys/index.js';
import {
  type RefundReason,
  Refunds,
  UNSETTLED_PAYMENTS,
  type UnsettledPayment,
  UnsettledPayments,
} from '../../payments/index.js';
import {
  Database,
  DuePoller,
  logFailure,
  ScheduledTask,
  takeInTurn,
  type Tx,
  UNWOKEN_MS,
} from '../../platform/index.js';

/**
 * A fee is kept for a loan, or where the lender's terms allow it. Every other payment is refunded.
 */
@Injectable()
export class FeeSettlement {
  constructor(
    private readonly payments: UnsettledPayments,
    private readonly refunds: Refunds,
    private readonly journeys: JourneysRepository,
    private readonly fees: JourneyFeesRepository,
    private readonly audit: JourneyAudit,
  ) {}

  async settle(tx: Tx, payment: UnsettledPayment): Promise<void> {
    const { partnerId, subjectId, orderId, gatewayPaymentId, amount } = payment;
    const journey = await this.journeys.lock(tx, partnerId, subjectId);
    const settlement = journey && settlementOf(journey, await this.fees.list(tx, journey), payment);
    if (!journey || settlement === null) return this.payments.leave(tx, payment);
    const facts = { orderId, gatewayPaymentId, amount };
    if (settlement !== 'KEPT') {
      const refund = { partnerId, orderId, gatewayPaymentId, reason: settlement };
      const refundId = await this.refunds.request(tx, refund);
      const returned = { ...facts, reason: settlement, refundId };
      if (refundId !== null) {
        await this.audit.record(tx, journey, 'FEE_RETURNED', returned);
      }
    } else if (journey.state !== 'SANCTIONED') {
      await this.audit.record(tx, journey, 'FEE_KEPT', facts);
    }
    return this.payments.settle(tx, payment);
  }
}

/** Null: undecided. */
export function settlementOf(
  { state, finishedAt }: Pick<Journey, 'state' | 'finishedAt'>,
  fees: readonly Pick<JourneyFee, 'gatewayPaymentId' | 'feeOnDecline'>[],
  { isCounted, gatewayPaymentId }: Pick<UnsettledPayment, 'isCounted' | 'gatewayPaymentId'>,
): 'KEPT' | RefundReason | null {
  if (!isCounted) return 'OTHER_AMOUNT';
  const paid = fees.find((fee) => fee.gatewayPaymentId === gatewayPaymentId);
  if (!paid) {
    if (fees.some((fee) => fee.gatewayPaymentId !== null)) return 'PAID_TWICE';
    return finishedAt === null ? null : 'PAID_TOO_LATE';
  }
  if (finishedAt === null) return null;
  return state === 'SANCTIONED' || paid.feeOnDecline === 'KEPT' ? 'KEPT' : 'DECLINED';
}

const MAX_PER_PASS = 500;

/** The last check for a lost payment; safe on any number of replicas. */
@Injectable()
export class SettlementTasks {
  private readonly logger = new Logger(SettlementTasks.name);

  constructor(
    private readonly database: Database,
    private readonly payments: UnsettledPayments,
    private readonly fees: FeeSettlement,
    poller: DuePoller,
  ) {
    poller.watch(UNSETTLED_PAYMENTS, () => void this.run());
  }

  @ScheduledTask('fee-settlement', UNWOKEN_MS)
  run(): Promise<void> {
    return takeInTurn(this.database, {
      max: MAX_PER_PASS,
      claim: (tx, passedOver) => this.payments.claim(tx, passedOver),
      work: (tx, payment) => this.settle(tx, payment),
      onFailure: (error, { id, subjectId }) =>
        logFailure(this.logger, error, { paymentId: id, subjectId }),
    });
  }

  private settle(tx: Tx, payment: UnsettledPayment): Promise<void> {
    return payment.isRefunded ? this.payments.settle(tx, payment) : this.fees.settle(tx, payment);
  }
}
