import { Get } from '@nestjs/common';
import { CurrentKey, type PartnerKey, Scoped } from '../auth/index.js';
import { PartnerApi, PartnerCall } from '../platform/index.js';
import { type ProductLenderView, ProductList, type ProductView } from './product-view.js';
import { type Lender, LenderCatalogue, type Product, ProductCatalogue } from '../settings/index.js';

const ListProductsCall = () =>
  PartnerCall({
    operationId: 'listProducts',
    summary: 'List the products of the key',
    description: 'The loan products that the key may offer.',
    answer: ProductList,
  });

@PartnerApi('products')
export class ProductsController {
  constructor(
    private readonly catalogue: ProductCatalogue,
    private readonly lenders: LenderCatalogue,
  ) {}

  @ListProductsCall()
  @Get()
  @Scoped('products:read')
  async list(@CurrentKey() key: PartnerKey): Promise<ProductList> {
    const products = (await this.catalogue.list()).filter(
      (product) => product.isEnabled && key.products.has(product.code),
    );
    return { products: await Promise.all(products.map((product) => this.viewOf(product))) };
  }

  private async viewOf(product: Product): Promise<ProductView> {
    const { code, displayName, category, channel, provider, icon } = product;
    const lenders = await this.lenders.serving(code);
    return {
      code,
      displayName,
      category,
      channel,
      provider,
      icon,
      ...(lenders.length > 0 && { lenders: lenders.map(lenderView) }),
    };
  }
}

function lenderView({ code, name }: Lender): ProductLenderView {
  return { code, name };
}
