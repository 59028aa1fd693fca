import { chargeFees, goldLoanCap, quoteLoan, rupeesToPaise } from '../../loans/index.js';
import type { FieldProblem } from '../../platform/index.js';
import type { LenderSection } from './lender-section.js';
import { productTermsOf } from './lender-terms-of.js';
import { type Placed, repeated } from './placed.js';
import { feeAccountMistakes } from './fee-account-mistakes.js';
import type { FeeSection, ProductTermsSection } from './product-terms-section.js';
import type { ProductSection } from './product-section.js';
import type { Deployment } from './deployment.js';
import { providerMistakes, remoteMistakes } from './remote-mistakes.js';
import { textMistakes } from './own-text.js';
import { textsOfLender } from './texts-of.js';
import { adapterMistakes } from './serving-mistakes.js';

interface TermsLocation {
  readonly path: string;
  readonly terms: ProductTermsSection;
  readonly lender: LenderSection;
  /** Absent when the product itself has a mistake. */
  readonly product?: ProductSection;
}

/** The catalogue that lenders are checked against. */
export interface KnownProducts {
  /** Null when they cannot be told. */
  readonly codes: ReadonlySet<string> | null;
  /** Those without a mistake of their own. */
  readonly sound: readonly ProductSection[];
}

/** What is wrong with the lenders beyond the shape of each field. */
export function lenderMistakes(
  lenders: readonly Placed<LenderSection>[],
  products: KnownProducts,
  deployment: Deployment,
): FieldProblem[] {
  const codes = lenders.map(({ path, section }) => ({ path: `${path}.code`, text: section.code }));
  const branches = lenders.flatMap(({ path, section }) =>
    (section.branches ?? []).map(({ id }, index) => ({
      path: `${path}.branches[${index}].id`,
      text: id,
    })),
  );
  const adapters = lenders.map(({ path, section }) => ({ path, adapter: section.adapter }));
  return [
    ...repeated(codes, 'stands twice: another lender has this code'),
    ...repeated(branches, 'stands twice: another branch has this id'),
    ...lenders.flatMap(hoursMistakes),
    ...lenders.flatMap(agentMistakes),
    ...lenders.flatMap(shortNameMistakes),
    ...adapterMistakes(adapters, deployment),
    ...lenders.flatMap((lender) => remoteMistakes(lender, deployment)),
    ...lenders.flatMap((lender) => providerMistakes(lender, products.sound, deployment)),
    ...feeAccountMistakes(lenders, products.sound, deployment),
    ...lenders.flatMap((lender) => productMistakes(lender, products)),
    ...lenders.flatMap((lender) => textMistakes(textsOfLender(lender))),
  ];
}

/** An agent is somebody else: applicants read that it lends nothing and gets their details from the lender. */
function agentMistakes({ path, section }: Placed<LenderSection>): FieldProblem[] {
  if (section.recoveryAgentLsp !== section.name) return [];
  const message = 'names the lender itself: leave it out where no agent recovers';
  return [{ field: `${path}.recoveryAgentLsp`, message }];
}

/** Applicants must recognise the lender that they chose by its legal name. */
function shortNameMistakes({ path, section }: Placed<LenderSection>): FieldProblem[] {
  const { name, shortName } = section;
  if (!shortName || name.includes(shortName)) return [];
  return [{ field: `${path}.shortName`, message: 'must be a part of name' }];
}

/** Branches open and close on one day; a day may stand twice, as with a break at noon. */
function hoursMistakes({ path, section }: Placed<LenderSection>): FieldProblem[] {
  return (section.branches ?? []).flatMap(({ hours = [] }, branch) =>
    hours.flatMap(({ days, opens, closes }, index) => {
      const field = `${path}.branches[${branch}].hours[${index}]`;
      if (days.length === 0) return [{ field: `${field}.days`, message: 'must name a day' }];
      return opens < closes
        ? []
        : [{ field: `${field}.closes`, message: 'must be later than opens' }];
    }),
  );
}

