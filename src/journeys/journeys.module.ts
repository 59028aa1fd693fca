import { Module } from '@nestjs/common';
import { ConsentsModule } from '../consents/index.js';
import { KeyFactsModule } from '../key-facts/index.js';
import { LeadsModule } from '../leads/index.js';
import { UnsettledPayments } from '../payments/index.js';
import { MatchingModule } from '../matching/index.js';
import { WebhooksModule } from '../webhooks/index.js';
import { ConsentsRepository } from './store/consents.repository.js';
import { JourneyHistories } from './history/journey-histories.js';
import { JourneyHistoryRepository } from './store/journey-history.repository.js';
import { HostedLinksRepository, LinkRequestsRepository } from './store/hosted-links.repository.js';
import { HostedSessionsRepository } from './store/hosted-sessions.repository.js';
import { IntentsRepository } from './store/intents.repository.js';
import { OneTimeCodesRepository } from './store/one-time-codes.repository.js';
import { SelectBranchHandler } from './use-cases/select-branch.handler.js';
import { RecordedChoices } from './use-cases/recorded-choices.js';
import { ReleasedChoices } from './use-cases/released-choices.js';
import { LenderChoices } from './use-cases/lender-choices.js';
import { SelectOfferHandler } from './use-cases/select-offer.handler.js';
import { ACTION_HANDLERS, SubmitActionService } from './use-cases/submit-action.service.js';
import { SubmitBankAccountHandler } from './use-cases/submit-bank-account.handler.js';
import { Acknowledgements } from './offers/acknowledgements.js';
import { AnswerFlags } from './progress/answer-flags.js';
import { ApplicantFiles } from './progress/applicant-file.js';
import { AskedAmounts } from './access/asked-amounts.js';
import { AgreedLanguages, Consents } from './access/consents.js';
import { CodeSignIn, OneTimeCodes } from './access/code-sign-in.js';
import { HostedLimits, JourneyAllowance } from './access/hosted-limits.js';
import { FreshLinks, HostedLinks } from './access/hosted-links.js';
import {
  AbandonmentTasks,
  FreshLinksWorker,
  HostedUpkeepTasks,
  OfferDeadlinesTasks,
  OrphanedActionsTasks,
} from './background/journey.tasks.js';
import { HostedConfirmation } from './applicant/hosted-confirmation.service.js';
import { HostedEntrance, HostedSessions } from './access/hosted-sessions.js';
import { HostedChoices, HostedVisits } from './applicant/hosted-choices.js';
import { Leaving } from './applicant/leaving.js';
import {
  HostedApplicantReader,
  HostedExitReader,
  HostedReader,
} from './applicant/hosted-reader.js';
import { HostedConsents } from './applicant/hosted-consents.js';
import { HostedOfferReader } from './applicant/hosted-offer-reader.js';
import { HostedQuotes, PageQuotes } from './applicant/hosted-quotes.js';
import { JourneyStarts } from './use-cases/journey-starts.js';
import { NewJourneys } from './use-cases/new-journeys.js';
import { InitiateJourneyService } from './api/initiate-journey.service.js';
import { JourneyAudit } from './store/journey-audit.js';
import { JourneyGuard } from './api/journey.guard.js';
import { JourneyMetrics, JourneyMover } from './progress/journey-mover.js';
import { JourneysController } from './api/journeys.controller.js';
import { JourneysRepository } from './store/journeys.repository.js';
import { JourneyKeyFacts } from './offers/journey-key-facts.js';
import { EndedRounds } from './offers/ended-rounds.js';
import { LenderAnswers, LoanDecisions } from './progress/lender-answers.js';
import { OfferAnswers, OfferRevisions, ReplaceableOffers } from './offers/offer-answers.js';
import { OfferIntake } from './offers/offer-intake.js';
import { DrawnChoices } from './offers/drawn-choices.js';
import { OfferQuotes } from './offers/offer-quotes.js';
import { OfferRequests } from './offers/offer-requests.js';
import { OfferRound } from './offers/offer-round.js';
import { OfferChangePolicy } from './offers/offer-change-policy.js';
import { ShownComparisons } from './offers/shown-comparisons.js';
import { OfferRoundsRepository } from './store/offer-rounds.repository.js';
import { MilestonesRepository } from './store/milestones.repository.js';
import { RedirectsRepository } from './store/redirects.repository.js';
import { JourneyFeesRepository } from './store/journey-fees.repository.js';
import { OffersRepository } from './store/offers.repository.js';
import { LeadDetailsService } from './api/lead-details.service.js';
import { ReadJourneyService, WrongSteps } from './api/read-journey.service.js';
import { CoveredSteps, DecisionRequest, FeeStep, StateEntry } from './progress/state-entry.js';
import { LinkRefusalService } from './applicant/link-refusal.service.js';
import {
  OpenRedirectService,
  ProviderVisits,
  RedirectTerms,
} from './redirects/open-redirect.service.js';
import { ProviderSessions } from './redirects/provider-sessions.js';
import { ProviderWait } from './redirects/provider-wait.js';
import { RedirectReturnedService } from './redirects/redirect-returned.service.js';
import { NotedReturns } from './redirects/noted-returns.js';
import { RedirectSteps } from './redirects/redirect-steps.js';
import { ReturnUrls } from './redirects/return-urls.js';
import { StopConsequences } from './redirects/stop-consequences.js';
import { StepVerdict } from './redirects/step-verdict.js';
import { LoanPayouts } from './progress/loan-payouts.js';
import { LeadStatuses } from './progress/lead-statuses.js';
import { Milestones } from './progress/milestones.js';
import { LenderWithdrawals } from './progress/lender-withdrawals.js';
import { SelectedPayloads } from './progress/selected-payload.js';
import { LenderAnswersConsumer } from './background/lender-answers.consumer.js';
import {
  MilestoneTexts,
  MilestoneTextsTasks,
  MilestoneWordings,
} from './background/milestone-texts.js';

