import { Get, Module } from '@nestjs/common';
import { CurrentKey, type PartnerKey, Scoped } from '../auth/index.js';
import { JOURNEY_STEPS } from '../journey-steps/index.js';
import { formatRupees, paiseToRupees, rupeesToPaise } from '../loans/index.js';
import {
  DescribedField,
  type FieldProblem,
  PartnerApi,
  PartnerCall,
  ShownChoice,
  ShownList,
  ShownRupees,
  ShownText,
} from '../platform/index.js';
import { type Lender, LenderCatalogue, type Product, ProductCatalogue } from '../settings/index.js';

class ProductLenderView {
  @ShownText('What `consent.lenderCodes` takes.', 'navdhara')
  code: string;

  @ShownText('The lender’s legal name, as in the consent text.', 'Navdhara Capital Limited')
  name: string;
}

class ProductView {
  @ShownText('The catalogue’s code.', 'ONLINE_PERSONAL')
  code: string;

  @ShownText('Its display name.', 'Personal loan')
  displayName: string;

  @ShownText('Its category.', 'Personal')
  category: string;

  @ShownChoice('OFFLINE: listed, but not accepted by initiate.', ['ONLINE', 'OFFLINE'])
  channel: 'ONLINE' | 'OFFLINE';

  @ShownText('The product’s provider.', 'Rinpath lending partners')
  provider: string;

  @ShownText('The name of its icon.', 'personal-loan')
  icon: string;

  @ShownRupees('The smallest amount, in rupees.', 10_000)
  minimumAmount: number;

  @ShownRupees('The largest amount, in rupees.', 500_000)
  maximumAmount: number;

  @ShownRupees('The amount of a loan for which you name none, in rupees.', 200_000)
  defaultAmount: number;

  @DescribedField(
    { type: 'array', items: { type: 'string', enum: [...JOURNEY_STEPS] } },
    {
      about: 'The steps of its journeys, in order; empty for a product without journeys.',
      example: ['OFFERS', 'KYC', 'BANK_ACCOUNT', 'MANDATE', 'ESIGN', 'DISBURSEMENT'],
    },
  )
  steps: readonly string[];

  @ShownList(
    () => ProductLenderView,
    'The lenders that are now asked; left out if there are none.',
    {
      optional: true,
    },
  )
  lenders?: ProductLenderView[];
}

class ProductList {
  @ShownList(() => ProductView, 'In the order of the catalogue.')
  products: ProductView[];
}

const ListProductsCall = PartnerCall({
  operationId: 'listProducts',
  summary: 'List the products of the key',
  description: 'The loan products that the key may offer.',
  answer: ProductList,
});

@PartnerApi('products')
class ProductsController {
  constructor(
    private readonly catalogue: ProductCatalogue,
    private readonly lenders: LenderCatalogue,
  ) {}

  @ListProductsCall
  @Get()
  @Scoped('products:read')
  async list(@CurrentKey() key: PartnerKey): Promise<ProductList> {
    const products = (await this.catalogue.list()).filter(
      (product) => product.isEnabled && key.products.has(product.code),
    );
    return { products: await Promise.all(products.map((product) => this.viewOf(product))) };
  }

  private async viewOf(product: Product): Promise<ProductView> {
    const { code, displayName, category, channel, provider, icon, steps } = product;
    const lenders = await this.lenders.serving(code);
    return {
      code,
      displayName,
      category,
      channel,
      provider,
      icon,
      minimumAmount: paiseToRupees(product.minimumAmount),
      maximumAmount: paiseToRupees(product.maximumAmount),
      defaultAmount: paiseToRupees(product.defaultAmount),
      steps,
      ...(lenders.length > 0 && { lenders: lenders.map(lenderView) }),
    };
  }
}

function lenderView({ code, name }: Lender): ProductLenderView {
  return { code, name };
}

@Module({ controllers: [ProductsController] })
export class ProductsModule {}

const FIELD = 'loanAmount';

/** Adds nothing without an amount or a known product, or for a field that already has a problem. */
export function checkLoanAmount(
  rupees: number | undefined,
  product: Product | undefined,
  problems: FieldProblem[],
): void {
  if (rupees === undefined || !product || problems.some(({ field }) => field === FIELD)) return;
  const amount = rupeesToPaise(rupees);
  if (amount >= product.minimumAmount && amount <= product.maximumAmount) return;
  const least = formatRupees(product.minimumAmount);
  const most = formatRupees(product.maximumAmount);
  problems.push({ field: FIELD, message: `must be from ${least} to ${most} for this product` });
}
