import { Injectable } from '@nestjs/common';
import { FEE } from '../../journey-steps/index.js';
import { Database } from '../../platform/index.js';
import { isPast, isTerminal } from '../domain/journey-state.js';
import { ProviderWait } from '../redirects/provider-wait.js';
import { RedirectSteps } from '../redirects/redirect-steps.js';
import type { Journey } from '../store/journey.entity.js';
import { JourneyFeesRepository, payUntil } from '../store/journey-fees.repository.js';
import type { HostedFee } from './hosted-view.js';

@Injectable()
export class HostedFees {
  constructor(
    private readonly database: Database,
    private readonly fees: JourneyFeesRepository,
    private readonly redirects: RedirectSteps,
    private readonly providers: ProviderWait,
  ) {}

  /** Of the chosen offer, once it is asked for; else null. */
  async of(journey: Journey): Promise<HostedFee | null> {
    const isPending = journey.state === 'FEE_PENDING';
    const { state, selectedOfferId } = journey;
    const isOver = isTerminal(state) && selectedOfferId !== null;
    if (!isPending && !isOver && !isPast(journey, FEE.name)) return null;
    const fee = await this.database.transaction((tx) => this.fees.current(tx, journey));
    if (!fee) return null;
    const { amount, feeOnDecline, isTryFailed, orderId, redirectId } = fee;
    const { gatewayPaymentId, paidAt, expiresAt } = fee;
    return {
      amount,
      isKept: feeOnDecline === 'KEPT',
      isTryFailed,
      isPaying: isPending && (await this.providers.isDeciding(journey)),
      payUntil: payUntil(fee),
      expiresAt,
      orderId,
      gatewayPaymentId,
      paidAt,
      url: this.redirects.urlOf(redirectId),
    };
  }
}
