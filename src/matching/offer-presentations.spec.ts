import { describe, expect, it, vi } from 'vitest';
import { type Clock, IdGenerator } from '../platform/index.js';
import type { Lender } from '../settings/index.js';
import { lendersNotAsked, OfferPresentations } from './offer-presentations.js';
import type { Comparison } from './presentation.js';
import type { OfferPresentationsRepository } from './store/offer-presentations.repository.js';

const COMPARISON: Comparison = {
  partnerId: 'demo',
  subjectId: 'jrn_1',
  round: 1,
  place: 'API',
  language: null,
  productCode: 'ONLINE_PERSONAL',
  offers: [],
  lendersWithoutOffer: [],
};

function setUp() {
  const time = { now: '2026-11-24T18:29:00Z' };
  const clock = { now: () => new Date(time.now) } as Clock;
  const insert = vi.fn<OfferPresentationsRepository['insert']>().mockResolvedValue();
  const presentations = new OfferPresentations(
    { insert } as never,
    { list: () => Promise.resolve([]) } as never,
    new IdGenerator(clock),
    clock,
  );
  return { presentations, insert, time };
}

describe('a comparison that is shown again', () => {
  it('costs no round trip on the same day in India, and is recorded again on the next', async () => {
    const { presentations, insert, time } = setUp();
    for (let times = 0; times < 1_000; times += 1) await presentations.shown(COMPARISON);
    expect(insert).toHaveBeenCalledTimes(1);
    time.now = '2026-11-24T18:30:00Z';
    await presentations.shown(COMPARISON);
    expect(insert.mock.calls.map(([{ day }]) => day)).toEqual(['2026-11-24', '2026-11-25']);
  });

  it('is another one in another place, language or round, or when anything of it is another', async () => {
    const { presentations, insert } = setUp();
    const lendersWithoutOffer = (['DECLINED', 'OFFER_REFUSED'] as const).map((standing) => [
      { code: 'a', name: 'A', standing },
    ]);
    for (const other of [
      {},
      { place: 'PAGE', language: 'en' },
      { place: 'PAGE', language: 'hi' },
      { round: 2 },
      { lendersWithoutOffer: lendersWithoutOffer[0] },
      { lendersWithoutOffer: lendersWithoutOffer[1] },
      { lendersWithoutOffer: null },
    ] as Partial<Comparison>[]) {
      await presentations.shown({ ...COMPARISON, ...other });
    }
    const rows = insert.mock.calls.map(([row]) => row);
    expect(new Set(rows.map(({ fingerprint }) => fingerprint)).size).toBe(7);
    expect(new Set(rows.map(({ contentHash }) => contentHash)).size).toBe(4);
  });

  it('is recorded by the next reader when it could not be recorded by the first', async () => {
    const { presentations, insert } = setUp();
    insert.mockRejectedValueOnce(new Error('away'));
    await expect(presentations.shown(COMPARISON)).rejects.toThrow('away');
    await presentations.shown(COMPARISON);
    expect(insert).toHaveBeenCalledTimes(2);
  });
});

it('an eligibility is recorded without the ranges of amounts, which may reveal the income', async () => {
  const { presentations, insert } = setUp();
  const rules = { verdict: 'LIKELY', annualRatePercent: { min: 11, max: 24 } };
  const one = { lenderCode: 'a', amount: { min: 10_000_00, max: 1_224_691_20 }, ...rules };
  await presentations.eligibilityShown({
    partnerId: 'demo',
    subjectId: 'elg_1',
    productCode: 'ONLINE_PERSONAL',
    loanAmount: 200_000_00,
    lenders: [one],
  });
  expect(JSON.parse(insert.mock.calls[0][0].content)).toEqual({
    productCode: 'ONLINE_PERSONAL',
    loanAmount: 200_000_00,
    lenders: [{ lenderCode: 'a', ...rules }],
    lendersNotAsked: [],
  });
});

function lender(code: string, products: string[], isEnabled = true) {
  const terms = { products: Object.fromEntries(products.map((product) => [product, {}])) };
  return { code, name: code.toUpperCase(), isEnabled, terms } as unknown as Lender;
}

describe('the lenders that were not asked', () => {
  it('are those that are switched off, do not serve the product, do not lend the amount, or are not named', () => {
    const lenders = [
      lender('asked', ['GOLD']),
      lender('off', ['GOLD'], false),
      lender('other', ['PERSONAL']),
      lender('unnamed', ['GOLD']),
      lender('small', ['GOLD']),
    ];
    const notLending = new Set(['small']);
    expect(lendersNotAsked(lenders, 'GOLD', new Set(['asked']), notLending)).toEqual([
      { code: 'off', name: 'OFF', reason: 'SWITCHED_OFF' },
      { code: 'other', name: 'OTHER', reason: 'PRODUCT' },
      { code: 'unnamed', name: 'UNNAMED', reason: 'NOT_NAMED' },
      { code: 'small', name: 'SMALL', reason: 'AMOUNT' },
    ]);
  });
});
