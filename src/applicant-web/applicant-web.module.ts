import { Module } from '@nestjs/common';
import { InstantLoansModule } from '../instant-loans/index.js';
import { JourneysModule } from '../journeys/index.js';
import { OutsideCompanies } from './data/outside-companies.js';
import { WhoHasDataController } from './data/who-has-data.controller.js';
import { HostedEntryModule } from './entry/hosted-entry.module.js';
import { InstantLoanPagesController } from './instant-loans/instant-loan-pages.controller.js';
import { KeyFactsScreensModule } from './key-facts/key-facts-screens.module.js';
import { LenderLogoController } from './lender-logo.controller.js';
import { PartnerLogoController } from './partner-logo.controller.js';
import { RankingController } from './ranking.controller.js';
import { RedirectController } from './redirect.controller.js';
import { RedirectStopController } from './redirect-stop.controller.js';
import { HostedStepsModule } from './steps/hosted-steps.module.js';

@Module({
  imports: [
    HostedEntryModule,
    HostedStepsModule,
    InstantLoansModule,
    JourneysModule,
    KeyFactsScreensModule,
  ],
  controllers: [
    InstantLoanPagesController,
    LenderLogoController,
    PartnerLogoController,
    RankingController,
    RedirectController,
    RedirectStopController,
    WhoHasDataController,
  ],
  providers: [OutsideCompanies],
})
export class ApplicantWebModule {}
