import { Injectable } from '@nestjs/common';
import { FEE } from '../../journey-steps/index.js';
import type {
  Acknowledgement as LenderAcknowledgement,
  FeePaid,
  QuestionPayload,
} from '../../lenders/index.js';
import type { Tx } from '../../platform/index.js';
import { isPast } from '../domain/journey-state.js';
import { ApplicantFiles } from './applicant-file.js';
import type { Journey } from '../store/journey.entity.js';
import { type Acknowledgement, KeyFactsRepository } from '../../key-facts/index.js';
import type { Offer } from '../store/offer.entity.js';
import { JourneyFeesRepository } from '../store/journey-fees.repository.js';
import { OffersRepository } from '../store/offers.repository.js';

interface SelectedPayload {
  readonly offer: Offer;
  readonly payload: QuestionPayload;
  /** No provider session is opened before it. */
  readonly isAcknowledged: boolean;
}

@Injectable()
export class SelectedPayloads {
  constructor(
    private readonly offers: OffersRepository,
    private readonly keyFacts: KeyFactsRepository,
    private readonly applicants: ApplicantFiles,
    private readonly fees: JourneyFeesRepository,
  ) {}

  /** @param stepAttempt from 1 */
  async draw(tx: Tx, journey: Journey, stepAttempt?: number): Promise<SelectedPayload> {
    const offer = await this.offers.selected(tx, journey);
    const standing = await this.keyFacts.standing(tx, journey.partnerId, offer.id);
    const acknowledgement = standing?.acknowledgement;
    const feePaid = await this.feePaid(tx, journey);
    const payload = this.applicants.payload(journey, {
      ...(feePaid && { feePaid }),
      offerReference: offer.lenderReference,
      ...(stepAttempt !== undefined && { stepAttempt }),
      ...(standing && { keyFactsHash: standing.contentHash }),
      ...(acknowledgement && {
        acknowledgement: acknowledgementFor(standing.contentHash, acknowledgement),
      }),
    });
    return { offer, payload, isAcknowledged: Boolean(acknowledgement) };
  }

  private async feePaid(tx: Tx, journey: Journey): Promise<FeePaid | null> {
    if (!isPast(journey, FEE.name)) return null;
    const { amount, gatewayPaymentId, paidAt } = (await this.fees.current(tx, journey))!;
    return paidAt && { amount, gatewayPaymentId, paidAt: paidAt.toISOString() };
  }
}

function acknowledgementFor(
  keyFactsHash: string,
  { at, language }: Acknowledgement,
): LenderAcknowledgement {
  return { keyFactsHash, acknowledgedAt: at.toISOString(), language };
}
