import { Injectable } from '@nestjs/common';
import type { OfferTerms } from '../../lenders/index.js';
import { Database } from '../../platform/index.js';
import type { Journey } from '../store/journey.entity.js';
import { OffersRepository } from '../store/offers.repository.js';

/** A lender that may have valued the applicant's gold at a branch: nobody tells us of a visit there. */
export interface PossibleValuation {
  readonly lenderName: string;
  readonly terms: OfferTerms;
}

/** Which valuations of gold a journey may leave to be paid for. */
@Injectable()
export class PossibleValuations {
  constructor(
    private readonly database: Database,
    private readonly offers: OffersRepository,
  ) {}

  /** Those of offers that were let go, too: whoever has chosen a branch may have been there. */
  async of(journey: Journey): Promise<PossibleValuation[]> {
    const offers = await this.database.transaction((tx) => this.offers.withBranch(tx, journey));
    return offers.map(({ sellerName: lenderName, terms }) => ({ lenderName, terms }));
  }
}
