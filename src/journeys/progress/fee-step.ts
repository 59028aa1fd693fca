import { Injectable } from '@nestjs/common';
import { FEE } from '../../journey-steps/index.js';
import { UnsettledPayments } from '../../payments/index.js';
import type { Tx } from '../../platform/index.js';
import { isInstant } from '../domain/journey.js';
import { isTerminal } from '../domain/journey-state.js';
import { payableUntil } from '../domain/pay-times.js';
import { RedirectSteps } from '../redirects/redirect-steps.js';
import { JourneyAudit } from '../store/journey-audit.js';
import type { Journey } from '../store/journey.entity.js';
import { JourneyFeesRepository } from '../store/journey-fees.repository.js';
import { OffersRepository } from '../store/offers.repository.js';

/** The step `FEE`: what is asked for, and its end. `instant-loans` takes the payment. */
@Injectable()
export class FeeStep {
  constructor(
    private readonly offers: OffersRepository,
    private readonly redirects: RedirectSteps,
    private readonly fees: JourneyFeesRepository,
    private readonly payments: UnsettledPayments,
    private readonly audit: JourneyAudit,
  ) {}

  async ask(tx: Tx, journey: Journey): Promise<Journey> {
    const { id: journeyId, partnerId, selection } = journey;
    const { lenderCode, terms, validUntil } = await this.offers.selected(tx, journey);
    const opened = await this.redirects.open(tx, journey, FEE.name, 1);
    const { redirectId } = opened;
    if (!selection || !redirectId) throw new Error(`journey ${journeyId} has no choice to pay for`);
    const { processingFees: amount } = selection;
    const feeOnDecline = terms.feeOnDecline ?? 'REFUND';
    const fee = { redirectId, partnerId, journeyId, lenderCode, amount, feeOnDecline };
    const latest = isInstant(journey) ? payableUntil(journey, validUntil) : null;
    await this.fees.insert(tx, fee, latest);
    const facts = { redirectId, lenderCode, amount, feeOnDecline };
    await this.audit.record(tx, opened, 'FEE_ASKED', opened.state, facts);
    return opened;
  }

  /** No fee of these journeys can be paid now: their choice was undone, or they are over. */
  async end(tx: Tx, journeys: readonly Journey[]): Promise<void> {
    for (const journey of journeys.filter(({ steps }) => steps.includes(FEE.name))) {
      await this.fees.expireAllOf(tx, journey);
      if (isTerminal(journey.state)) await this.payments.settleSoon(tx, journey.id);
    }
  }
}
