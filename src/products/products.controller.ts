import { Get } from '@nestjs/common';
import { CurrentKey, type PartnerKey, Scoped } from '../auth/index.js';
import { PartnerApi } from '../platform/index.js';
import type { ProductList, ProductView } from './product-view.js';
import { ListProductsCall } from './products.api.js';
import { type Product, ProductCatalogue } from '../settings/index.js';

@PartnerApi('products')
export class ProductsController {
  constructor(private readonly catalogue: ProductCatalogue) {}

  @ListProductsCall()
  @Get()
  @Scoped('products:read')
  async list(@CurrentKey() key: PartnerKey): Promise<ProductList> {
    const products = await this.catalogue.list();
    return {
      products: products
        .filter((product) => product.isEnabled && key.products.has(product.code))
        .map(viewOf),
    };
  }
}

function viewOf(product: Product): ProductView {
  const { code, displayName, category, channel, provider, icon } = product;
  return { code, displayName, category, channel, provider, icon };
}
