import { Module } from '@nestjs/common';
import { ConsentsModule } from '../consents/index.js';
import { JourneysModule } from '../journeys/index.js';
import { KeyFactsModule } from '../key-facts/index.js';
import { LeadsModule } from '../leads/index.js';
import { InstantLoanLinks } from './access/instant-loan-links.js';
import {
  CreateInstantLoanService,
  InstantLoanRequests,
  SmsAnswer,
} from './api/create-instant-loan.service.js';
import { InstantLoansController } from './api/instant-loans.controller.js';
import { ComparedLoans } from './applicant/compared-loans.js';
import { InstantLoanPages, LoanMoney } from './applicant/instant-loan-pages.js';
import { PayPresses } from './applicant/pay-presses.js';
import { FeeRefunds, PaymentsConsumer } from './background/payments.consumer.js';
import { FeeSettlement, SettlementTasks } from './fee/fee-settlement.js';
import { FeeDeadlinesTasks } from './fee/fee-deadlines.tasks.js';
import { FeeNotices } from './fee/fee-notices.js';
import { FeeTries, UnpaidFees } from './fee/fee-tries.js';
import { FeePayments } from './fee/fee-payments.js';
import { BindingChoices } from './offers/binding-choices.js';
import { InstantLoansRepository } from './store/instant-loans.repository.js';
import { InstantLenders, NewApplications } from './use-cases/new-applications.js';

const FEE = [
  FeePayments,
  FeeNotices,
  FeeTries,
  UnpaidFees,
  FeeDeadlinesTasks,
  FeeSettlement,
  FeeRefunds,
];

const USE_CASES = [
  InstantLoanRequests,
  CreateInstantLoanService,
  NewApplications,
  SmsAnswer,
  InstantLenders,
  BindingChoices,
  InstantLoanPages,
  ComparedLoans,
  LoanMoney,
  PayPresses,
];

@Module({
  imports: [ConsentsModule, JourneysModule, KeyFactsModule, LeadsModule],
  controllers: [InstantLoansController],
  providers: [
    InstantLoansRepository,
    InstantLoanLinks,
    ...FEE,
    ...USE_CASES,
    PaymentsConsumer,
    SettlementTasks,
  ],
  exports: [CreateInstantLoanService, FeePayments, InstantLoanLinks, InstantLoanPages],
})
export class InstantLoansModule {}
