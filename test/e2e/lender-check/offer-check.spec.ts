import { describe, expect, it } from 'vitest';
import { Checks } from '../../../examples/lender-check/checks.ts';
import type { Offer } from '../../../examples/lender-check/loan/offer.ts';
import {
  checkApr,
  checkGold,
  checkInstalment,
  checkNetPayout,
  checkSchedule,
  checkValidity,
} from '../../../examples/lender-check/loan/offer-check.ts';
import {
  GOLD_OFFER,
  INSTANT_OFFER,
  PERSONAL_OFFER,
} from '../../../src/lender-api/document/offer-examples.js';

/** Repaid in one payment. */
const BULLET_OFFER = {
  ...GOLD_OFFER,
  reference: 'in one payment',
  principal: 20_000_000,
  repayment: {
    kind: 'BULLET',
    schedule: [
      { dueOn: '2027-11-24', principal: 20_000_000, interest: 2_300_000, amount: 22_300_000 },
    ],
  },
  apr: '11.53',
  netPayout: 19_882_000,
  fees: [{ name: 'Fee', payee: 'LENDER', due: 'AT_PAYOUT', amount: 118_000, gst: 18_000 }],
};

const PAID_OUT = new Date('2026-11-24T11:42:31+05:30');

function holds(look: (check: Checks) => void): boolean {
  const check = new Checks();
  look(check);
  return check.findings.every((finding) => finding.holds);
}

/** The service computed the examples of the protocol's document, not this tool. */
describe('the arithmetic of an offer', () => {
  const examples = [PERSONAL_OFFER, GOLD_OFFER, BULLET_OFFER, INSTANT_OFFER] as unknown as Offer[];

  it.each(examples)('agrees with the offer $reference', (offer) => {
    expect(holds((check) => checkInstalment(check, offer))).toBe(true);
    expect(holds((check) => checkApr(check, offer, PAID_OUT))).toBe(true);
    expect(holds((check) => checkNetPayout(check, offer))).toBe(true);
    expect(holds((check) => checkSchedule(check, offer))).toBe(true);
  });

  it('has RBI’s worked example', () => {
    // RBI/2024-25/18, Annex B: ₹20,000 for 24 months at 15 %, fees of ₹400: an APR of 17.07 %.
    const offer = {
      ...PERSONAL_OFFER,
      principal: 2_000_000,
      rate: { kind: 'FIXED', annualPercent: '15' },
      repayment: { kind: 'EMI', instalment: 97_000 },
      fees: [{ name: 'Fee', payee: 'LENDER', due: 'AT_PAYOUT', amount: 40_000 }],
      netPayout: 1_960_000,
      apr: '17.07',
    } as unknown as Offer;
    expect(holds((check) => checkApr(check, offer, PAID_OUT))).toBe(true);
    expect(holds((check) => checkInstalment(check, offer))).toBe(true);
    expect(holds((check) => checkApr(check, { ...offer, apr: '17.09' }, PAID_OUT))).toBe(false);
  });

  it('counts working days in India', () => {
    const friday = new Date('2026-11-20T10:00:00+05:30');
    const until = (validUntil: string) =>
      holds((check) => checkValidity(check, { ...examples[0], validUntil }, friday));
    expect(until('2026-11-24T23:59:00+05:30')).toBe(false);
    expect(until('2026-11-25T00:01:00+05:30')).toBe(true);
  });

  it('sees a schedule that does not repay the loan, and gold that is lent on too much', () => {
    const [, gold, bullet] = examples as [Offer, Offer, Offer];
    const [entry] = bullet.repayment.schedule ?? [];
    const short = { ...entry, principal: 19_999_900, amount: 22_299_900 };
    const repayment = { ...bullet.repayment, schedule: [short] } as Offer['repayment'];
    expect(holds((check) => checkSchedule(check, { ...bullet, repayment }))).toBe(false);
    expect(holds((check) => checkGold(check, gold))).toBe(true);
    expect(holds((check) => checkGold(check, { ...gold, principal: 27_000_000 }))).toBe(false);
  });
});
