import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { LenderOffer } from '../../../src/lenders/index.js';
import { SandboxLender } from '../../../src/sandbox/index.js';
import { JourneyBench, type TestJourney } from './journey-bench.js';
import type { ProductTerms } from '../../../src/settings/index.js';

const ASKED = 200_000;
const LESS = 100_000;

type Fees = ProductTerms['fees'];
type Change = (quote: LenderOffer) => Partial<LenderOffer>;

let bench: JourneyBench;

beforeAll(async () => {
  bench = await JourneyBench.open();
  await bench.keepOneLender();
});

afterEach(() => {
  vi.restoreAllMocks();
});

afterAll(() => bench.close());

/** Has the lender quote once by other terms than it offered by, and then as `change` makes of it. */
function quotesOnce(otherTerms: (terms: ProductTerms) => Partial<ProductTerms>, change: Change) {
  const connector = bench.service.get(SandboxLender);
  const quote = connector.quote.bind(connector);
  vi.spyOn(connector, 'quote').mockImplementationOnce(async (request) => {
    const terms = structuredClone(request.lender.terms);
    Object.assign(terms.products.ONLINE_PERSONAL, otherTerms(terms.products.ONLINE_PERSONAL));
    const quoted = (await quote({
      ...request,
      lender: Object.assign({}, request.lender, { terms }),
    }))!;
    return { ...quoted, ...change(quoted) };
  });
}

/** The same with other fees alone: all that the lender quotes is right by them. */
function quotesFeesOnce(otherFees: (fees: Fees) => Fees): void {
  quotesOnce(
    ({ fees }) => ({ fees: otherFees(fees) }),
    () => ({}),
  );
}

/** That the choice was refused, changed nothing, was flagged for the operator, and can be made again. */
async function expectRefused(journey: TestJourney, loanAmount: number): Promise<void> {
  const before = await journey.read();
  const { status, json } = await journey.select({ loanAmount });
  expect([status, json.code]).toEqual([409, 'offer_expired']);
  expect(await journey.read()).toEqual(before);
  expect(await journey.eventNames()).toEqual(['journey.initiated', 'journey.offers_received']);
  const frozen = await bench.query('SELECT 1 FROM key_facts_statements WHERE journey_id = $1', [
    journey.id,
  ]);
  expect(frozen).toEqual([]);
  expect(await journey.flags()).toMatchObject([
    { kind: 'OFFER_REFUSED', detail: { reason: 'QUOTE_DIFFERS', lenderCode: 'navdhara' } },
  ]);
  expect((await journey.select({ loanAmount })).status).toBe(200);
}

describe('409: the lender quotes something else than it offered', () => {
  const sameTerms = () => ({});
  const right = () => ({});

  it.each<[string, Change, (terms: ProductTerms) => Partial<ProductTerms>]>([
    ['an instalment that is too low', () => ({ instalment: 1_00 }), sameTerms],
    ['an APR that is too low', () => ({ apr: 1 }), sameTerms],
    ['a net amount that is too high', () => ({ netDisbursed: ASKED * 100 }), sameTerms],
    ['another amount', () => ({ principal: 100_000_00 }), sameTerms],
    ['another offer', () => ({ reference: 'another' }), sameTerms],
    ['terms that make no loan', () => ({ tenureMonths: 0 }), sameTerms],
    ['no list of fees', () => ({ fees: undefined }), sameTerms],
    ['a fee that is none', () => ({ fees: [null] as never }), sameTerms],
    // The rest is right by its own terms, so that nothing but the terms speaks against it.
    ['a higher rate', right, () => ({ annualRatePercent: 30 })],
    ['a lower rate', right, () => ({ annualRatePercent: 11.48 })],
    ['a longer tenure', right, () => ({ tenureMonths: 120 })],
  ])('%s: nothing has changed, and the operator is told', async (_, change, otherTerms) => {
    const journey = await bench.startWithOffers();
    quotesOnce(otherTerms, change);
    await expectRefused(journey, ASKED);
  });
});

describe('the operator', () => {
  const differs = (offerId: string) => ({
    kind: 'OFFER_REFUSED',
    detail: { offerId, reason: 'QUOTE_DIFFERS' },
  });

  it('is told once of an offer, however often it is tried, and of another by itself', async () => {
    const journey = await bench.startWithOffers();
    const [{ offerId }] = await journey.offers();
    await bench.query(
      `INSERT INTO operator_flags (partner_id, subject_id, kind, cause, detail)
       SELECT partner_id, subject_id, 'OFFER_REFUSED', 'another', '{"offerId":"another","reason":"QUOTE_DIFFERS"}'
       FROM lender_questions WHERE subject_id = $1 LIMIT 1`,
      [journey.id],
    );
    for (let tries = 0; tries < 3; tries += 1) {
      quotesOnce(
        () => ({}),
        () => ({ apr: 1 }),
      );
      expect((await journey.select({ loanAmount: ASKED })).status).toBe(409);
    }
    expect(await journey.flags()).toMatchObject([differs('another'), differs(offerId)]);
  });
});

describe('409: the lender quotes other charges than it offered', () => {
  it.each<[string, number, (fees: Fees) => Fees]>([
    [
      'a rupee more on the whole amount',
      ASKED,
      ([first, ...others]) => [{ ...first, flat: 1_00 }, ...others],
    ],
    [
      'a rupee less on the whole amount',
      ASKED,
      ([first, second]) => [first, { ...second, percentOfPrincipal: 0.0995 }],
    ],
    [
      'the same in sum, divided otherwise',
      ASKED,
      ([first, second]) => [
        { ...first, gstPercent: 0 },
        { ...second, flat: 720_00 },
      ],
    ],
    [
      'more on less than the charge on the whole amount was',
      LESS,
      // ₹4,721, where ₹4,720 was shown for ₹2,00,000.
      ([first, ...others]) => [{ ...first, percentOfPrincipal: 4.721, gstPercent: 0 }, ...others],
    ],
    ['one more', ASKED, (fees) => [...fees, { name: 'Visit', payee: 'LENDER', flat: 1_00 }]],
    ['one fewer', ASKED, ([first]) => [first]],
    [
      'one under another name',
      ASKED,
      ([first, ...others]) => [{ ...first, name: 'Fee' }, ...others],
    ],
    [
      'one that somebody else takes',
      ASKED,
      ([first, ...others]) => [{ ...first, payee: 'THIRD_PARTY' }, ...others],
    ],
  ])('%s: nothing has changed, and the operator is told', async (_, loanAmount, otherFees) => {
    const journey = await bench.startWithOffers();
    quotesFeesOnce(otherFees);
    await expectRefused(journey, loanAmount);
  });
});
