import { Module } from '@nestjs/common';
import { InstantLoansModule } from '../instant-loans/index.js';
import { JourneysModule } from '../journeys/index.js';
import { HostedEntryModule } from './entry/entry.module.js';
import { InstantLoanPagesController } from './instant-loans/instant-loan-pages.controller.js';
import { KeyFactsController } from './key-facts.controller.js';
import { KeyFactsModule } from './key-facts/key-facts.module.js';
import { RedirectController } from './redirect.controller.js';
import { HostedStepsModule } from './steps/steps.module.js';

/** The pages that applicants see. */
@Module({
  imports: [
    HostedEntryModule,
    HostedStepsModule,
    InstantLoansModule,
    JourneysModule,
    KeyFactsModule,
  ],
  controllers: [InstantLoanPagesController, KeyFactsController, RedirectController],
})
export class ApplicantWebModule {}
