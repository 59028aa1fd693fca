import { Module, type OnModuleInit } from '@nestjs/common';
import { JourneysModule } from '../../journeys/index.js';
import { HostedEntryModule } from '../entry/hosted-entry.module.js';
import { KeyFactsScreensModule } from '../key-facts/key-facts-screens.module.js';
import { BankAccountController } from './bank-account.controller.js';
import { requireBankFiles } from './bank-branch.js';
import { readTable } from './pin-districts.js';
import { BranchController } from './branch.controller.js';
import { DisbursementController } from './disbursement.controller.js';
import { DraftAddresses } from './draft-addresses.js';
import { DraftKeyFactsController } from './draft-key-facts.controller.js';
import { EndedController } from '../entry/ended.controller.js';
import { DoneController } from './done.controller.js';
import { ActionInFlightController } from '../entry/action-in-flight.controller.js';
import { OfferAmountController } from './offer-amount.controller.js';
import { OfferConfirmController } from './offer-confirm.controller.js';
import { OfferLookup } from './offer-lookup.js';
import { OffersController } from '../offers/offers.controller.js';
import { PaidOutController } from './paid-out.controller.js';
import { RedirectStepsController } from './redirect-steps.controller.js';
import { StopController } from '../entry/stop.controller.js';
import { StepActions } from './step-actions.js';

@Module({
  imports: [HostedEntryModule, JourneysModule, KeyFactsScreensModule],
  controllers: [
    OffersController,
    OfferAmountController,
    OfferConfirmController,
    DraftKeyFactsController,
    BranchController,
    RedirectStepsController,
    BankAccountController,
    DisbursementController,
    DoneController,
    EndedController,
    PaidOutController,
    ActionInFlightController,
    StopController,
  ],
  providers: [DraftAddresses, OfferLookup, StepActions],
})
export class HostedStepsModule implements OnModuleInit {
  onModuleInit(): Promise<void> {
    readTable();
    return requireBankFiles();
  }
}
