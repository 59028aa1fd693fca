import { Global, Module } from '@nestjs/common';
import { AppliedConfiguration, PageBrandSource } from '../platform/index.js';
import { ConfiguredGateways } from './configured-gateways.js';
import { ClientKeys, PaymentAccounts } from './sealed-settings.js';
import { LenderCatalogue, ProductCatalogue } from './catalogues.js';
import { ServiceSettings } from './service-settings.js';
import { ConfigurationRepository } from './store/configuration.repository.js';
import { LenderLogosRepository, LendersRepository } from './store/lenders.repository.js';
import { ProductsRepository } from './store/products.repository.js';

const PROVIDERS = [
  ConfigurationRepository,
  ProductsRepository,
  LendersRepository,
  LenderLogosRepository,
  ProductCatalogue,
  LenderCatalogue,
  ServiceSettings,
  ConfiguredGateways,
  ClientKeys,
  PaymentAccounts,
  { provide: PageBrandSource, useExisting: ServiceSettings },
  { provide: AppliedConfiguration, useExisting: ServiceSettings },
];

/** Excludes partners and keys. Global: every module reads some of it. */
@Global()
@Module({ providers: PROVIDERS, exports: PROVIDERS })
export class SettingsModule {}
