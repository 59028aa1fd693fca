import { Module } from '@nestjs/common';
import { OfferPresentations } from './offer-presentations.js';
import { OfferPresentationsRepository } from './store/offer-presentations.repository.js';

/** How offers are put in order, and the log of what was shown and chosen. */
@Module({
  providers: [OfferPresentations, OfferPresentationsRepository],
  exports: [OfferPresentations],
})
export class MatchingModule {}
