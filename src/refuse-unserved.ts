import type { INestApplicationContext } from '@nestjs/common';
import {
  adapterMistakes,
  ConfigurationError,
  type Deployment,
  unservedMistakes,
} from './admin/index.js';
import { LenderBook } from './lenders/index.js';
import { Clock, Database } from './platform/index.js';
import { ProductCatalogue } from './products/index.js';

/**
 * Holds the configuration in force against the build that is to serve it: it may have been applied
 * by one that had other connectors.
 * @throws ConfigurationError naming every lender that this build cannot speak to, and every product
 *   that no lender serves
 */
export async function refuseUnserved(
  app: INestApplicationContext,
  deployment: Deployment,
): Promise<void> {
  // Read aside: what the service keeps is read at its first use, with all that is applied until then.
  const records = [app.get(Database), app.get(Clock)] as const;
  const lenders = (await new LenderBook(...records).list()).map((lender) => ({
    ...lender,
    path: `lenders.${lender.code}`,
    products: Object.keys(lender.terms.products),
  }));
  const products = (await new ProductCatalogue(...records).list()).map((product) => ({
    ...product,
    path: `products.${product.code}`,
  }));
  // One that is switched off has left the file, where nobody can mend it.
  const enabled = lenders.filter(({ isEnabled }) => isEnabled);
  const problems = [
    ...adapterMistakes(enabled, deployment),
    ...unservedMistakes(products, enabled),
  ];
  if (problems.length > 0) throw new ConfigurationError('in force', problems);
}
