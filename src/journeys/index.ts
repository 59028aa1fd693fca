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
export { consentDigest } from './access/consents.js';
export {
  JourneyHistories,
  type JourneyHistory,
  type ReceivedOffer,
} from './history/journey-histories.js';
export type { HostedVisit, MadeMove, SentRedirect } from './store/journey-history.repository.js';
export { ENTRY_LIMITS } from './domain/entry-limits.js';
export { FreshLinks, type LinkSubject } from './access/fresh-links.js';
export { HostedEntrance, type LinkState } from './access/hosted-entrance.js';
export { HostedJourneys } from './applicant/hosted-journeys.js';
export { DraftAllowance } from './access/page-allowances.js';
export { HostedSessions } from './access/hosted-sessions.js';
export type { HostedJourneyView, HostedQuote, OfferChoice } from './applicant/hosted-view.js';
export type {
  ComparedOffer,
  HostedLender,
  HostedOffer,
  HostedSelection,
} from './offers/hosted-offers.js';
export type { WayBack } from './offers/ways-back.js';
export { isInstant, type Selection } from './domain/journey.js';
export {
  AFTER_INSTANT,
  INSTANT_LEAD_STATUSES,
  type InstantLeadStatus,
} from './domain/lead-status.js';
export { beginUntil, choosableUntil, lastEnd, payableUntil } from './domain/pay-times.js';
export type {
  HostedKey,
  HostedSessionValue,
  OpenHostedSession,
} from './store/hosted-sessions.repository.js';
export { JOURNEY_FEE_RECORD, JOURNEY_RECORD, journeyLead } from './store/journey.record.js';
export { JOURNEY_AUDIT_SOURCE } from './store/journey-audit.source.js';
export { AgreedLanguages } from './access/agreed-languages.js';
export { ApplicantFiles } from './progress/applicant-file.js';
export { JourneyMover } from './progress/journey-mover.js';
export { JourneyAudit } from './store/journey-audit.js';
export type { Journey } from './store/journey.entity.js';
export type { JourneyFee } from './store/journey-fee.entity.js';
export {
  type DueFee,
  FEE_TIMES,
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
export { type JourneyReport, JourneyReports } from './operator/journey-reports.js';
export { JourneyReportsModule } from './operator/journey-reports.module.js';
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
  type VisitedFee,
} from './redirects/open-redirect.service.js';
export type { UnacknowledgedTerms } from './redirects/redirect-terms.js';
export {
  JOURNEY_STATES,
  type JourneyState,
  OUTCOME_REASONS,
  type OutcomeReason,
  OUTCOMES,
} from './domain/journey-state.js';
export { NEXT_ACTION_CATEGORIES, NEXT_ACTION_TYPES } from './domain/next-action.js';
export { comparedInOrder, ShownComparisons } from './offers/shown-comparisons.js';
export { InitiateJourneyService } from './api/initiate-journey.service.js';
export { OfferGone } from './use-cases/offer-gone.js';
export { stateLines } from './domain/state-texts.js';
