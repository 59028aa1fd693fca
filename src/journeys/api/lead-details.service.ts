import { Injectable } from '@nestjs/common';
import { type LeadDetails, LeadDetailsRegistry } from '../../leads/index.js';
import { paiseToRupees } from '../../loans/index.js';
import { CURRENCY, Refunds, type ReturnedMoney } from '../../payments/index.js';
import { Database, type Tx } from '../../platform/index.js';
import { FEE } from '../../journey-steps/index.js';
import { isTerminal } from '../domain/journey-state.js';
import { JourneyFeesRepository } from '../store/journey-fees.repository.js';
import type { Journey } from '../store/journey.entity.js';
import { JourneysRepository } from '../store/journeys.repository.js';
import { OffersRepository } from '../store/offers.repository.js';
import type { JourneyFee } from '../store/journey-fee.entity.js';

const REFUND_STATUSES = {
  REQUESTED: 'PENDING',
  PENDING: 'PENDING',
  DONE: 'DONE',
  FAILED: 'FAILED',
} as const satisfies Record<ReturnedMoney['status'], string>;

/** The details of a lead's status. */
@Injectable()
export class LeadDetailsService {
  constructor(
    registry: LeadDetailsRegistry,
    private readonly database: Database,
    private readonly journeys: JourneysRepository,
    private readonly offers: OffersRepository,
    private readonly fees: JourneyFeesRepository,
    private readonly refunds: Refunds,
  ) {
    registry.register((partnerId, journeyId) => this.read(partnerId, journeyId));
  }

  private async read(partnerId: string, journeyId: string): Promise<LeadDetails> {
    const journey = await this.journeys.find(partnerId, journeyId);
    if (!journey) return {};
    const { outcomeReason, selectedOfferId } = journey;
    const hasFee = journey.steps.includes(FEE.name);
    const more =
      selectedOfferId !== null || hasFee
        ? await this.database.transaction(async (tx) => ({
            ...(selectedOfferId !== null && {
              lenderCode: (await this.offers.selected(tx, journey)).lenderCode,
            }),
            ...(hasFee && (await this.feeOf(tx, journey))),
          }))
        : {};
    return { reason: outcomeReason ?? undefined, ...more };
  }

  private async feeOf(tx: Tx, journey: Journey): Promise<Pick<LeadDetails, 'fee' | 'refund'>> {
    const fee = await this.fees.current(tx, journey);
    if (!fee) return {};
    const all = await this.refunds.of(tx, journey.partnerId, journey.id);
    // The view is in rupees.
    const returned = all.filter(({ currency }) => currency === CURRENCY);
    // A payment that came too late, or a second one, is refunded without being the fee's.
    const refund = returned.find((one) => isOf(one, fee)) ?? returned.at(-1);
    const status = feeStatusOf(journey, fee);
    return {
      fee: status && {
        amount: paiseToRupees(fee.amount),
        status,
        paidAt: fee.paidAt?.toISOString(),
      },
      refund: refund && refundView(refund),
    };
  }
}

/** Undefined for the fee of a choice that was undone. */
function feeStatusOf(
  { state, redirectId }: Journey,
  fee: JourneyFee,
): NonNullable<LeadDetails['fee']>['status'] | undefined {
  if (fee.paidAt) return 'PAID';
  if (isTerminal(state)) return 'UNPAID';
  return fee.redirectId === redirectId ? 'DUE' : undefined;
}

function isOf({ orderId, gatewayPaymentId }: ReturnedMoney, fee: JourneyFee): boolean {
  return orderId === fee.orderId && gatewayPaymentId === fee.gatewayPaymentId;
}

function refundView({ amount, status, statusAt, isRevoked }: ReturnedMoney) {
  return {
    amount: paiseToRupees(amount),
    status: isRevoked ? ('FAILED' as const) : REFUND_STATUSES[status],
    updatedAt: statusAt.toISOString(),
  };
}
