import { quoteLoan, repaymentSchedule } from '../../loans/index.js';
import type { KeyFactsInput } from './key-facts-input.js';

export function keyFactsExample(change: Partial<KeyFactsInput> = {}): KeyFactsInput {
  return {
    offerId: 'off_0192f0c1a2b34c5d8e9f0a1b2c3d4e5f',
    templateVersion: '5',
    issuedAt: '2026-11-20T19:00:00.000Z',
    validUntil: '2026-11-26T13:00:00.000Z',
    lenderLegalName: 'Example Finance Limited',
    lspName: 'Rinpath',
    grievanceOfficer: {
      name: 'Asha Rao',
      phone: '+91 80 0000 0000',
      email: 'grievance@lender.example',
    },
    loanType: 'Personal loan',
    quote: quoteLoan({
      principal: 20_000_00,
      annualRatePercent: 15,
      tenureMonths: 24,
      fees: [
        {
          name: 'Processing fee',
          payee: 'LENDER',
          amount: 240_00,
          gst: 37_00,
          percentOfPrincipal: 1,
        },
        { name: 'Insurance', payee: 'THIRD_PARTY', amount: 160_00 },
      ],
    }),
    schedule: repaymentSchedule(20_000_00, 15, 24),
    contingentCharges: [{ name: 'Penal charge', description: '2% a month on the overdue amount' }],
    coolingOffDays: 3,
    recoveryAgentsClause: 'Clause 11 of the loan agreement',
    grievanceRedressalClause: 'Clause 14 of the loan agreement',
    mayBeTransferred: true,
    recoveryAgentLsp: null,
    texts: {},
    ...change,
  };
}
