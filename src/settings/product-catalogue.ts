import { Injectable } from '@nestjs/common';
import { Clock } from '../platform/index.js';
import { Catalogue } from './configuration-cache.js';
import { ConfigurationRepository } from './store/configuration.repository.js';
import type { Product } from './store/product.entity.js';
import { ProductsRepository } from './store/products.repository.js';

/** No other product has the step DECISION. */
export const INSTANT_PRODUCT = 'ONLINE_INSTANT';

@Injectable()
export class ProductCatalogue extends Catalogue<Product> {
  constructor(products: ProductsRepository, configuration: ConfigurationRepository, clock: Clock) {
    super(configuration, clock, () => products.readAll());
  }
}
