import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { dayInIndia } from '../../../src/loans/index.js';
import type { LenderOffer, RefusedOffer } from '../../../src/lenders/index.js';
import { SandboxLender } from '../../../src/sandbox/index.js';
import { eventually } from '../../support/eventually.js';
import { DAY, JourneyBench, type TestJourney } from './journey-bench.js';

let bench: JourneyBench;
/** What the lender was told of in withdrawals. */
let withdrawals: unknown[] = [];

beforeAll(async () => {
  bench = await JourneyBench.open();
  await bench.keepOneLender();
});

afterEach(() => {
  vi.restoreAllMocks();
  withdrawals = [];
});

afterAll(() => bench.close());

/** Has the lender answer with its offer as `change` makes of it. */
async function offered(
  change: (offer: LenderOffer) => LenderOffer[],
  options: { productCode?: string; refused?: RefusedOffer[] } = {},
): Promise<TestJourney> {
  const connector = bench.service.get(SandboxLender);
  const ask = connector.ask.bind(connector);
  vi.spyOn(connector, 'ask').mockImplementation(async (question) => {
    if (question.kind === 'WITHDRAWAL') withdrawals.push(question.payload);
    const reply = await ask(question);
    if (reply.status !== 'ANSWERED' || reply.answer.kind !== 'OFFERED') return reply;
    const offers = reply.answer.offers.flatMap(change);
    return { ...reply, answer: { kind: 'OFFERED', offers, refused: options.refused } };
  });
  const journey = await bench.start(options);
  await journey.wasAnswered(1);
  return journey;
}

function isWeekdayInIndia(time: Date): boolean {
  return ![0, 6].includes(new Date(`${dayInIndia(time)}T00:00:00Z`).getUTCDay());
}

const in2Days = (now: Date) => new Date(now.getTime() + 2 * DAY).toISOString();

describe('the lender of an offer that is refused', () => {
  it('is told why, with its figure and ours', async () => {
    await offered((offer) => [{ ...offer, instalment: offer.instalment + 200_00 }]);
    await eventually(() => {
      expect(withdrawals).toMatchObject([
        {
          applicant: { mobile: '', pan: '' },
          withdrawal: {
            reason: 'OFFER_REFUSED',
            refusedOffers: [
              { problem: 'INSTALMENT', stated: expect.stringMatching(/^₹/) as string },
            ],
          },
        },
      ]);
    });
  });

  it('is told of one that its connector could not bring, beside one that is shown', async () => {
    const refused = [{ offerReference: 'B-1', problem: 'REPAYMENT_KIND', stated: 'BULLET' }];
    const journey = await offered((offer) => [offer], { refused });
    expect(await journey.reaches('OFFERS_RECEIVED')).toMatchObject({ offers: [{}] });
    expect(await journey.flags()).toMatchObject([
      { kind: 'OFFER_REFUSED', detail: { lenderCode: 'navdhara', problem: 'REPAYMENT_KIND' } },
    ]);
    await eventually(() => {
      expect(withdrawals).toMatchObject([
        { withdrawal: { reason: 'OFFER_REFUSED', refusedOffers: refused } },
      ]);
    });
  });
});

describe('an offer against gold', () => {
  const ofThisOne = 'WHERE code = $1';

  afterEach(() => bench.configure(`UPDATE lenders SET remote = NULL ${ofThisOne}`, ['navdhara']));

  it('is refused when a lender outside the process does not say what the gold is worth', async () => {
    const remote = { address: 'https://lender.example/rlp', keys: { kind: 'PINNED', keys: [] } };
    await bench.configure(`UPDATE lenders SET remote = $2 ${ofThisOne}`, ['navdhara', remote]);
    const journey = await offered((offer) => [{ ...offer, goldValuation: undefined }], {
      productCode: 'ONLINE_GOLD',
    });
    expect(await journey.flags()).toMatchObject([
      { kind: 'OFFER_REFUSED', detail: { reason: 'NO_VALUATION' } },
    ]);
    await eventually(() => {
      expect(withdrawals).toMatchObject([{ withdrawal: { refusedOffers: [{ problem: 'LTV' }] } }]);
    });
  });
});

