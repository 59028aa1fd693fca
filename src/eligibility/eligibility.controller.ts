import { Post } from '@nestjs/common';
import { CurrentKey, type PartnerKey, Scoped } from '../auth/index.js';
import type { EligibilityQuestion } from '../lenders/index.js';
import { paiseToRupees, rupeesToPaise } from '../loans/index.js';
import {
  checkBody,
  Fault,
  JsonBody,
  PartnerApi,
  PartnerCall,
  validationFault,
} from '../platform/index.js';
import { checkLoanAmount } from '../products/index.js';
import { type Product, ProductCatalogue } from '../settings/index.js';
import { type CheckedEligibility, EligibilityChecks } from './eligibility-checks.js';
import { EligibilityBody, EligibilityView, type LenderEligibilityView } from './eligibility.dto.js';

const EXAMPLES = {
  salaried: {
    summary: 'A salaried applicant',
    value: {
      productCode: 'ONLINE_PERSONAL',
      loanAmount: 200_000,
      pinCode: '110001',
      employmentType: 'salaried',
      monthlyIncome: 60_000,
    },
  },
};

const CheckEligibilityCall = PartnerCall({
  operationId: 'checkEligibility',
  summary: 'Ask which lenders are likely to make an offer',
  description:
    'By the lenders’ published rules. Lenders that answer themselves have two seconds. No credit bureau is ' +
    'asked, no lender is bound, and no later journey depends on it: every lender is still asked, and an offer ' +
    'may differ. Send nothing that identifies the applicant; unknown fields are ignored. The answer is ' +
    'recorded without the applicant’s details.',
  answer: EligibilityView,
  body: { type: EligibilityBody, examples: EXAMPLES },
  failures: ['product_not_assigned', 'product_unavailable'],
});

@PartnerApi('eligibility')
export class EligibilityController {
  constructor(
    private readonly products: ProductCatalogue,
    private readonly checks: EligibilityChecks,
  ) {}

  @CheckEligibilityCall
  @Post()
  @Scoped('journeys:write')
  async check(
    @CurrentKey() key: PartnerKey,
    @JsonBody() body: Record<string, unknown>,
  ): Promise<EligibilityView> {
    const question = readEligibilityQuestion(body, await this.products.list());
    const { productCode, loanAmount } = question;
    if (!key.products.has(productCode)) throw new Fault('product_not_assigned');
    const product = await this.products.find(productCode);
    if (!product?.isEnabled) throw new Fault('product_unavailable');
    const { id, lenders } = await this.checks.check(key.partnerId, question);
    return {
      eligibilityId: id,
      productCode,
      loanAmount: paiseToRupees(loanAmount),
      lenders: lenders.map(lenderView),
    };
  }
}

/** @throws Fault validation_failed naming every invalid field */
function readEligibilityQuestion(
  body: Record<string, unknown>,
  products: readonly Product[],
): EligibilityQuestion {
  const { value, problems } = checkBody(EligibilityBody, body);
  const { productCode, loanAmount, pinCode, employmentType, monthlyIncome, annualIncome } = value;
  if (monthlyIncome === undefined && annualIncome === undefined) {
    const message = 'is missing; give it, above zero, or annualIncome';
    problems.push({ field: 'monthlyIncome', message });
  }
  const product = products.find(({ code }) => code === productCode);
  checkLoanAmount(loanAmount, product, problems);
  if (problems.length > 0) throw validationFault(problems);
  return {
    productCode,
    loanAmount: rupeesToPaise(loanAmount),
    pinCode,
    employmentType,
    monthlyIncome:
      monthlyIncome === undefined
        ? Math.max(1, Math.floor(rupeesToPaise(annualIncome ?? 0) / 12))
        : rupeesToPaise(monthlyIncome),
  };
}

function lenderView({
  amount,
  annualRatePercent,
  tenureMonths,
  lenderCode,
  lenderName,
  verdict,
  reasons,
}: CheckedEligibility['lenders'][number]): LenderEligibilityView {
  return {
    lenderCode,
    lenderName,
    verdict,
    ...(reasons && { reasons }),
    ...(amount && { amount: { min: paiseToRupees(amount.min), max: paiseToRupees(amount.max) } }),
    ...(annualRatePercent && { annualRate: annualRatePercent }),
    ...(tenureMonths && { tenure: tenureMonths }),
  };
}
