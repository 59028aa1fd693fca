import {
  IgnoredParameters,
  ShownChoice,
  ShownCount,
  ShownId,
  ShownList,
  ShownRupees,
  ShownText,
  ShownTime,
} from '../../platform/index.js';
import {
  LOAN_AMOUNT_SOURCE_TEXT,
  LOAN_AMOUNT_SOURCES,
  type LoanAmountSource,
} from '../loan-amount-source.js';

export class LeadView {
  @ShownId('app', 'The application.')
  applicationId: string;

  @ShownText('The product’s code.', 'ONLINE_PERSONAL')
  loanType: string;

  @ShownRupees('The amount asked for, in rupees.', 200_000)
  loanAmount: number;

  @ShownChoice(LOAN_AMOUNT_SOURCE_TEXT, LOAN_AMOUNT_SOURCES)
  loanAmountSource: LoanAmountSource;

  @ShownText('Of a journey’s lead, the journey’s state.', 'OFFERS_RECEIVED')
  status: string;

  @ShownTime('When the application was made.')
  submittedAt: string;

  @ShownId('jrn', 'Its journey.', { optional: true })
  journeyId?: string;
}

export class LeadsPage {
  @ShownList(() => LeadView, 'Newest first.')
  leads: LeadView[];

  @ShownCount('How many leads the filters match.', 42)
  total: number;

  @ShownCount('This page, from 1.', 1)
  page: number;

  @ShownCount('The most leads on a page.', 20)
  limit: number;

  @IgnoredParameters()
  ignoredParameters?: string[];
}

export class LeadStatus {
  @ShownId('app', 'The application.')
  applicationId: string;

  @ShownText('Of a journey’s lead, the journey’s state.', 'KYC_PENDING')
  status: string;
}
