import { Module } from '@nestjs/common';
import { KeyFactsModule } from '../../key-facts/index.js';
import { LenderRecordsModule } from '../../lenders/index.js';
import { JourneyAudit } from '../store/journey-audit.js';
import { JourneysRepository } from '../store/journeys.repository.js';
import { OffersRepository } from '../store/offers.repository.js';
import { RedirectsRepository } from '../store/redirects.repository.js';
import { JourneyReports } from './journey-reports.js';

@Module({
  imports: [KeyFactsModule, LenderRecordsModule],
  providers: [
    JourneyReports,
    JourneysRepository,
    OffersRepository,
    RedirectsRepository,
    JourneyAudit,
  ],
})
export class JourneyReportsModule {}
