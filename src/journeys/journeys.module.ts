import { Module } from '@nestjs/common';
import { LeadsModule } from '../leads/index.js';
import { WebhooksModule } from '../webhooks/index.js';
import { ConsentsRepository } from './store/consents.repository.js';
import { HostedLinksRepository } from './store/hosted-links.repository.js';
import { HostedSessionsRepository } from './store/hosted-sessions.repository.js';
import { IntentsRepository } from './store/intents.repository.js';
import { OneTimeCodesRepository } from './store/one-time-codes.repository.js';
import { HostedLimitsRepository } from './store/hosted-limits.repository.js';
import { LinkRequestsRepository } from './store/link-requests.repository.js';
import { SelectBranchHandler } from './actions/select-branch.handler.js';
import { SelectOfferHandler } from './actions/select-offer.handler.js';
import { ACTION_HANDLERS, SubmitActionService } from './actions/submit-action.service.js';
import { SubmitBankAccountHandler } from './actions/submit-bank-account.handler.js';
import { AnswerFlags } from './answer-flags.js';
import { ApplicantFiles } from './applicant-file.js';
import { CodeSignIn } from './access/code-sign-in.js';
import { Consents } from './access/consents.js';
import { DraftAllowance } from './access/draft-allowance.js';
import { FreshLinks } from './access/fresh-links.js';
import { FreshLinksWorker } from './access/fresh-links.worker.js';
import { HostedConfirmation } from './hosted/hosted-confirmation.service.js';
import { HostedEntrance } from './access/hosted-entrance.js';
import { HostedJourneys } from './hosted/hosted-journeys.js';
import { HostedLimits } from './access/hosted-limits.js';
import { LenderAllowance } from './access/lender-allowance.js';
import { HostedReader } from './hosted/hosted-reader.js';
import { HostedSessions } from './access/hosted-sessions.js';
import { HostedUpkeepTasks } from './access/hosted-upkeep.tasks.js';
import { OneTimeCodes } from './access/one-time-codes.js';
import { HostedLinks } from './access/hosted-links.js';
import { JourneyStarts } from './initiate/journey-starts.js';
import { InitiateJourneyService } from './initiate/initiate-journey.service.js';
import { JourneyAudit } from './store/journey-audit.js';
import { JourneyGuard } from './journey.guard.js';
import { JourneyMover } from './journey-mover.js';
import { JourneysController } from './journeys.controller.js';
import { JourneysRepository } from './store/journeys.repository.js';
import { KeyFactsBook } from './key-facts/key-facts-book.js';
import { KeyFactsRepository } from './store/key-facts.repository.js';
import { LenderAnswers } from './lender-answers.js';
import { OfferAnswers } from './offers/offer-answers.js';
import { OfferIntake } from './offers/offer-intake.js';
import { OfferQuotes } from './offers/offer-quotes.js';
import { OfferRequests } from './offers/offer-requests.js';
import { OfferRound } from './offers/offer-round.js';
import { OfferRoundsRepository } from './store/offer-rounds.repository.js';
import { RedirectsRepository } from './store/redirects.repository.js';
import { OffersRepository } from './store/offers.repository.js';
import { ReadJourneyService } from './read-journey.service.js';
import { OpenRedirectService } from './returns/open-redirect.service.js';
import { ProviderWait } from './returns/provider-wait.js';
import { RedirectReturnedService } from './returns/redirect-returned.service.js';
import { RedirectSteps } from './returns/redirect-steps.js';
import { ReturnUrls } from './returns/return-urls.js';
import { StepVerdict } from './returns/step-verdict.js';
import { SelectedPayloads } from './selected-payload.js';
import { StateEntry } from './state-entry.js';
import { AbandonmentTasks } from './tasks/abandonment.tasks.js';
import { LenderAnswersConsumer } from './tasks/lender-answers.consumer.js';
import { OfferDeadlinesTasks } from './tasks/offer-deadlines.tasks.js';
import { OrphanedActionsTasks } from './tasks/orphaned-actions.tasks.js';

const STORE = [
  JourneysRepository,
  OfferRoundsRepository,
  OffersRepository,
  RedirectsRepository,
  IntentsRepository,
  KeyFactsRepository,
  JourneyAudit,
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
  StateEntry,
  SelectedPayloads,
  OfferRequests,
  OfferIntake,
  OfferRound,
  OfferQuotes,
  StepVerdict,
  OfferAnswers,
  AnswerFlags,
  LenderAnswers,
  KeyFactsBook,
  ReturnUrls,
  ProviderWait,
];

const HOSTED = [
  HostedSessions,
  OneTimeCodes,
  HostedLimits,
  DraftAllowance,
  LenderAllowance,
  Consents,
  CodeSignIn,
  FreshLinks,
  HostedEntrance,
  HostedReader,
  HostedConfirmation,
  HostedJourneys,
];

const USE_CASES = [
  InitiateJourneyService,
  JourneyStarts,
  ReadJourneyService,
  SubmitActionService,
  RedirectReturnedService,
  OpenRedirectService,
  JourneyGuard,
];

const HANDLERS = [SelectOfferHandler, SelectBranchHandler, SubmitBankAccountHandler];

const BACKGROUND = [
  LenderAnswersConsumer,
  OfferDeadlinesTasks,
  OrphanedActionsTasks,
  AbandonmentTasks,
  HostedUpkeepTasks,
  FreshLinksWorker,
];

@Module({
  imports: [LeadsModule, WebhooksModule],
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
    KeyFactsBook,
    OpenRedirectService,
    HostedJourneys,
    HostedSessions,
    HostedEntrance,
    CodeSignIn,
    FreshLinks,
    DraftAllowance,
  ],
})
export class JourneysModule {}
