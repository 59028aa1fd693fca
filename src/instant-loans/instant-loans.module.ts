import { Module } from '@nestjs/common';
import { LeadsModule } from '../leads/index.js';
import { InstantApplicants } from './applicant-file.js';
import { CreateInstantLoanService } from './create/create-instant-loan.service.js';
import { LenderChoice } from './create/lender-choice.js';
import { NewApplications } from './create/new-applications.js';
import { SmsAnswer } from './create/sms-answer.js';
import { DecisionAnswers } from './decision/decision-answers.js';
import { DecisionRequest } from './decision/decision-request.js';
import { InstantKeyFacts } from './instant-key-facts.js';
import { InstantLoanAudit } from './store/instant-loan-audit.js';
import { InstantLoanLinks } from './instant-loan-links.js';
import { InstantLoanMover } from './instant-loan-mover.js';
import { InstantLoansController } from './instant-loans.controller.js';
import { InstantLoansRepository } from './store/instant-loans.repository.js';
import { InstantLoanPages } from './pages/instant-loan-pages.js';
import { PaymentNews } from './payment/payment-news.js';
import { DecisionAnswersConsumer } from './tasks/decision-answers.consumer.js';
import { InstantLoanDeadlinesTasks } from './tasks/instant-loan-deadlines.tasks.js';
import { PaymentNewsConsumer } from './tasks/payment-news.consumer.js';

const RECORDS = [
  InstantLoansRepository,
  InstantLoanAudit,
  InstantLoanMover,
  InstantLoanLinks,
  InstantApplicants,
  InstantKeyFacts,
];

const PROGRESS = [PaymentNews, DecisionRequest, DecisionAnswers];

const USE_CASES = [
  CreateInstantLoanService,
  NewApplications,
  LenderChoice,
  SmsAnswer,
  InstantLoanPages,
];

const BACKGROUND = [PaymentNewsConsumer, DecisionAnswersConsumer, InstantLoanDeadlinesTasks];

/** Instant loans: from the application by way of the payment to the lender's decision. */
@Module({
  imports: [LeadsModule],
  controllers: [InstantLoansController],
  providers: [...RECORDS, ...PROGRESS, ...USE_CASES, ...BACKGROUND],
  exports: [InstantLoanPages, InstantKeyFacts],
})
export class InstantLoansModule {}
