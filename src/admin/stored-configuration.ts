import { Injectable } from '@nestjs/common';
import { ApiKeysRepository, PartnerLogosRepository, PartnersRepository } from '../auth/index.js';
import type { FieldProblem, Tx } from '../platform/index.js';
import {
  ClientKeys,
  ConfigurationRepository,
  ConfiguredGateways,
  LenderLogosRepository,
  LendersRepository,
  PaymentAccounts,
  ProductsRepository,
} from '../settings/index.js';
import type { Configuration } from './configuration/configuration.js';
import type { ConfigurationState } from './configuration/configuration-changes.js';
import { lenderLogosOf, type LenderSecrets, lendersOf } from './configuration/lender-section.js';
import { partnerLogosOf, partnersOf } from './configuration/partner-section.js';
import { productsOf } from './configuration/product-section.js';
import { FileKeysWriter } from './file-keys-writer.js';

@Injectable()
export class ConfigurationReader {
  constructor(
    private readonly products: ProductsRepository,
    private readonly lenders: LendersRepository,
    private readonly partners: PartnersRepository,
    private readonly keys: ApiKeysRepository,
    private readonly logos: PartnerLogosRepository,
    private readonly inForce: ConfigurationRepository,
    private readonly gateways: ConfiguredGateways,
    private readonly paymentAccounts: PaymentAccounts,
  ) {}

  async read(tx: Tx): Promise<ConfigurationState> {
    const lenders = await this.lenders.list(tx);
    const inForce = await this.inForce.find(tx);
    const gateways = inForce?.gatewaysSealed;
    return {
      products: await this.products.list(tx),
      lenders,
      partners: await this.partners.list(tx),
      keys: await this.keys.list(tx),
      inForce,
      logos: await this.logos.versions(tx),
      gateways: gateways ? this.gateways.open(gateways) : null,
      accounts: new Map(
        lenders.flatMap(({ code, paymentSealed }) =>
          paymentSealed === null ? [] : [[code, this.paymentAccounts.open(paymentSealed)] as const],
        ),
      ),
    };
  }
}

@Injectable()
export class LendersWriter {
  constructor(
    private readonly lenders: LendersRepository,
    private readonly lenderLogos: LenderLogosRepository,
    private readonly clientKeys: ClientKeys,
    private readonly paymentAccounts: PaymentAccounts,
  ) {}

  /** @returns how many rows changed */
  async replace(tx: Tx, sections: Configuration['lenders']): Promise<number> {
    const kept = await this.lenders.sealed(tx);
    const secrets: LenderSecrets = {
      clientKey: (code, privateKey) =>
        this.clientKeys.seal(privateKey, kept.get(code)?.clientKeySealed ?? null),
      payment: (code, account) =>
        this.paymentAccounts.seal(account, kept.get(code)?.paymentSealed ?? null),
    };
    const changed = await this.lenders.replace(tx, lendersOf(sections, secrets));
    return changed + (await this.lenderLogos.replace(tx, lenderLogosOf(sections)));
  }
}

interface WrittenConfiguration {
  readonly hasChanged: boolean;
  /** If there are any, the caller must roll back. */
  readonly problems: readonly FieldProblem[];
}

@Injectable()
export class ConfigurationWriter {
  constructor(
    private readonly products: ProductsRepository,
    private readonly lenders: LendersWriter,
    private readonly partners: PartnersRepository,
    private readonly logos: PartnerLogosRepository,
    private readonly fileKeys: FileKeysWriter,
    private readonly inForce: ConfigurationRepository,
  ) {}

  async write(
    tx: Tx,
    configuration: Configuration,
    gatewaysSealed: string,
  ): Promise<WrittenConfiguration> {
    const { products, lenders, partners, version, brand, settings } = configuration;
    let changed = await this.products.replace(tx, productsOf(products));
    changed += await this.lenders.replace(tx, lenders);
    changed += await this.partners.replace(tx, partnersOf(partners));
    changed += await this.logos.replace(tx, partnerLogosOf(partners));
    const keys = await this.fileKeys.write(tx, partners);
    const { problems } = keys;
    if (problems.length > 0) return { hasChanged: false, problems };
    changed += keys.changed;
    const next = {
      fileVersion: version,
      brand,
      settings,
      gatewaysSealed,
    };
    return { hasChanged: await this.inForce.write(tx, next, changed > 0), problems };
  }
}
