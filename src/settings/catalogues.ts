import { Injectable } from '@nestjs/common';
import { Clock } from '../platform/index.js';
import { ConfigurationRepository } from './store/configuration.repository.js';
import type { Lender } from './store/lender.entity.js';
import { LendersRepository } from './store/lenders.repository.js';
import type { Product } from './store/product.entity.js';
import { ProductsRepository } from './store/products.repository.js';
import { ConfigurationCache } from './configuration-cache.js';

/** Includes disabled rows. */
abstract class Catalogue<Row extends { readonly code: string }> {
  private readonly cache: ConfigurationCache<ReadonlyMap<string, Row>>;

  protected constructor(
    configuration: ConfigurationRepository,
    clock: Clock,
    readAll: () => Promise<Row[]>,
  ) {
    this.cache = new ConfigurationCache(configuration, clock, async () => {
      const rows = await readAll();
      return new Map(rows.map((row) => [row.code, Object.freeze(row)]));
    });
  }

  /** In the configuration's order. */
  async list(): Promise<Row[]> {
    return [...(await this.cache.get()).values()];
  }

  async find(code: string): Promise<Row | null> {
    return (await this.cache.get()).get(code) ?? null;
  }
}

/** No other product has the step DECISION. */
export const INSTANT_PRODUCT = 'ONLINE_INSTANT';

@Injectable()
export class ProductCatalogue extends Catalogue<Product> {
  constructor(products: ProductsRepository, configuration: ConfigurationRepository, clock: Clock) {
    super(configuration, clock, () => products.readAll());
  }
}

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
