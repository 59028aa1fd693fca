import { check, type FieldProblem, validationFault } from '../../platform/index.js';
import { formatRupees, rupeesToPaise } from '../../loans/index.js';
import type { LenderApplicant } from '../../lenders/index.js';
import type { Product } from '../../products/index.js';
import type { Channel } from '../journey.js';
import { GoldLoanDetails } from './applicant-rules.js';
import {
  InitiateBodyA,
  InitiateBodyB,
  JOURNEY_PRODUCTS,
  PRODUCT_ALIASES,
} from './initiate-body.dto.js';

const LEAST_AGE = 18;
const ONLY_IN_VARIANT_B = [
  'firstName',
  'lastName',
  'personalEmail',
  'officialEmail',
  'termsAccepted',
  'endUse',
];

/** What a key takes for what variant B leaves out. */
export interface InitiateDefaults {
  readonly channel: Channel;
  readonly productCode: string;
}

/** A request to start a journey, of either variant, well-formed. */
export interface InitiateRequest {
  readonly channel: Channel;
  /** A catalogue code. */
  readonly productCode: string;
  /** In rupees; absent: the product's default. */
  readonly loanAmount?: number;
  readonly applicant: LenderApplicant;
  readonly gold?: { readonly grams: string; readonly jewelleryList: readonly string[] };
}

/**
 * Reads the body of initiate, telling its variant by what it carries.
 * @param today the date in India, YYYY-MM-DD: the applicant must be of age on it
 * @param products the catalogue, for the range in which each product's amount must lie
 * @throws Fault validation_failed naming every bad field
 */
export function readInitiateRequest(
  body: Record<string, unknown>,
  defaults: InitiateDefaults,
  today: string,
  products: readonly Product[],
): InitiateRequest {
  const shape = isVariantA(body) ? InitiateBodyA : InitiateBodyB;
  const { value, problems } = check<InitiateBodyA | InitiateBodyB>(shape, body);
  const named = value.productCode ?? defaults.productCode;
  const productCode = PRODUCT_ALIASES[named] ?? named;
  const gold = productCode === 'ONLINE_GOLD' ? readGold(body, problems) : undefined;
  checkApplicant(body.customer, value.customer, problems, today);
  checkAmount(value.loanAmount, productCode, products, problems);
  if (problems.length > 0) throw validationFault(problems);
  return {
    channel: value.channel ?? defaults.channel,
    productCode,
    ...(value.loanAmount !== undefined && { loanAmount: value.loanAmount }),
    applicant: { ...instanceFields(value.customer), mobile: value.mobile, pan: value.customer.pan },
    ...(gold && { gold: { grams: gold.grams, jewelleryList: gold.jewellaryList } }),
  };
}

function isVariantA(body: Record<string, unknown>): boolean {
  const customer = isRecord(body.customer) ? body.customer : {};
  if (isGiven(customer.fullName)) return true;
  const namesBoth =
    isGiven(body.channel) &&
    JOURNEY_PRODUCTS.includes(body.productCode as (typeof JOURNEY_PRODUCTS)[number]);
  return namesBoth && !ONLY_IN_VARIANT_B.some((field) => isGiven(customer[field]));
}

/** The rules that look at more than one field; a customer that is no object has been named. */
function checkApplicant(
  given: unknown,
  customer: { monthlyIncome?: number; annualIncome?: number; dob?: string } | undefined,
  problems: FieldProblem[],
  today: string,
): void {
  if (!isRecord(given) || !customer) return;
  const isNamed = (field: string) => problems.some((problem) => problem.field === field);
  const hasIncome = customer.monthlyIncome !== undefined || customer.annualIncome !== undefined;
  if (!hasIncome) {
    const message = 'must be given, above zero, unless customer.annualIncome is';
    problems.push({ field: 'customer.monthlyIncome', message });
  }
  if (!isNamed('customer.dob') && !isOfAge(customer.dob!, today)) {
    const message = `must be the date of birth of someone ${LEAST_AGE} or older`;
    problems.push({ field: 'customer.dob', message });
  }
}

/** An amount that is none has been named. */
function checkAmount(
  rupees: number | undefined,
  productCode: string,
  products: readonly Product[],
  problems: FieldProblem[],
): void {
  const product = products.find(({ code }) => code === productCode);
  const isNamed = problems.some(({ field }) => field === 'loanAmount');
  if (rupees === undefined || !product || isNamed) return;
  const amount = rupeesToPaise(rupees);
  if (amount >= product.minimumAmount && amount <= product.maximumAmount) return;
  const least = formatRupees(product.minimumAmount);
  const most = formatRupees(product.maximumAmount);
  problems.push({
    field: 'loanAmount',
    message: `must be from ${least} to ${most} for this product`,
  });
}

function isOfAge(dob: string, today: string): boolean {
  const eighteenth = `${Number(dob.slice(0, 4)) + LEAST_AGE}${dob.slice(4)}`;
  return eighteenth <= today;
}

function readGold(
  body: Record<string, unknown>,
  problems: FieldProblem[],
): GoldLoanDetails | undefined {
  if (!isRecord(body.goldLoanDetails)) {
    problems.push({
      field: 'goldLoanDetails',
      message: 'must be an object with jewellaryList and grams when the product is ONLINE_GOLD',
    });
    return undefined;
  }
  const given = body.goldLoanDetails;
  // The contract writes "jewellaryList"; who writes it as a dictionary does is understood.
  const list = given.jewellaryList ?? given.jewelleryList;
  const gold = check(GoldLoanDetails, { grams: given.grams, jewellaryList: list });
  for (const { field, message } of gold.problems) {
    problems.push({ field: `goldLoanDetails.${field}`, message });
  }
  return gold.value;
}

/** The fields that were given, as a plain object. */
function instanceFields(customer: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(customer).filter(([, value]) => value !== undefined));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '';
}