describe('an offer that does not hold water is refused and flagged', () => {
  it.each([
    [
      'instalment',
      'an instalment ₹2 too low',
      (o: LenderOffer) => ({ instalment: o.instalment - 200 }),
    ],
    [
      'netDisbursed',
      'a net amount ₹2 too high',
      (o: LenderOffer) => ({ netDisbursed: o.netDisbursed + 200 }),
    ],
    [
      'netDisbursed, apr',
      'fees that it does not count',
      (o: LenderOffer) => ({ fees: [...o.fees, ...o.fees] }),
    ],
  ])('for its %s: %s', async (figures, _, wrong) => {
    const journey = await offered((offer) => [{ ...offer, ...wrong(offer) }]);
    expect(await journey.reaches('REJECTED')).toMatchObject({
      offers: [],
      outcomeReason: 'NO_OFFERS',
    });
    expect(await journey.flags()).toMatchObject([
      { kind: 'OFFER_REFUSED', detail: { lenderCode: 'navdhara', reason: 'FIGURES_DISAGREE' } },
    ]);
    const [flag] = await journey.flags();
    const disagreements = flag.detail.disagreements as { figure: string }[];
    expect(disagreements.map(({ figure }) => figure).join(', ')).toBe(figures);
  });

  it.each([
    ['a minimum above its amount', { minimumAmount: 200_000_01 }, 'AMOUNT_OUT_OF_RANGE'],
    ['no tenure', { tenureMonths: 0 }, 'IMPOSSIBLE_TERMS'],
    ['a date that is none', { validUntil: 'soon' }, 'VALIDITY_TOO_SHORT'],
    ['an APR that is no number', { apr: Number.NaN }, 'MALFORMED'],
    ['fees that are no list', { fees: 'none' }, 'MALFORMED'],
  ])('with %s', async (_, wrong, reason) => {
    const journey = await offered((offer) => [{ ...offer, ...wrong } as LenderOffer]);
    await journey.reaches('REJECTED');
    expect(await journey.flags()).toMatchObject([{ kind: 'OFFER_REFUSED', detail: { reason } }]);
  });

  it('with less than three working days to run', async () => {
    const validUntil = in2Days(bench.service.now());
    const journey = await offered((offer) => [{ ...offer, validUntil }]);
    await journey.reaches('REJECTED');
    const [flag] = await journey.flags();
    expect(flag).toMatchObject({ kind: 'OFFER_REFUSED', detail: { reason: 'VALIDITY_TOO_SHORT' } });
  });

  it('with less than three working days to run, when the banks are closed on one of them', async () => {
    const now = bench.service.now();
    const day = (days: number) => new Date(now.getTime() + days * DAY);
    // Seven days hold five working ones; with these three closed they hold two.
    const closed = [1, 2, 3, 4, 5, 6, 7]
      .map(day)
      .filter(isWeekdayInIndia)
      .slice(0, 3)
      .map(dayInIndia);
    const journeyOffered = () =>
      offered((offer) => [{ ...offer, validUntil: day(7).toISOString() }]);
    await bench.configure(
      `UPDATE configuration SET settings = settings || jsonb_build_object('bankHolidays', $1::jsonb)`,
      [JSON.stringify(closed)],
    );
    const refused = await journeyOffered();
    await refused.reaches('REJECTED');
    expect(await refused.flags()).toMatchObject([
      { kind: 'OFFER_REFUSED', detail: { reason: 'VALIDITY_TOO_SHORT' } },
    ]);
    vi.restoreAllMocks();
    await bench.configure(`UPDATE configuration SET settings = settings - 'bankHolidays'`);
    await (await journeyOffered()).reaches('OFFERS_RECEIVED');
  });

  it('for a product that the lender is not down for', async () => {
    const terms = await bench.query<{ terms: object }>(
      `SELECT terms FROM lenders WHERE code = 'navdhara'`,
    );
    // It is asked while it serves the product, and answers when it no longer does.
    vi.spyOn(bench.service.get(SandboxLender), 'ask').mockResolvedValue({ status: 'PENDING' });
    const journey = await bench.start();
    await journey.wasAskedAbout();
    await bench.configure(`UPDATE lenders SET terms = terms #- '{products,ONLINE_PERSONAL}'`);
    await bench.deliverTo(
      journey.id,
      { kind: 'OFFERED', offers: [bench.soundOffer()] },
      { kind: 'OFFERS', reference: '1' },
    );
    await bench.configure(`UPDATE lenders SET terms = $1 WHERE code = 'navdhara'`, [
      terms[0].terms,
    ]);
    const [flag] = await journey.flags();
    expect(flag).toMatchObject({ kind: 'OFFER_REFUSED', detail: { reason: 'PRODUCT_NOT_SERVED' } });
  });
});

describe('offers that are refused for the same reason', () => {
  it('are one flag, with their number', async () => {
    const wrong = (offer: LenderOffer, reference: string) => ({
      ...offer,
      reference,
      apr: offer.apr + 5,
    });
    const journey = await offered((offer) => [
      wrong(offer, 'one'),
      wrong(offer, 'two'),
      { ...offer, tenureMonths: 0 },
    ]);
    await journey.reaches('REJECTED');
    expect(await journey.flags()).toMatchObject([
      { kind: 'OFFER_REFUSED', count: 2, detail: { reason: 'FIGURES_DISAGREE' } },
      { kind: 'OFFER_REFUSED', count: 1, detail: { reason: 'IMPOSSIBLE_TERMS' } },
    ]);
  });
});

describe('offers beside it', () => {
  it('are taken all the same, one that is off by rounding alone among them', async () => {
    const journey = await offered((offer) => [
      { ...offer, reference: 'wrong', apr: offer.apr + 5 },
      { ...offer, reference: 'good', instalment: offer.instalment + 100, apr: offer.apr + 0.01 },
      bench.soundOffer(),
    ]);
    const { offers } = await journey.reaches('OFFERS_RECEIVED');
    expect(offers).toHaveLength(2);
    // What is shown is what was computed here, not what the lender claimed.
    expect(offers[0]).toMatchObject({ apr: 0, emiAmount: 10_000, interestRate: 0 });
    expect(offers[1].emiAmount).toBe(6_594);
    expect(await journey.flags()).toHaveLength(1);
  });
});
