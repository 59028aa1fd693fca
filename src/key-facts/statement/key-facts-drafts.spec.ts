import { describe, expect, it } from 'vitest';
import type { FeeCharge } from '../../loans/index.js';
import { quoteLoan } from '../../loans/index.js';
import type { ServiceSettings } from '../../settings/index.js';
import { KeyFactsDrafts } from './key-facts-drafts.js';
import { keyFactsExample } from './key-facts-example.js';

const SETTINGS = { brand: () => Promise.resolve({ displayName: 'Rinpath' }) };

async function percentageOf(fee: Partial<FeeCharge>): Promise<number | null> {
  const fees: FeeCharge[] = [{ name: 'Fee', payee: 'LENDER', amount: 400_00, ...fee }];
  const quote = quoteLoan({
    principal: 20_000_00,
    annualRatePercent: 15,
    tenureMonths: 24,
    fees,
  });
  const drafts = new KeyFactsDrafts(SETTINGS as unknown as ServiceSettings);
  const { statement } = await drafts.drawUp({ ...keyFactsExample({ quote }), texts: { hi: {} } });
  return statement.part1.fees.payableToLender[0].percentOfPrincipal;
}

describe('the percentage of a charge in a new statement', () => {
  it.each<[string, Partial<FeeCharge>, number | null]>([
    ['stands where it gives the amount', { percentOfPrincipal: 2 }, 2],
    ['stands where it gives the amount with its tax', { percentOfPrincipal: 1.7, gst: 60_00 }, 1.7],
    ['is left out where a minimum has given it', { percentOfPrincipal: 1 }, null],
    ['is left out where there is none', {}, null],
  ])('%s', async (_, fee, percentage) => {
    expect(await percentageOf(fee)).toBe(percentage);
  });
});
