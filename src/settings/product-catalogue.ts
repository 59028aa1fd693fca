import { Injectable } from '@nestjs/common';
import { Clock } from '../platform/index.js';
import { ConfigurationCache } from './configuration-cache.js';
import { ConfigurationRepository } from './store/configuration.repository.js';
import type { Product } from './store/product.entity.js';
import { ProductsRepository } from './store/products.repository.js';

/** As configured, disabled ones included. */
@Injectable()
export class ProductCatalogue {
  private readonly cache: ConfigurationCache<ReadonlyMap<string, Product>>;

  constructor(products: ProductsRepository, configuration: ConfigurationRepository, clock: Clock) {
    this.cache = new ConfigurationCache(configuration, clock, async () => {
      const rows = await products.readAll();
      return new Map(rows.map((product) => [product.code, Object.freeze(product)]));
    });
  }

  async find(code: string): Promise<Product | null> {
    return (await this.cache.get()).get(code) ?? null;
  }

  /** In the configuration's order. */
  async list(): Promise<Product[]> {
    return [...(await this.cache.get()).values()];
  }
}
