import { Module } from '@nestjs/common';
import { AccessRecordsModule } from '../auth/index.js';
import { JourneyFeesRepository, JourneysRepository } from '../journeys/index.js';
import { PaymentAccountsModule } from '../payments/index.js';
import { EventsModule } from '../webhooks/index.js';
import { ConfigurationApplier } from './configuration-applier.js';
import { FileKeysWriter } from './file-keys-writer.js';
import { KeyAdministration, NewKeys } from './key-administration.js';
import { PartnerAdministration } from './partner-administration.js';
import { ConfigurationReader, ConfigurationWriter, LendersWriter } from './stored-configuration.js';
import { PaymentAccountChanges } from './payment-account-changes.js';

const EXPORTS = [ConfigurationApplier, KeyAdministration, PartnerAdministration];

@Module({
  imports: [AccessRecordsModule, EventsModule, PaymentAccountsModule],
  providers: [
    ...EXPORTS,
    ConfigurationReader,
    ConfigurationWriter,
    LendersWriter,
    FileKeysWriter,
    NewKeys,
    PaymentAccountChanges,
    JourneyFeesRepository,
    JourneysRepository,
  ],
  exports: EXPORTS,
})
export class AdminModule {}
