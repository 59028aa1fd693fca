import { Injectable } from '@nestjs/common';
import type {
  Acknowledgement as ToldAcknowledgement,
  QuestionPayload,
} from '../../lenders/index.js';
import type { Tx } from '../../platform/index.js';
import { ApplicantFiles } from './applicant-file.js';
import type { Journey } from '../store/journey.entity.js';
import { type Acknowledgement, KeyFactsRepository } from '../../key-facts/index.js';
import type { Offer } from '../store/offer.entity.js';
import { OffersRepository } from '../store/offers.repository.js';

interface SelectedPayload {
  readonly offer: Offer;
  readonly payload: QuestionPayload;
  /** Whether the statement is acknowledged: no provider's session is opened before. */
  readonly isAcknowledged: boolean;
}

/** The payload cites the offer's statement. */
@Injectable()
export class SelectedPayloads {
  constructor(
    private readonly offers: OffersRepository,
    private readonly keyFacts: KeyFactsRepository,
    private readonly applicants: ApplicantFiles,
  ) {}

  /** @param stepAttempt from 1 */
  async draw(tx: Tx, journey: Journey, stepAttempt?: number): Promise<SelectedPayload> {
    const offer = await this.offers.selected(tx, journey);
    const standing = await this.keyFacts.standing(tx, journey.partnerId, offer.id);
    const acknowledgement = standing?.acknowledgement;
    const payload = this.applicants.payload(journey, {
      offerReference: offer.lenderReference,
      ...(stepAttempt !== undefined && { stepAttempt }),
      ...(standing && { keyFactsHash: standing.contentHash }),
      ...(acknowledgement && {
        acknowledgement: toldOf(standing.contentHash, acknowledgement),
      }),
    });
    return { offer, payload, isAcknowledged: Boolean(acknowledgement) };
  }
}

function toldOf(keyFactsHash: string, { at, language }: Acknowledgement): ToldAcknowledgement {
  return { keyFactsHash, acknowledgedAt: at.toISOString(), language };
}
