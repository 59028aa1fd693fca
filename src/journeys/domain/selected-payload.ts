import { Injectable } from '@nestjs/common';
import type { QuestionPayload } from '../../lenders/index.js';
import type { Tx } from '../../platform/index.js';
import { ApplicantFiles } from './applicant-file.js';
import type { Journey } from '../store/journey.entity.js';
import { KeyFactsRepository } from '../../key-facts/index.js';
import type { Offer } from '../store/offer.entity.js';
import { OffersRepository } from '../store/offers.repository.js';

/** The chosen offer, and what its lender is told with every question about it. */
export interface SelectedPayload {
  readonly offer: Offer;
  readonly payload: QuestionPayload;
}

/** Draws up what the lender of the chosen offer is told: it cites the statement agreed to. */
@Injectable()
export class SelectedPayloads {
  constructor(
    private readonly offers: OffersRepository,
    private readonly keyFacts: KeyFactsRepository,
    private readonly applicants: ApplicantFiles,
  ) {}

  /** @param stepAttempt which try of a redirect step it is about, from 1 */
  async draw(tx: Tx, journey: Journey, stepAttempt?: number): Promise<SelectedPayload> {
    const offer = await this.offers.selected(tx, journey);
    const keyFactsHash = await this.keyFacts.hashOf(tx, journey.partnerId, offer.id);
    const payload = this.applicants.payload(journey, {
      offerReference: offer.lenderReference,
      ...(stepAttempt !== undefined && { stepAttempt }),
      ...(keyFactsHash && { keyFactsHash }),
    });
    return { offer, payload };
  }
}
