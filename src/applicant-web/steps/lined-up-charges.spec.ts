import { describe, expect, it } from 'vitest';
import { linedUpCharges } from './lined-up-charges.js';

const LATE = { name: 'Late payment', description: '2% a month' };
const RETURNED = { name: 'Returned payment', description: '₹400' };
const CLOSURE = { name: 'Early closure', description: 'None' };

describe('charges that fall due only if something happens', () => {
  it('stand in the same order for every offer, like beside like, however their names are written', () => {
    const [one, other] = linedUpCharges([
      [LATE, RETURNED],
      [CLOSURE, { name: ' late  Payment', description: '₹500' }],
    ]);
    expect(one).toEqual([
      { ...LATE, standing: 'STATED' },
      { ...RETURNED, standing: 'STATED' },
      { name: 'Early closure', standing: 'NOT_STATED' },
    ]);
    expect(other).toEqual([
      { name: 'Late payment', standing: 'STATED', description: '₹500' },
      { name: 'Returned payment', standing: 'NOT_STATED' },
      { ...CLOSURE, standing: 'STATED' },
    ]);
  });

  it('are none, and not unstated, for a lender that states that it has none', () => {
    const [, none] = linedUpCharges([[LATE], []]);
    expect(none).toEqual([{ name: 'Late payment', standing: 'NONE' }]);
  });

  it('keep both texts of a lender that gives one name twice', () => {
    const [[charge]] = linedUpCharges([[LATE, { ...LATE, description: 'at least ₹100' }]]);
    expect(charge.description).toBe('2% a month; at least ₹100');
  });

  it('are no rows when no lender has any', () => {
    expect(linedUpCharges([[], []])).toEqual([[], []]);
  });
});
