import { Injectable } from '@nestjs/common';
import { Clock, Keyring } from '../platform/index.js';
import { ConfigurationCache } from './configuration-cache.js';
import {
  GATEWAYS_PURPOSE,
  type GatewaySettings,
  type PaymentSettings,
  type SmsSettings,
} from './gateway-settings.js';
import { PaymentAccounts, SealedSettings } from './sealed-settings.js';
import { ConfigurationRepository } from './store/configuration.repository.js';
import { LendersRepository } from './store/lenders.repository.js';

/** Includes lenders' own gateways; sealed, since they hold secrets. */
@Injectable()
export class ConfiguredGateways extends SealedSettings<GatewaySettings> {
  private readonly cache: ConfigurationCache<GatewaySettings>;
  private readonly accounts: ConfigurationCache<ReadonlyMap<string, PaymentSettings>>;

  constructor(
    configuration: ConfigurationRepository,
    lenders: LendersRepository,
    paymentAccounts: PaymentAccounts,
    clock: Clock,
    keyring: Keyring,
  ) {
    super(keyring, GATEWAYS_PURPOSE);
    this.cache = new ConfigurationCache(configuration, clock, async () => {
      const sealed = await configuration.readGateways();
      if (!sealed) throw new Error('No gateways are configured. Run npm run admin -- config apply');
      return this.open(sealed);
    });
    this.accounts = new ConfigurationCache(configuration, clock, async () => {
      const sealed = await lenders.readPaymentAccounts();
      return new Map([...sealed].map(([code, account]) => [code, paymentAccounts.open(account)]));
    });
  }

  async sms(): Promise<SmsSettings> {
    return (await this.cache.get()).sms;
  }

  /**
   * @param account a lender's own; null: the operator's
   * @returns null when the lender has none now
   */
  async payment(account: string | null): Promise<PaymentSettings | null> {
    if (account === null) return (await this.cache.get()).payment;
    return (await this.accounts.get()).get(account) ?? null;
  }
}
