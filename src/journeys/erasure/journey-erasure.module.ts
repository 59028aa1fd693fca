import { Module } from '@nestjs/common';
import { ConsentsModule } from '../../consents/index.js';
import { ErasureModule } from '../../erasure/index.js';
import { LeadWriter } from '../../leads/index.js';
import { LenderRecordsModule } from '../../lenders/index.js';
import { SmsRecordsModule } from '../../messaging/index.js';
import { UnsettledPayments } from '../../payments/index.js';
import { EventsModule } from '../../webhooks/index.js';
import { ApplicantFiles } from '../progress/applicant-file.js';
import { Consents } from '../access/consents.js';
import { JourneyAudit } from '../store/journey-audit.js';
import { JourneyMetrics, JourneyMover } from '../progress/journey-mover.js';
import { ConsentsRepository } from '../store/consents.repository.js';
import { HostedLinksRepository } from '../store/hosted-links.repository.js';
import { HostedSessionsRepository } from '../store/hosted-sessions.repository.js';
import { IntentsRepository } from '../store/intents.repository.js';
import { OneTimeCodesRepository } from '../store/one-time-codes.repository.js';
import { JourneysRepository } from '../store/journeys.repository.js';
import { OfferRoundsRepository } from '../store/offer-rounds.repository.js';
import { MilestonesRepository } from '../store/milestones.repository.js';
import { RedirectsRepository } from '../store/redirects.repository.js';
import { JourneyFeesRepository } from '../store/journey-fees.repository.js';
import { KeyFactsModule } from '../../key-facts/index.js';
import { OfferRequests } from '../offers/offer-requests.js';
import { OffersRepository } from '../store/offers.repository.js';
import { CoveredSteps } from '../redirects/covered-steps.js';
import { RedirectSteps } from '../redirects/redirect-steps.js';
import { FeeStep } from '../progress/fee-step.js';
import { DecisionRequest } from '../progress/decision-request.js';
import { Milestones } from '../progress/milestones.js';
import { LenderWithdrawals } from '../progress/lender-withdrawals.js';
import { SelectedPayloads } from '../progress/selected-payload.js';
import { StateEntry } from '../progress/state-entry.js';
import { SignInTraces } from './sign-in-traces.js';
import { JourneyPersonalData } from './journey-personal-data.js';

/** For the command line: only what ends a journey and erases its applicant. */
@Module({
  imports: [
    ConsentsModule,
    ErasureModule,
    KeyFactsModule,
    LenderRecordsModule,
    SmsRecordsModule,
    EventsModule,
  ],
  providers: [
    JourneyPersonalData,
    SignInTraces,
    JourneysRepository,
    IntentsRepository,
    ConsentsRepository,
    OneTimeCodesRepository,
    HostedSessionsRepository,
    HostedLinksRepository,
    OfferRoundsRepository,
    RedirectsRepository,
    JourneyFeesRepository,
    MilestonesRepository,
    JourneyMover,
    Milestones,
    JourneyMetrics,
    JourneyAudit,
    StateEntry,
    FeeStep,
    UnsettledPayments,
    DecisionRequest,
    CoveredSteps,
    SelectedPayloads,
    LenderWithdrawals,
    ApplicantFiles,
    Consents,
    OfferRequests,
    OffersRepository,
    RedirectSteps,
    LeadWriter,
  ],
})
export class JourneyErasureModule {}
