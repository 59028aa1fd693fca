import { checkAge, givenFields } from '../../applicants/index.js';
import { readPartnerConsent } from '../../consents/index.js';
import { givenReference } from '../../leads/index.js';
import { dayInIndia } from '../../loans/index.js';
import {
  checkBody,
  type FieldProblem,
  missingOr,
  validationFault,
  isRecord,
} from '../../platform/index.js';
import { checkLoanAmount } from '../../products/index.js';
import type { Channel } from '../domain/journey.js';
import type { InitiateRequest } from '../use-cases/journey-starts.js';
import {
  type CustomerB,
  InitiateBodyA,
  InitiateBodyB,
  JOURNEY_PRODUCTS,
  PRODUCT_ALIASES,
} from './initiate-body.dto.js';
import { type GoldLimits, GoldLoanDetails, goldProblems } from './gold-loan-details.dto.js';
import { INSTANT_PRODUCT, type Product } from '../../settings/index.js';

const ONLY_IN_VARIANT_B = [
  'firstName',
  'lastName',
  'personalEmail',
  'officialEmail',
  'termsAccepted',
  'endUse',
];

type Variant = 'A' | 'B';

/** The API key's defaults, for variant B. */
interface InitiateDefaults {
  readonly channel: Channel;
  readonly productCode: string;
}

interface InitiateRules {
  readonly products: readonly Product[];
  readonly goldLimits: GoldLimits;
}

/**
 * @param now for the ages of applicant and consent
 * @throws Fault validation_failed naming every invalid field
 */
export function readInitiateRequest(
  body: Record<string, unknown>,
  defaults: InitiateDefaults,
  now: Date,
  rules: InitiateRules,
): InitiateRequest {
  const today = dayInIndia(now);
  const variant = variantOf(body);
  const { value, problems, productCode, gold } = readAs(variant, body, defaults, today, rules);
  const { termsAccepted } = (value.customer ?? {}) as Partial<CustomerB>;
  const consent = readPartnerConsent(value.consent, termsAccepted === true, now, problems);
  if (problems.length > 0 && variant === 'A' && !hasFullName(body)) {
    const asB = readAs('B', body, defaults, today, rules);
    nameBothReadings(problems, asB.problems);
  }
  if (problems.length > 0) throw validationFault(problems);
  return {
    channel: value.channel ?? defaults.channel,
    productCode,
    loanAmount: value.loanAmount,
    consent,
    reference: givenReference(value),
    applicant: { ...givenFields(value.customer), mobile: value.mobile, pan: value.customer.pan },
    ...(gold && { gold: { grams: gold.grams, jewelleryList: gold.jewellaryList } }),
  };
}

function hasFullName({ customer }: Record<string, unknown>): boolean {
  return isRecord(customer) && isGiven(customer.fullName);
}

function variantOf(body: Record<string, unknown>): Variant {
  if (hasFullName(body)) return 'A';
  const customer = isRecord(body.customer) ? body.customer : {};
  const namesBoth =
    isGiven(body.channel) &&
    JOURNEY_PRODUCTS.includes(body.productCode as (typeof JOURNEY_PRODUCTS)[number]);
  const hasOwnOfB = ONLY_IN_VARIANT_B.some((field) => isGiven(customer[field]));
  return namesBoth && !hasOwnOfB ? 'A' : 'B';
}

function readAs(
  variant: Variant,
  body: Record<string, unknown>,
  defaults: InitiateDefaults,
  today: string,
  { products, goldLimits }: InitiateRules,
) {
  const shape = variant === 'A' ? InitiateBodyA : InitiateBodyB;
  const { value, problems } = checkBody<InitiateBodyA | InitiateBodyB>(shape, body);
  if (value.productCode === INSTANT_PRODUCT) sendToInstantLoans(problems);
  const named = value.productCode ?? defaults.productCode;
  const productCode = PRODUCT_ALIASES[named] ?? named;
  const gold = productCode === 'ONLINE_GOLD' ? readGold(body, problems, goldLimits) : undefined;
  checkApplicant(body.customer, value.customer, problems, today);
  const product = products.find(({ code }) => code === productCode);
  checkLoanAmount(value.loanAmount, product, problems);
  return { value, problems, productCode, gold };
}

function sendToInstantLoans(problems: FieldProblem[]): void {
  const index = problems.findIndex(({ field }) => field === 'productCode');
  const { field, message } = problems[index];
  problems[index] = {
    field,
    message: `${message}; for ${INSTANT_PRODUCT} use POST /instant-loans`,
  };
}

/** The body may be meant as either variant, so the message says what each needs. */
function nameBothReadings(asA: FieldProblem[], asB: readonly FieldProblem[]): void {
  const index = asA.findIndex(({ field }) => field === 'customer.fullName');
  if (index < 0) return;
  const list = (problems: readonly FieldProblem[]) => problems.map(({ field }) => field).join(', ');
  const shorter = asB.length < asA.length ? 'B' : 'A';
  const readings =
    'The body was read as variant A: it has channel and productCode, and no variant B ' +
    `fields (${ONLY_IN_VARIANT_B.join(', ')}). As variant A it needs ${list(asA)}; as variant ` +
    `B it needs ${list(asB)}. Variant ${shorter} needs fewer fields`;
  const { field, message } = asA[index];
  asA[index] = { field, message: `${message}. ${readings}` };
}

/** Rules over several fields. A customer that is not an object is already reported. */
function checkApplicant(
  given: unknown,
  customer: { monthlyIncome?: number; annualIncome?: number; dob?: string } | undefined,
  problems: FieldProblem[],
  today: string,
): void {
  if (!isRecord(given) || !customer) return;
  const hasIncome = customer.monthlyIncome !== undefined || customer.annualIncome !== undefined;
  if (!hasIncome) {
    const message = 'is missing; give it, above zero, or customer.annualIncome';
    problems.push({ field: 'customer.monthlyIncome', message });
  }
  checkAge(customer.dob, problems, today);
}

function readGold(
  body: Record<string, unknown>,
  problems: FieldProblem[],
  limits: GoldLimits,
): GoldLoanDetails | undefined {
  if (!isRecord(body.goldLoanDetails)) {
    problems.push({
      field: 'goldLoanDetails',
      message: missingOr(
        body.goldLoanDetails,
        'must be an object with jewellaryList and grams when the product is ONLINE_GOLD',
      ),
    });
    return undefined;
  }
  const given = body.goldLoanDetails;
  // The contract's spelling and the correct one.
  const list = given.jewellaryList ?? given.jewelleryList;
  const { grams, coinGrams } = given;
  const gold = checkBody(GoldLoanDetails, { grams, coinGrams, jewellaryList: list });
  const found = gold.problems.length > 0 ? gold.problems : goldProblems(gold.value, limits);
  for (const { field, message } of found) {
    problems.push({ field: `goldLoanDetails.${field}`, message });
  }
  return gold.value;
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '';
}
