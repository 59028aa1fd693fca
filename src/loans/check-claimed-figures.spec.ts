import { describe, expect, it } from 'vitest';
import type { FeeCharge } from './fees.js';
import { checkClaimedFigures, type ClaimedFigures } from './check-claimed-figures.js';

const right: ClaimedFigures = {
  principal: 20_000_00,
  annualRatePercent: 15,
  tenureMonths: 24,
  instalment: 970_00,
  apr: 17.07,
  netDisbursed: 19_600_00,
  fees: [{ name: 'Processing fee', payee: 'LENDER', amount: 400_00 }],
};

describe('checkClaimedFigures', () => {
  it.each<Partial<ClaimedFigures>>([
    {},
    { instalment: 969_00 },
    { netDisbursed: 19_601_00 },
    { apr: 17.06 },
    { apr: 17.08 },
  ])('tolerates exactly a rupee and exactly 0.01 points: %o', (change) => {
    expect(checkClaimedFigures({ ...right, ...change }).disagreements).toEqual([]);
  });

  it.each<[Partial<ClaimedFigures>, string]>([
    [{ instalment: 971_01 }, 'instalment'],
    [{ netDisbursed: 19_598_99 }, 'netDisbursed'],
    [{ apr: 17.0801 }, 'apr'],
    [{ apr: 15 }, 'apr'],
  ])('names what disagrees by more: %o', (change, figure) => {
    const { disagreements } = checkClaimedFigures({ ...right, ...change });
    expect(disagreements.map((one) => one.figure)).toEqual([figure]);
  });

  it('lists every disagreement with both figures', () => {
    const { disagreements } = checkClaimedFigures({
      ...right,
      instalment: 900_00,
      netDisbursed: 20_000_00,
      apr: 15,
    });
    expect(disagreements).toEqual([
      { figure: 'instalment', claimed: 900_00, computed: 970_00 },
      { figure: 'netDisbursed', claimed: 20_000_00, computed: 19_600_00 },
      { figure: 'apr', claimed: 15, computed: 17.07 },
    ]);
  });

  it('expects the whole principal to arrive where the charges are paid up front, at the same APR', () => {
    const upFront = { ...right, areChargesPaidUpFront: true };
    const whole = checkClaimedFigures({ ...upFront, netDisbursed: 20_000_00 });
    expect(whole.disagreements).toEqual([]);
    expect(whole.quote).toMatchObject({ apr: 17.07, netDisbursed: 19_600_00 });
    expect(checkClaimedFigures(upFront).disagreements).toEqual([
      { figure: 'netDisbursed', claimed: 19_600_00, computed: 20_000_00 },
    ]);
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY])('never takes %s for agreement', (bad) => {
    const { disagreements } = checkClaimedFigures({
      ...right,
      instalment: bad,
      netDisbursed: bad,
      apr: bad,
    });
    expect(disagreements).toHaveLength(3);
  });

  it('takes a fee that is the share and its tax, the sum to the rupee', () => {
    // ₹338.98, and ₹61.02 tax.
    const fees = [{ ...right.fees[0], percentOfPrincipal: 1.6949, gst: 61_02 }];
    expect(checkClaimedFigures({ ...right, fees }).disagreements).toEqual([]);
  });

  it.each<[string, Partial<FeeCharge>, number]>([
    ['a paisa too much', { percentOfPrincipal: 2, amount: 400_01 }, 400_00],
    ['tax that is not stated', { percentOfPrincipal: 1.7 }, 340_00],
    ['nothing of it', { percentOfPrincipal: 0 }, 0],
  ])('names a fee whose percentage does not give it: %s', (_, change, computed) => {
    const fees = [{ ...right.fees[0], ...change }];
    const { percentOfPrincipal, amount: claimed } = fees[0];
    expect(checkClaimedFigures({ ...right, fees }).disagreements).toEqual([
      { figure: 'fee', claimed, computed, percentOfPrincipal },
    ]);
  });

  it('refuses a percentage that is no number', () => {
    const fees = [{ ...right.fees[0], percentOfPrincipal: Number.NaN }];
    expect(() => checkClaimedFigures({ ...right, fees })).toThrow(RangeError);
  });
});