const STORE = [
  JourneysRepository,
  OfferRoundsRepository,
  OffersRepository,
  RedirectsRepository,
  JourneyFeesRepository,
  MilestonesRepository,
  IntentsRepository,
  JourneyAudit,
  JourneyHistoryRepository,
  HostedLinksRepository,
  HostedSessionsRepository,
  OneTimeCodesRepository,
  ConsentsRepository,
  LinkRequestsRepository,
];

const RECORDS = [RedirectSteps, HostedLinks, ApplicantFiles];

const PROGRESS = [
  JourneyMover,
  LeadStatuses,
  Milestones,
  JourneyMetrics,
  StateEntry,
  FeeStep,
  UnsettledPayments,
  DecisionRequest,
  LoanDecisions,
  LoanPayouts,
  CoveredSteps,
  SelectedPayloads,
  LenderWithdrawals,
  OfferRequests,
  OfferIntake,
  OfferRevisions,
  ReplaceableOffers,
  OfferRound,
  EndedRounds,
  ShownComparisons,
  OfferQuotes,
  DrawnChoices,
  StepVerdict,
  OfferAnswers,
  AnswerFlags,
  LenderAnswers,
  JourneyKeyFacts,
  Acknowledgements,
  ReturnUrls,
  StopConsequences,
  ProviderWait,
  OfferChangePolicy,
];

const HOSTED = [
  HostedSessions,
  OneTimeCodes,
  HostedLimits,
  JourneyAllowance,
  Consents,
  AgreedLanguages,
  CodeSignIn,
  FreshLinks,
  AskedAmounts,
  HostedEntrance,
  HostedReader,
  HostedApplicantReader,
  HostedOfferReader,
  HostedExitReader,
  HostedConsents,
  HostedQuotes,
  PageQuotes,
  HostedChoices,
  HostedVisits,
  Leaving,
  HostedConfirmation,
];

const USE_CASES = [
  LenderChoices,
  RecordedChoices,
  ReleasedChoices,
  InitiateJourneyService,
  JourneyStarts,
  NewJourneys,
  ReadJourneyService,
  WrongSteps,
  LeadDetailsService,
  SubmitActionService,
  RedirectReturnedService,
  NotedReturns,
  OpenRedirectService,
  RedirectTerms,
  ProviderSessions,
  ProviderVisits,
  LinkRefusalService,
  JourneyHistories,
  JourneyGuard,
];

const HANDLERS = [SelectOfferHandler, SelectBranchHandler, SubmitBankAccountHandler];

const BACKGROUND = [
  LenderAnswersConsumer,
  OfferDeadlinesTasks,
  OrphanedActionsTasks,
  AbandonmentTasks,
  HostedUpkeepTasks,
  MilestoneTexts,
  MilestoneWordings,
  MilestoneTextsTasks,
  FreshLinksWorker,
];

@Module({
  imports: [ConsentsModule, KeyFactsModule, LeadsModule, MatchingModule, WebhooksModule],
  controllers: [JourneysController],
  providers: [
    ...STORE,
    ...RECORDS,
    ...PROGRESS,
    ...HOSTED,
    ...USE_CASES,
    ...HANDLERS,
    ...BACKGROUND,
    {
      provide: ACTION_HANDLERS,
      useFactory: (...handlers: object[]) => handlers,
      inject: HANDLERS,
    },
  ],
  exports: [
    AgreedLanguages,
    ApplicantFiles,
    JourneyAudit,
    JourneyFeesRepository,
    JourneyMover,
    LeadStatuses,
    JourneysRepository,
    OffersRepository,
    NewJourneys,
    RecordedChoices,
    ReleasedChoices,
    Acknowledgements,
    InitiateJourneyService,
    JourneyHistories,
    JourneyKeyFacts,
    LinkRefusalService,
    OpenRedirectService,
    ShownComparisons,
    HostedReader,
    HostedConsents,
    HostedConfirmation,
    HostedQuotes,
    HostedChoices,
    HostedVisits,
    HostedSessions,
    HostedEntrance,
    CodeSignIn,
    FreshLinks,
    JourneyAllowance,
  ],
})
export class JourneysModule {}
