import { Injectable } from '@nestjs/common';
import { Clock } from '../platform/index.js';
import { ConfigurationCache } from './configuration-cache.js';
import { ConfigurationRepository } from './store/configuration.repository.js';
import type { Lender } from './store/lender.entity.js';
import { LendersRepository } from './store/lenders.repository.js';

@Injectable()
export class LenderCatalogue {
  private readonly cache: ConfigurationCache<ReadonlyMap<string, Lender>>;

  constructor(lenders: LendersRepository, configuration: ConfigurationRepository, clock: Clock) {
    this.cache = new ConfigurationCache(configuration, clock, async () => {
      const rows = await lenders.readAll();
      return new Map(rows.map((lender) => [lender.code, Object.freeze(lender)]));
    });
  }

  /** In the configuration's order. */
  async serving(productCode: string): Promise<Lender[]> {
    const lenders = await this.list();
    return lenders.filter(
      ({ isEnabled, terms }) => isEnabled && Object.hasOwn(terms.products, productCode),
    );
  }

  /** Disabled ones too, in the configuration's order. */
  async list(): Promise<Lender[]> {
    return [...(await this.cache.get()).values()];
  }

  /** Disabled ones too: journeys keep their lender. */
  async find(code: string): Promise<Lender | null> {
    return (await this.cache.get()).get(code) ?? null;
  }
}
