import { Module } from '@nestjs/common';
import { ConsentsModule } from '../consents/index.js';
import { JourneysModule } from '../journeys/index.js';
import { KeyFactsModule } from '../key-facts/index.js';
import { LeadsModule } from '../leads/index.js';
import { MatchingModule } from '../matching/index.js';
import { InstantLoanLinks } from './access/instant-loan-links.js';
import { InstantLoansController } from './api/instant-loans.controller.js';
import { AskedLenders } from './applicant/asked-lenders.js';
import { ChosenOffers } from './applicant/chosen-offers.js';
import { ComparedOffers } from './applicant/compared-offers.js';
import { InstantLoanPages } from './applicant/instant-loan-pages.js';
import { OfferedViews } from './applicant/offered-views.js';
import { ShownTerms } from './applicant/shown-terms.js';
import { DecisionAnswers } from './background/decision-answers.js';
import { DoneRefunds } from './background/done-refunds.js';
import { InstantLoanDeadlinesTasks } from './background/instant-loan-deadlines.tasks.js';
import { InstantOfferAnswers } from './background/instant-offer-answers.js';
import { InstantOfferDeadlinesTasks } from './background/instant-offer-deadlines.tasks.js';
import { LenderAnswersConsumer } from './background/lender-answers.consumer.js';
import { PaymentNotices } from './background/payment-notices.js';
import { PaymentsConsumer } from './background/payments.consumer.js';
import { SettlementTasks } from './background/settlement.tasks.js';
import { DecisionRequest } from './progress/decision-request.js';
import { InstantApplicants } from './progress/instant-applicants.js';
import { InstantLoanMetrics, InstantLoanMover } from './progress/instant-loan-mover.js';
import { OfferWithdrawals } from './progress/offer-withdrawals.js';
import { FeeDeadlinesTasks } from './fee/fee-deadlines.tasks.js';
import { FeeNotices } from './fee/fee-notices.js';
import { FeePayments } from './fee/fee-payments.js';
import { FeeRefunds } from './fee/fee-refunds.js';
import { FeeSettlement } from './fee/fee-settlement.js';
import { InstantOfferIntake } from './offers/instant-offer-intake.js';
import { InstantOfferRound } from './offers/instant-offer-round.js';
import { NextOffer } from './offers/next-offer.js';
import { OfferChoice } from './offers/offer-choice.js';
import { OpenedOffers } from './offers/opened-offers.js';
import { StandingOffers } from './offers/standing-offers.js';
import { InstantLoanAudit } from './store/instant-loan-audit.js';
import { InstantLoanHistories } from './store/instant-loan-histories.js';
import { InstantLoansRepository } from './store/instant-loans.repository.js';
import { InstantOffersRepository } from './store/instant-offers.repository.js';
import { CreateInstantLoanService } from './api/create-instant-loan.service.js';
import { FeeOrders } from './use-cases/fee-orders.js';
import { InstantKeyFacts } from './use-cases/instant-key-facts.js';
import { InstantLenders } from './use-cases/instant-lenders.js';
import { NewApplications } from './use-cases/new-applications.js';
import { SmsAnswer } from './use-cases/sms-answer.js';

const RECORDS = [
  InstantLoansRepository,
  InstantOffersRepository,
  InstantLoanAudit,
  InstantLoanHistories,
  InstantLoanMover,
  OfferWithdrawals,
  InstantLoanMetrics,
  InstantLoanLinks,
  InstantApplicants,
  InstantKeyFacts,
];

const OFFERS = [
  InstantLenders,
  InstantOfferIntake,
  OfferChoice,
  OpenedOffers,
  StandingOffers,
  NextOffer,
  InstantOfferRound,
  InstantOfferAnswers,
];

const PROGRESS = [PaymentNotices, DecisionRequest, DecisionAnswers, DoneRefunds];

const FEE = [FeePayments, FeeNotices, FeeDeadlinesTasks, FeeSettlement, FeeRefunds];

const USE_CASES = [
  CreateInstantLoanService,
  NewApplications,
  FeeOrders,
  SmsAnswer,
  InstantLoanPages,
  ChosenOffers,
  OfferedViews,
  AskedLenders,
  ComparedOffers,
  ShownTerms,
];

const BACKGROUND = [
  LenderAnswersConsumer,
  InstantOfferDeadlinesTasks,
  PaymentsConsumer,
  InstantLoanDeadlinesTasks,
  SettlementTasks,
];

@Module({
  imports: [ConsentsModule, JourneysModule, KeyFactsModule, LeadsModule, MatchingModule],
  controllers: [InstantLoansController],
  providers: [...RECORDS, ...OFFERS, ...PROGRESS, ...FEE, ...USE_CASES, ...BACKGROUND],
  exports: [
    ChosenOffers,
    CreateInstantLoanService,
    FeePayments,
    InstantLoanHistories,
    InstantLoanLinks,
    InstantLoanPages,
    InstantKeyFacts,
  ],
})
export class InstantLoansModule {}
