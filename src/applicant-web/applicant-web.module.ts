import { Module, type OnModuleInit } from '@nestjs/common';
import { InstantLoansModule } from '../instant-loans/index.js';
import { JourneysModule } from '../journeys/index.js';
import { KeyFactsModule } from '../key-facts/index.js';
import { OutsideCompanies } from './data/who-has-data.js';
import { WhoHasDataController } from './data/who-has-data.controller.js';
import { AmountController } from './entry/amount.controller.js';
import { BrowserSessions } from './entry/browser-sessions.js';
import { CheckController } from './entry/check.controller.js';
import { CodeController } from './entry/code.controller.js';
import { ConsentController } from './entry/consent.controller.js';
import { DetailsController } from './entry/details.controller.js';
import { EndedController, StopController } from './entry/ended.controller.js';
import {
  HomeController,
  ReturnedController,
  WaitingController,
} from './entry/waiting.controller.js';
import { LinkController } from './entry/link.controller.js';
import { StartController } from './entry/start.controller.js';
import { InstantLoanPagesController } from './instant-loans/instant-loan-pages.controller.js';
import { KeyFactsController, KeyFactsScreens } from './key-facts/key-facts.controller.js';
import { LogosController } from './logos.controller.js';
import { OffersController, RankingController } from './offers/offers.controller.js';
import { RedirectController } from './redirect.controller.js';
import { BankAccountController, requireBankFiles } from './steps/bank-account.controller.js';
import { BranchController } from './steps/branch.controller.js';
import { DisbursementController } from './steps/disbursement.controller.js';
import { FeeController } from './steps/fee.controller.js';
import { DoneController } from './steps/done.controller.js';
import { DraftAddresses, DraftKeyFactsController } from './steps/draft-key-facts.controller.js';
import { OfferAmountController } from './steps/offer-amount.controller.js';
import { OfferConfirmController } from './steps/offer-confirm.controller.js';
import { OfferLookup } from './steps/offer-lookup.js';
import { readTable } from './steps/nearest-branch.js';
import { RedirectStepsController } from './steps/redirect-steps.controller.js';

const ENTRY = [
  HomeController,
  ReturnedController,
  StartController,
  LinkController,
  CodeController,
  AmountController,
  ConsentController,
  DetailsController,
  CheckController,
  WaitingController,
  EndedController,
  StopController,
];

const STEPS = [
  OffersController,
  OfferAmountController,
  OfferConfirmController,
  DraftKeyFactsController,
  BranchController,
  RedirectStepsController,
  BankAccountController,
  DisbursementController,
  DoneController,
  FeeController,
];

@Module({
  imports: [InstantLoansModule, JourneysModule, KeyFactsModule],
  controllers: [
    ...ENTRY,
    ...STEPS,
    InstantLoanPagesController,
    KeyFactsController,
    LogosController,
    RankingController,
    RedirectController,
    WhoHasDataController,
  ],
  providers: [BrowserSessions, DraftAddresses, KeyFactsScreens, OfferLookup, OutsideCompanies],
})
export class ApplicantWebModule implements OnModuleInit {
  onModuleInit(): Promise<void> {
    readTable();
    return requireBankFiles();
  }
}
