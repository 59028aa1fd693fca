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
import { HostedLinksRepository } from './store/hosted-links.repository.js';
import { HostedSessionsRepository } from './store/hosted-sessions.repository.js';
import { IntentsRepository } from './store/intents.repository.js';
import { OneTimeCodesRepository } from './store/one-time-codes.repository.js';
import { HostedLimitsRepository } from './store/hosted-limits.repository.js';
import { LinkRequestsRepository } from './store/link-requests.repository.js';
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
import { AgreedLanguages } from './access/agreed-languages.js';
import { CodeSignIn } from './access/code-sign-in.js';
import { Consents } from './access/consents.js';
import { DraftAllowance, LenderAllowance } from './access/page-allowances.js';
import { FreshLinks } from './access/fresh-links.js';
import { FreshLinksWorker } from './background/fresh-links.worker.js';
import { HostedConfirmation } from './applicant/hosted-confirmation.service.js';
import { HostedEntrance } from './access/hosted-entrance.js';
import { HostedJourneys } from './applicant/hosted-journeys.js';
import { HostedLimits } from './access/hosted-limits.js';
import { Leaving } from './applicant/leaving.js';
import { HostedFees } from './applicant/hosted-fees.js';
import { HostedApplicantReader } from './applicant/hosted-applicant-reader.js';
import { HostedChoices } from './applicant/hosted-choices.js';
import { HostedConsents } from './applicant/hosted-consents.js';
import { HostedExitReader } from './applicant/hosted-exit-reader.js';
import { HostedOfferReader } from './applicant/hosted-offer-reader.js';
import { HostedQuotes } from './applicant/hosted-quotes.js';
import { HostedVisits } from './applicant/hosted-visits.js';
import { HostedReader } from './applicant/hosted-reader.js';
import { HostedSessions } from './access/hosted-sessions.js';
import { HostedUpkeepTasks } from './background/hosted-upkeep.tasks.js';
import { OneTimeCodes } from './access/one-time-codes.js';
import { HostedLinks } from './access/hosted-links.js';
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
import { LenderAnswers } from './progress/lender-answers.js';
import { OfferAnswers } from './offers/offer-answers.js';
import { OfferIntake } from './offers/offer-intake.js';
import { DrawnChoices } from './offers/drawn-choices.js';
import { OfferQuotes } from './offers/offer-quotes.js';
import { OfferRequests } from './offers/offer-requests.js';
import { OfferRevisions } from './offers/offer-revisions.js';
import { OfferRound } from './offers/offer-round.js';
import { WaysBack } from './offers/ways-back.js';
import { ShownComparisons } from './offers/shown-comparisons.js';
import { OfferRoundsRepository } from './store/offer-rounds.repository.js';
import { MilestonesRepository } from './store/milestones.repository.js';
import { RedirectsRepository } from './store/redirects.repository.js';
import { JourneyFeesRepository } from './store/journey-fees.repository.js';
import { OffersRepository } from './store/offers.repository.js';
import { ReadJourneyService } from './api/read-journey.service.js';
import { CoveredSteps } from './redirects/covered-steps.js';
import { LinkRefusalService } from './applicant/link-refusal.service.js';
import { OpenRedirectService } from './redirects/open-redirect.service.js';
import { ProviderSessions } from './redirects/provider-sessions.js';
import { ProviderVisits } from './redirects/provider-visits.js';
import { RedirectTerms } from './redirects/redirect-terms.js';
import { ProviderWait } from './redirects/provider-wait.js';
import { RedirectReturnedService } from './redirects/redirect-returned.service.js';
import { NotedReturns } from './redirects/noted-returns.js';
import { ReturnReplies } from './redirects/return-replies.js';
import { RedirectSteps } from './redirects/redirect-steps.js';
import { ReturnUrls } from './redirects/return-urls.js';
import { StopConsequences } from './redirects/stop-consequences.js';
import { StepVerdict } from './redirects/step-verdict.js';
import { DecisionRequest } from './progress/decision-request.js';
import { FeeStep } from './progress/fee-step.js';
import { LoanPayouts } from './progress/loan-payouts.js';
import { LoanDecisions } from './progress/loan-decisions.js';
import { Milestones } from './progress/milestones.js';
import { LenderWithdrawals } from './progress/lender-withdrawals.js';
import { SelectedPayloads } from './progress/selected-payload.js';
import { StateEntry } from './progress/state-entry.js';
import { AbandonmentTasks } from './background/abandonment.tasks.js';
import { JourneyDueTimes } from './background/journey-due-times.js';
import { LenderAnswersConsumer } from './background/lender-answers.consumer.js';
import { MilestoneTexts, MilestoneWordings } from './background/milestone-texts.js';
import { MilestoneTextsTasks } from './background/milestone-texts.tasks.js';
import { OfferDeadlinesTasks } from './background/offer-deadlines.tasks.js';
import { OrphanedActionsTasks } from './background/orphaned-actions.tasks.js';

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
  HostedLimitsRepository,
  ConsentsRepository,
  LinkRequestsRepository,
];

const RECORDS = [RedirectSteps, HostedLinks, ApplicantFiles];

const PROGRESS = [
  JourneyMover,
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
  WaysBack,
];

const HOSTED = [
  HostedSessions,
  OneTimeCodes,
  HostedLimits,
  DraftAllowance,
  LenderAllowance,
  Consents,
  AgreedLanguages,
  CodeSignIn,
  FreshLinks,
  AskedAmounts,
  HostedEntrance,
  HostedFees,
  HostedReader,
  HostedApplicantReader,
  HostedOfferReader,
  HostedExitReader,
  HostedConsents,
  HostedQuotes,
  HostedChoices,
  HostedVisits,
  Leaving,
  HostedConfirmation,
  HostedJourneys,
];

const USE_CASES = [
  LenderChoices,
  RecordedChoices,
  ReleasedChoices,
  InitiateJourneyService,
  JourneyStarts,
  NewJourneys,
  ReadJourneyService,
  SubmitActionService,
  RedirectReturnedService,
  NotedReturns,
  ReturnReplies,
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
  JourneyDueTimes,
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
    HostedJourneys,
    HostedSessions,
    HostedEntrance,
    CodeSignIn,
    FreshLinks,
    DraftAllowance,
  ],
})
export class JourneysModule {}
