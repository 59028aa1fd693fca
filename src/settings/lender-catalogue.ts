import { Injectable } from '@nestjs/common';
import { Clock } from '../platform/index.js';
import { Catalogue } from './configuration-cache.js';
import { ConfigurationRepository } from './store/configuration.repository.js';
import type { Lender } from './store/lender.entity.js';
import { LendersRepository } from './store/lenders.repository.js';

@Injectable()
export class LenderCatalogue extends Catalogue<Lender> {
  constructor(lenders: LendersRepository, configuration: ConfigurationRepository, clock: Clock) {
    super(configuration, clock, () => lenders.readAll());
  }

  /** In the configuration's order, without disabled ones. */
  async serving(productCode: string): Promise<Lender[]> {
    const lenders = await this.list();
    return lenders.filter(
      ({ isEnabled, terms }) => isEnabled && Object.hasOwn(terms.products, productCode),
    );
  }
}
