import { OfferPresentation } from './offer-presentation.entity.js';

export const MATCHING_ENTITIES = [OfferPresentation];
