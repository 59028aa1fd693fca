import { Injectable } from '@nestjs/common';
import { Clock } from '../platform/index.js';
import { ConfigurationCache } from './configuration-cache.js';
import { ConfigurationRepository } from './store/configuration.repository.js';
import type { Product } from './store/product.entity.js';
import { ProductsRepository } from './store/products.repository.js';

/** The products as the configuration that is in force has them, those switched off included. */
@Injectable()
export class ProductCatalogue {
  private readonly cache: ConfigurationCache<ReadonlyMap<string, Product>>;

  constructor(products: ProductsRepository, configuration: ConfigurationRepository, clock: Clock) {
    this.cache = new ConfigurationCache(configuration, clock, async () => {
      const rows = await products.readAll();
      return new Map(rows.map((product) => [product.code, Object.freeze(product)]));
    });
  }

  /** The product of this code, switched off or not; null when the catalogue has none. */
  async find(code: string): Promise<Product | null> {
    return (await this.cache.get()).get(code) ?? null;
  }

  /** Every product, in the configuration's order. */
  async list(): Promise<Product[]> {
    return [...(await this.cache.get()).values()];
  }
}
