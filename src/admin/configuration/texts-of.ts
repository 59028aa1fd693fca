import type { LenderSection } from './lender-section.js';
import type { PlacedText } from './own-text.js';
import type { Placed } from './placed.js';
import type { ProductSection } from './product-section.js';
import type { ProductTermsSection } from './product-terms-section.js';

/** What applicants read of a lender's terms. */
export function textsOfLender({ path, section }: Placed<LenderSection>): PlacedText[] {
  return [
    { path: `${path}.recoveryAgentsClause`, text: section.recoveryAgentsClause },
    { path: `${path}.grievanceRedressalClause`, text: section.grievanceRedressalClause },
    ...[...section.products].flatMap(([code, terms]) =>
      textsOfTerms(`${path}.products.${code}`, terms),
    ),
  ];
}

/** What applicants read of a product. */
export function textsOfProduct({ path, section }: Placed<ProductSection>): PlacedText[] {
  return [{ path: `${path}.displayName`, text: section.displayName }];
}

function textsOfTerms(path: string, { fees, contingentCharges }: ProductTermsSection) {
  return [
    ...fees.map(({ name }, index) => ({ path: `${path}.fees[${index}].name`, text: name })),
    ...contingentCharges.flatMap(({ name, description }, index) => [
      { path: `${path}.contingentCharges[${index}].name`, text: name },
      { path: `${path}.contingentCharges[${index}].description`, text: description },
    ]),
  ];
}
