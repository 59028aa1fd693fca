import { Module } from '@nestjs/common';
import { OfferPresentations } from './offer-presentations.js';
import { OfferPresentationsRepository } from './store/offer-presentations.repository.js';

@Module({
  providers: [OfferPresentations, OfferPresentationsRepository],
  exports: [OfferPresentations],
})
export class MatchingModule {}
