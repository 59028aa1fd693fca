export { JourneyErasureModule } from './erasure/journey-erasure.module.js';
export {
  DETAIL_NAMES,
  type DetailChanges,
  type DetailName,
  type EmploymentType,
  type Gender,
  type HostedApplicant,
} from './domain/applicant-details.js';
export type { AmountQuestion } from './access/asked-amounts.js';
export { CodeSignIn, type CodeState } from './access/code-sign-in.js';
export type { ConsentText } from '../consents/index.js';
export { AgreedLanguages, consentDigest } from './access/consents.js';
export {
  JourneyHistories,
  type JourneyHistory,
  type ReceivedOffer,
} from './history/journey-histories.js';
export type { HostedVisit, MadeMove, SentRedirect } from './store/journey-history.repository.js';
export {
  ENTRY_LIMITS,
  type HostedKey,
  type HostedSessionValue,
  type OpenHostedSession,
} from './store/hosted-sessions.repository.js';
export { FreshLinks, type LinkSubject } from './access/hosted-links.js';
export { HostedEntrance, HostedSessions, type LinkState } from './access/hosted-sessions.js';
export { HostedChoices, HostedVisits } from './applicant/hosted-choices.js';
export { HostedConfirmation } from './applicant/hosted-confirmation.service.js';
export { HostedConsents } from './applicant/hosted-consents.js';
export { HostedQuotes } from './applicant/hosted-quotes.js';
export { HostedReader } from './applicant/hosted-reader.js';
export { JourneyAllowance } from './access/hosted-limits.js';
export type { HostedJourneyView, HostedQuote, OfferChoice } from './applicant/hosted-view.js';
export type {
  ComparedOffer,
  HostedLender,
  HostedOffer,
  HostedSelection,
} from './offers/hosted-offers.js';
export type { OfferChange } from './offers/offer-change-policy.js';
export {
  beginUntil,
  choosableUntil,
  isInstant,
  lastEnd,
  payableUntil,
  type Selection,
} from './domain/journey.js';
export {
  AFTER_INSTANT,
  INSTANT_LEAD_STATUSES,
  type InstantLeadStatus,
} from './domain/lead-status.js';
export {
  JOURNEY_AUDIT_SOURCE,
  JOURNEY_FEE_RECORD,
  JOURNEY_RECORD,
  journeyLead,
} from './store/journey.record.js';
export { ApplicantFiles } from './progress/applicant-file.js';
export { LeadStatuses } from './progress/lead-statuses.js';
export { JourneyMover } from './progress/journey-mover.js';
export { JourneyAudit } from './store/journey-audit.js';
export type { Journey } from './store/journey.entity.js';
export type { JourneyFee } from './store/journey-fee.entity.js';
export {
  type DueFee,
  EXPIRED_FEES,
  JourneyFeesRepository,
  payUntil,
} from './store/journey-fees.repository.js';
export { JourneysRepository } from './store/journeys.repository.js';
export type { Offer } from './store/offer.entity.js';
export { OffersRepository } from './store/offers.repository.js';
export { Acknowledgements } from './offers/acknowledgements.js';
export { lends } from './offers/offer-requests.js';
export { RecordedChoices } from './use-cases/recorded-choices.js';
export { ReleasedChoices } from './use-cases/released-choices.js';
export { type JourneyDraft, NewJourneys } from './use-cases/new-journeys.js';
export { INSTANT_OPERATION } from './use-cases/journey-starts.js';
export { JOURNEY_ENTITIES } from './store/journey-entities.js';
export { JourneysModule } from './journeys.module.js';
export {
  type JourneyReport,
  JourneyReports,
  JourneyReportsModule,
} from './operator/journey-reports.js';
export { JOURNEY_PRODUCTS } from './api/initiate-body.dto.js';
export { JourneyKeyFacts } from './offers/journey-key-facts.js';
export { type LinkRefusal, LinkRefusalService } from './applicant/link-refusal.service.js';
export type {
  PossibleFee,
  PossibleMandate,
  PossibleValuation,
} from './redirects/stop-consequences.js';
export {
  OpenRedirectService,
  type RedirectVisit,
  type UnacknowledgedTerms,
  type VisitedFee,
} from './redirects/open-redirect.service.js';
export {
  JOURNEY_STATES,
  type JourneyState,
  OUTCOME_REASONS,
  type OutcomeReason,
  OUTCOMES,
} from './domain/journey-state.js';
export { NEXT_ACTION_CATEGORIES, NEXT_ACTION_TYPES, stateLines } from './domain/next-action.js';
export { comparedInOrder, ShownComparisons } from './offers/shown-comparisons.js';
export { InitiateJourneyService } from './api/initiate-journey.service.js';
export { OfferGone } from './use-cases/select-offer.handler.js';
