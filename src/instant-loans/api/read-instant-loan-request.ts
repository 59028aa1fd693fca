import { checkAge, givenFields } from '../../applicants/index.js';
import { type PartnerConsent, readPartnerConsent } from '../../consents/index.js';
import type { LenderApplicant } from '../../lenders/index.js';
import { dayInIndia } from '../../loans/index.js';
import { checkBody, type FieldProblem, validationFault } from '../../platform/index.js';
import { checkLoanAmount } from '../../products/index.js';
import type { Product } from '../../settings/index.js';
import { type InstantCustomer, InstantLoanBody } from './instant-loan.dto.js';

interface InstantLoanRequest {
  /** In rupees; absent: the product's default. */
  readonly loanAmount?: number;
  readonly applicant: LenderApplicant;
  readonly consent: PartnerConsent;
}

/**
 * @param now the age and the consent's time are checked against it
 * @param product null: the amount is not checked
 * @throws Fault validation_failed naming every bad field
 */
export function readInstantLoanRequest(
  body: Record<string, unknown>,
  now: Date,
  product: Product | null,
): InstantLoanRequest {
  const { value, problems } = checkBody(InstantLoanBody, body);
  const isCustomer = !problems.some(({ field }) => field === 'customer');
  if (isCustomer) checkCustomer(value.customer, problems, dayInIndia(now));
  checkLoanAmount(value.loanAmount, product ?? undefined, problems);
  const hasAcceptedTerms = value.customer?.termsAccepted === true;
  const consent = readPartnerConsent(value.consent, hasAcceptedTerms, now, problems);
  if (problems.length > 0) throw validationFault(problems);
  return {
    ...(value.loanAmount !== undefined && { loanAmount: value.loanAmount }),
    consent,
    applicant: { ...givenFields(value.customer), mobile: value.mobile, pan: value.customer.pan },
  };
}

function checkCustomer(customer: InstantCustomer, problems: FieldProblem[], today: string): void {
  const isNamed = (field: string) => problems.some((problem) => problem.field === field);
  const hasName = customer.firstName !== undefined || customer.fullName !== undefined;
  if (!hasName && !isNamed('customer.firstName')) {
    const message = 'is missing; it must be given unless customer.fullName is';
    problems.push({ field: 'customer.firstName', message });
  }
  checkAge(customer.dob, problems, today);
}
