import { FEE } from '../../journey-steps/index.js';
import { chargeFees, goldLoanCap, quoteLoan, rupeesToPaise } from '../../loans/index.js';
import type { FieldProblem } from '../../platform/index.js';
import { INSTANT_PRODUCT } from '../../settings/index.js';
import { paymentMistakes } from './gateways-of.js';
import { type LenderSection, textsOfLender } from './lender-section.js';
import { productTermsOf } from './lender-terms-of.js';
import { mistake, type Placed, repeated } from './placed.js';
import type { FeeSection, ProductTermsSection } from './product-terms-section.js';
import type { ProductSection } from './product-section.js';
import type { Deployment } from './configuration.js';
import { providerMistakes, remoteMistakes } from './remote-mistakes.js';
import { textMistakes } from './own-text.js';
import { adapterMistakes } from './serving-mistakes.js';

const SIMULATED = 'must be a real gateway: the simulated one has no accounts, leave payment out';

interface TermsLocation {
  readonly path: string;
  readonly terms: ProductTermsSection;
  readonly lender: LenderSection;
  /** Absent when the product has a mistake. */
  readonly product?: ProductSection;
}

interface KnownProducts {
  /** Null when unknown. */
  readonly codes: ReadonlySet<string> | null;
  /** Those without a mistake. */
  readonly sound: readonly ProductSection[];
}

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

/** Applicants read that an agent is another firm. */
function agentMistakes({ path, section }: Placed<LenderSection>): FieldProblem[] {
  if (section.recoveryAgentLsp !== section.name) return [];
  const message = 'names the lender itself: leave it out where no agent recovers';
  return mistake(`${path}.recoveryAgentLsp`, message);
}

/** Applicants must recognise the lender by its legal name. */
function shortNameMistakes({ path, section }: Placed<LenderSection>): FieldProblem[] {
  const { name, shortName } = section;
  if (!shortName || name.includes(shortName)) return [];
  return mistake(`${path}.shortName`, 'must be a part of name');
}

/** A day may be there twice, as with a break at noon. */
function hoursMistakes({ path, section }: Placed<LenderSection>): FieldProblem[] {
  return (section.branches ?? []).flatMap(({ hours = [] }, branch) =>
    hours.flatMap(({ days, opens, closes }, index) => {
      const field = `${path}.branches[${branch}].hours[${index}]`;
      if (days.length === 0) return mistake(`${field}.days`, 'must name a day');
      return opens < closes ? [] : mistake(`${field}.closes`, 'must be later than opens');
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
      return mistake(field, 'is not a product of the catalogue');
    }
    const product = products.sound.find((one) => one.code === code);
    const location = { path: field, terms, lender: section, product };
    const found = [
      ...amountMistakes(location),
      ...feeMistakes(location),
      ...unpaidMistakes(location),
      ...goldMistakes(location),
    ];
    return found.length > 0 ? found : quoteMistakes(location);
  });
}

function amountMistakes({ path, terms, product }: TermsLocation): FieldProblem[] {
  if (terms.minimumAmount > terms.maximumAmount) {
    return mistake(`${path}.maximumAmount`, 'must not be below minimumAmount');
  }
  if (!product) return [];
  const { minimumAmount, maximumAmount } = product;
  const overlaps = terms.minimumAmount <= maximumAmount && terms.maximumAmount >= minimumAmount;
  const message = `must overlap the product's amounts, ${minimumAmount} to ${maximumAmount}`;
  return overlaps ? [] : mistake(`${path}.minimumAmount`, message);
}

function feeMistakes({ path, terms }: TermsLocation): FieldProblem[] {
  return terms.fees.flatMap((fee, index) => feeMistake(fee, `${path}.fees[${index}]`));
}

function feeMistake(fee: FeeSection, path: string): FieldProblem[] {
  if ((fee.flat ?? fee.percentOfPrincipal ?? undefined) === undefined) {
    return mistake(path, 'needs flat or percentOfPrincipal');
  }
  const isCrossed = (fee.minimum ?? 0) > (fee.maximum ?? Number.POSITIVE_INFINITY);
  return isCrossed ? mistake(`${path}.maximum`, 'must not be below minimum') : [];
}

function unpaidMistakes({ path, terms }: TermsLocation): FieldProblem[] {
  return terms.contingentCharges.flatMap(({ ifUnpaid }, index) => {
    if (!ifUnpaid) return [];
    if ((ifUnpaid.flat ?? ifUnpaid.percentOfInstalment ?? undefined) !== undefined) return [];
    const field = `${path}.contingentCharges[${index}].ifUnpaid`;
    return mistake(field, 'needs flat or percentOfInstalment');
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

/** The smallest and the largest loan must be computable. */
function quoteMistakes({ path, terms }: TermsLocation): FieldProblem[] {
  const { annualRatePercent, tenureMonths } = terms;
  const { fees: feeTerms } = productTermsOf(terms);
  for (const amount of [terms.minimumAmount, terms.maximumAmount]) {
    const principal = rupeesToPaise(amount);
    const reason = refusalOf(() => {
      const fees = chargeFees(principal, feeTerms);
      return quoteLoan({ principal, annualRatePercent, tenureMonths, fees });
    });
    if (reason) return mistake(path, `makes no loan of ${amount}: ${reason}`);
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

/**
 * In production each lender that serves a product with a fee needs an account: the fee is the
 * lender's.
 */
function feeAccountMistakes(
  lenders: readonly Placed<LenderSection>[],
  products: readonly ProductSection[],
  deployment: Deployment,
): FieldProblem[] {
  const withFee = products.filter(
    ({ code, enabled, steps }) =>
      (enabled ?? true) && (code === INSTANT_PRODUCT || steps?.includes(FEE.name)),
  );
  return lenders.flatMap(({ path, section }) => {
    const field = `${path}.payment`;
    if (section.payment?.gateway === 'sandbox') {
      return mistake(`${field}.gateway`, SIMULATED);
    }
    if (section.payment) return paymentMistakes(section.payment, deployment, field);
    const served = withFee.find(({ code }) => section.products.has(code));
    const isLacking = deployment.mode === 'production' && (section.enabled ?? true) && served;
    if (!isLacking) return [];
    const message = `is required here: the fee of ${served.code} goes into the lender's own account`;
    return mistake(field, message);
  });
}
