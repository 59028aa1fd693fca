import { fileURLToPath } from 'node:url';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { FieldReader } from '../../../examples/lender/fields.ts';
import type { Question } from '../../../examples/lender/question.ts';
import { decideEligibility } from '../../../examples/lender/questions/eligibility.ts';
import { readConfigurationFile } from '../../../src/admin/index.js';
import { judge } from '../../../src/eligibility/published-rules.js';
import { EMPLOYMENT_TYPES, type EligibilityRules } from '../../../src/settings/index.js';
import { SANDBOX_DEPLOYMENT } from '../../support/deployments.js';
import { shippedTerms } from '../../support/reference-lenders.js';

const FILE = fileURLToPath(new URL('../../../config/sandbox.yaml', import.meta.url));
const WORDS = { salaried: 'SALARIED', selfEmployed: 'SELF_EMPLOYED' };

const shipped = new Map(shippedTerms().map((lender) => [lender.code, lender]));
const published = readConfigurationFile(FILE, SANDBOX_DEPLOYMENT, {}).lenders.flatMap(
  ({ code, products }) =>
    Object.entries(products)
      .filter(([, { eligibility }]) => eligibility)
      .map(([productCode, own]) => ({ code, productCode, own })),
);

const question = fc.record({
  loanAmount: fc.oneof(fc.integer({ min: 1_00, max: 20_000_000_00 }), fc.constant(300_000_00)),
  pinCode: fc.stringMatching(/^[1-9]\d{5}$/),
  employmentType: fc.constantFrom(...EMPLOYMENT_TYPES),
  monthlyIncome: fc.oneof(
    fc.integer({ min: 1, max: 100_000_00 }),
    fc.constantFrom(14_999_99, 15_000_00, 24_999_99, 25_000_00),
  ),
});
/** The shipped ones have whole multiples. */
const multiple = fc.option(
  fc.integer({ min: 10, max: 100_000 }).map((hundredths) => hundredths / 100),
);

it('the reference lender answers on eligibility as the built-in lenders do', () => {
  expect(published).toHaveLength(10);
  fc.assert(
    fc.property(fc.constantFrom(...published), question, multiple, (at, asked, times) => {
      const { code, productCode, own } = at;
      const lender = shipped.get(code)!;
      const terms = lender.products[productCode];
      const other = times === null ? {} : { maximumMonthlyIncomes: times };
      const rules: EligibilityRules = { ...own.eligibility, ...other };
      const inProcess = judge({ productCode, ...asked }, { ...own, eligibility: rules });
      const body = { productCode, ...asked, employmentType: WORDS[asked.employmentType] };
      const products = {
        [productCode]: { ...terms, eligibility: { ...terms.eligibility!, ...other } },
      };
      const outcome = decideEligibility({
        lender: { ...lender, products },
        body: new FieldReader(body),
      } as unknown as Question);
      expect(outcome.kind === 'VERDICT' && outcome.verdict).toEqual({
        ...inProcess,
        annualRatePercent: {
          min: String(inProcess.annualRatePercent?.min),
          max: String(inProcess.annualRatePercent?.max),
        },
      });
    }),
    { seed: 495, numRuns: 2_000 },
  );
});
