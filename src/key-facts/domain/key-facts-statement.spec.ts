import { describe, expect, it } from 'vitest';
import { repaymentSchedule } from '../../loans/index.js';
import { canonicalJson } from '../../platform/index.js';
import { keyFactsExample } from './key-facts-example.js';
import type { KeyFactsInput } from './key-facts-input.js';
import { keyFactsStatement } from './key-facts-statement.js';

describe('keyFactsStatement', () => {
  it('carries the figures of Annex B of RBI/2024-25/18', () => {
    expect(keyFactsStatement(keyFactsExample()).aprComputation).toEqual({
      sanctionedAmount: 20_000_00,
      termMonths: 24,
      instalmentType: 'MONTHLY',
      instalment: 970_00,
      instalmentCount: 24,
      commencement: 'ONE_MONTH_AFTER_DISBURSAL',
      interestType: 'FIXED',
      annualRatePercent: 15,
      totalInterest: 3_274_00,
      feesPayable: 400_00,
      feesPayableToLender: 240_00,
      feesPayableToThirdParties: 160_00,
      netDisbursed: 19_600_00,
      totalPayable: 23_274_00,
      annualPercentageRate: 17.07,
      disbursal: 'UPFRONT',
    });
  });

  it('splits the fees into the lender’s and third parties’', () => {
    expect(keyFactsStatement(keyFactsExample()).part1.fees).toMatchObject({
      payableToLender: [{ name: 'Processing fee', amount: 240_00 }],
      payableToThirdParties: [
        {
          name: 'Insurance',
          frequency: 'ONE_TIME',
          amount: 160_00,
          gst: null,
          percentOfPrincipal: null,
        },
      ],
    });
  });

  it('states the qualitative facts as given and invents none', () => {
    expect(keyFactsStatement(keyFactsExample()).part2).toEqual({
      recoveryAgentsClause: 'Clause 11 of the loan agreement',
      grievanceRedressalClause: 'Clause 14 of the loan agreement',
      grievanceOfficer: {
        name: 'Asha Rao',
        phone: '+91 80 0000 0000',
        email: 'grievance@lender.example',
      },
      mayBeTransferred: true,
      collaborativeLending: null,
      digitalLoan: { coolingOffDays: 3, recoveryAgentLsp: null },
    });
  });

  it('is plain JSON that reads back as itself, so that its hash can be checked forever', () => {
    const statement = keyFactsStatement(keyFactsExample());
    const stored: unknown = JSON.parse(JSON.stringify(statement));
    expect(stored).toEqual(statement);
    expect(canonicalJson(stored)).toBe(canonicalJson(statement));
  });

  it('does not change when its input is changed afterwards', () => {
    const input = keyFactsExample();
    const statement = keyFactsStatement(input);
    const before = canonicalJson(statement);
    input.grievanceOfficer.name = 'Another Officer';
    input.quote.fees[0].amount = 1;
    input.schedule[0].principal = 1;
    expect(canonicalJson(statement)).toBe(before);
  });

  it.each<[string, Partial<KeyFactsInput>]>([
    ['an empty lender name', { lenderLegalName: ' ' }],
    ['no clause on recovery agents', { recoveryAgentsClause: '' }],
    ['no phone number', { grievanceOfficer: { name: 'A', phone: '', email: 'a@b.example' } }],
    ['a validity that ended before it began', { validUntil: '2026-11-20T19:00:00.000Z' }],
    ['a date without an offset', { issuedAt: '2026-11-20T19:00:00' }],
    ['no cooling-off period', { coolingOffDays: 0 }],
    ['part of a day as cooling-off period', { coolingOffDays: 1.5 }],
    ['no schedule', { schedule: [] }],
    ['another loan’s schedule', { schedule: repaymentSchedule(20_000_00, 16, 24) }],
  ])('refuses %s', (_, change) => {
    expect(() => keyFactsStatement(keyFactsExample(change))).toThrow(RangeError);
  });
});
