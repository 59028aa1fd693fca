import { describe, expect, it } from 'vitest';
import { written } from '../../platform/index.js';
import type { UnpaidCharge } from '../../settings/index.js';
import { lateCharge, shortCharge } from './late-charge.js';

const TEXT = '2% a month of the overdue instalment, plus GST';
const CHARGES = [
  { name: 'Late payment', description: TEXT },
  { name: 'Early closure', description: '3% of the principal' },
];
const LATE: UnpaidCharge = {
  name: 'Late payment',
  percentOfInstalment: 2,
  gstPercent: 18,
  every: 'MONTH',
  cause: 'LATE',
};
const same = (text: string) => text;

function charged(...terms: Parameters<typeof lateCharge>) {
  return written(lateCharge(...terms), 'en');
}

function inShort(charge: Partial<UnpaidCharge>): string | null {
  const { name, cause } = LATE;
  const unpaidCharges = [{ name, cause, every: 'TIME' as const, ...charge }];
  return written(shortCharge({ unpaidCharges }, 'LATE'), 'en');
}

describe('the charge for a late instalment', () => {
  it.each([
    [{ percentOfInstalment: 2, gstPercent: 18, every: 'MONTH' as const }, '2% a month + GST'],
    [{ percentOfInstalment: 1.5, every: 'MONTH' as const }, '1.5% a month'],
    [{ flat: 50_000, gstPercent: 18 }, '₹500 + GST'],
    [{ percentOfInstalment: 3 }, '3% of the EMI'],
    [{ flat: 10_000, percentOfInstalment: 2, every: 'MONTH' as const }, '₹100 + 2% a month'],
  ])('%j is said as %s', (charge, text) => {
    expect(inShort(charge)).toBe(text);
  });

  it('is the lender’s own text whole where its figures are not known', () => {
    const { cause: _, ...unnamed } = LATE;
    const known = { contingentCharges: CHARGES, unpaidCharges: [unnamed] };
    expect(charged(known, same)).toEqual({ value: TEXT, isText: true });
    expect(charged({ contingentCharges: CHARGES }, (text) => `hi: ${text}`)).toEqual({
      value: `hi: ${TEXT}`,
      isText: true,
    });
  });

  it('is not stated where the lender names other charges, and none where it names none', () => {
    const others = { contingentCharges: CHARGES.slice(1) };
    expect(charged(others, same)).toEqual({ value: 'not stated' });
    expect(charged({ contingentCharges: [] }, same)).toEqual({ value: 'no charge' });
  });
});