function productMistakes(
  { path, section }: Placed<LenderSection>,
  products: KnownProducts,
): FieldProblem[] {
  return [...section.products].flatMap(([code, terms]) => {
    const field = `${path}.products.${code}`;
    if (products.codes && !products.codes.has(code)) {
      return [{ field, message: 'is not a product of the catalogue' }];
    }
    const product = products.sound.find((one) => one.code === code);
    const location = { path: field, terms, lender: section, product };
    const found = [
      ...amountMistakes(location),
      ...feeMistakes(location),
      ...unpaidMistakes(location),
      ...goldMistakes(location),
    ];
    // Whether a loan can be quoted is worth asking of terms that are sound in themselves.
    return found.length > 0 ? found : quoteMistakes(location);
  });
}

function amountMistakes({ path, terms, product }: TermsLocation): FieldProblem[] {
  if (terms.minimumAmount > terms.maximumAmount) {
    return [{ field: `${path}.maximumAmount`, message: 'must not be below minimumAmount' }];
  }
  if (!product) return [];
  const { minimumAmount, maximumAmount } = product;
  const overlaps = terms.minimumAmount <= maximumAmount && terms.maximumAmount >= minimumAmount;
  const message = `must overlap the product's amounts, ${minimumAmount} to ${maximumAmount}`;
  return overlaps ? [] : [{ field: `${path}.minimumAmount`, message }];
}

function feeMistakes({ path, terms }: TermsLocation): FieldProblem[] {
  return terms.fees.flatMap((fee, index) => feeMistake(fee, `${path}.fees[${index}]`));
}

function feeMistake(fee: FeeSection, path: string): FieldProblem[] {
  if ((fee.flat ?? fee.percentOfPrincipal ?? undefined) === undefined) {
    return [{ field: path, message: 'needs flat or percentOfPrincipal' }];
  }
  const isCrossed = (fee.minimum ?? 0) > (fee.maximum ?? Number.POSITIVE_INFINITY);
  return isCrossed ? [{ field: `${path}.maximum`, message: 'must not be below minimum' }] : [];
}

function unpaidMistakes({ path, terms }: TermsLocation): FieldProblem[] {
  return terms.contingentCharges.flatMap(({ ifUnpaid }, index) => {
    if (!ifUnpaid) return [];
    if ((ifUnpaid.flat ?? ifUnpaid.percentOfInstalment ?? undefined) !== undefined) return [];
    const field = `${path}.contingentCharges[${index}].ifUnpaid`;
    return [{ field, message: 'needs flat or percentOfInstalment' }];
  });
}

function goldMistakes({ path, terms, lender, product }: TermsLocation): FieldProblem[] {
  const problems: FieldProblem[] = [];
  if (product?.steps?.includes('BRANCH')) {
    if (!terms.gold)
      problems.push({ field: `${path}.gold`, message: 'is needed for this product' });
    if (!lender.branches?.length) {
      const message = 'needs a branch of the lender: the product has the step BRANCH';
      problems.push({ field: path, message });
    }
  }
  const { gold } = productTermsOf(terms);
  if (gold) {
    const reason = refusalOf(() => goldLoanCap({ grams: '1', ...gold }));
    if (reason) problems.push({ field: `${path}.gold`, message: reason });
  }
  return problems;
}

/** The smallest and the largest loan must come out: fees leave something, figures stay exact. */
function quoteMistakes({ path, terms }: TermsLocation): FieldProblem[] {
  const { annualRatePercent, tenureMonths } = terms;
  const { fees: feeTerms } = productTermsOf(terms);
  for (const amount of [terms.minimumAmount, terms.maximumAmount]) {
    const principal = rupeesToPaise(amount);
    const reason = refusalOf(() => {
      const fees = chargeFees(principal, feeTerms);
      return quoteLoan({ principal, annualRatePercent, tenureMonths, fees });
    });
    if (reason) return [{ field: path, message: `makes no loan of ${amount}: ${reason}` }];
  }
  return [];
}

function refusalOf(attempt: () => unknown): string | null {
  try {
    attempt();
    return null;
  } catch (error) {
    if (error instanceof RangeError) return error.message;
    throw error;
  }
}
