import { Module } from '@nestjs/common';
import { AccessRecordsModule } from '../auth/index.js';
import { JourneyFeesRepository, JourneysRepository } from '../journeys/index.js';
import { PaymentAccountsModule } from '../payments/index.js';
import { EventsModule } from '../webhooks/index.js';
import { ConfigurationApplier } from './configuration-applier.js';
import { FileKeysWriter } from './file-keys-writer.js';
import { KeyAdministration } from './key-administration.js';
import { PartnerAdministration } from './partner-administration.js';
import { PaymentAccountChanges } from './payment-account-changes.js';

const EXPORTS = [ConfigurationApplier, KeyAdministration, PartnerAdministration];

@Module({
  imports: [AccessRecordsModule, EventsModule, PaymentAccountsModule],
  providers: [
    JourneyFeesRepository,
    JourneysRepository,
    ...EXPORTS,
    FileKeysWriter,
    PaymentAccountChanges,
  ],
  exports: EXPORTS,
})
export class AdminModule {}
