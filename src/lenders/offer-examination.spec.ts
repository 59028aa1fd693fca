import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { OffsetClock, type Tx } from '../platform/index.js';
import type { Lender } from '../settings/index.js';
import type { LenderOffer } from './lender-port.js';
import { OfferExamination } from './offer-examination.js';
import type { NewQuestion } from './store/question-outbox.js';
import { RefusedOffers } from './refused-offers.js';

const TX = {} as Tx;
const FEE = { name: 'Processing fee', payee: 'LENDER', amount: 400_00 } as const;

const IN_PROCESS = {
  code: 'one',
  name: 'One Finance Limited',
  terms: {
    products: {
      ONLINE_INSTANT: {
        contingentCharges: [{ name: 'Late', description: '2%' }],
        coolingOffDays: 3,
      },
    },
    grievanceOfficer: { name: 'Officer', phone: '1', email: 'o@example.com' },
  },
};
const LENDER = IN_PROCESS as unknown as Lender;
const OUTSIDE = { ...IN_PROCESS, remote: {} } as unknown as Lender;
const GOLD_LENDER = {
  ...IN_PROCESS,
  remote: {},
  terms: { ...IN_PROCESS.terms, products: { ONLINE_INSTANT: { gold: {} } }, branches: [] },
} as unknown as Lender;

const PRODUCT = { displayName: 'Instant loan', texts: { hi: { 'Instant loan': 'इंस्टेंट लोन' } } };

const SUBJECT = {
  subjectKind: 'INSTANT_LOAN',
  partnerId: 'demo',
  subjectId: 'app_1',
  applicationId: 'app_1',
  productCode: 'ONLINE_INSTANT',
  loanAmount: 20_000_00,
  refusal: 'OFFER_REFUSED:1',
  needsBranch: false,
  areChargesPaidUpFront: true,
} as const;

const OFFER: LenderOffer = {
  reference: 'OFFER-1',
  principal: 20_000_00,
  minimumAmount: 20_000_00,
  annualRatePercent: 15,
  tenureMonths: 24,
  instalment: 970_00,
  apr: 17.07,
  netDisbursed: 20_000_00,
  fees: [FEE],
  validUntil: '2026-11-30T18:00:00+05:30',
  collateralExplanation: null,
};

let flagged: object[];
let notices: NewQuestion[];
let lender: Lender;
let bankHolidays: string[];
const NOW = new Date('2026-11-23T10:00:00+05:30');
const DAY_MS = 86_400_000;
const clock = new OffsetClock();

const examination = new OfferExamination(
  { find: () => Promise.resolve(lender) } as never,
  { find: () => Promise.resolve(PRODUCT) } as never,
  new RefusedOffers(
    {
      raise: (_tx: Tx, flag: object) => Promise.resolve(void flagged.push(flag)),
    } as never,
    {
      put: (_tx: Tx, question: NewQuestion) => Promise.resolve(void notices.push(question)),
    } as never,
  ),
  { operating: () => Promise.resolve({ bankHolidays }) } as never,
  clock,
  { now: () => NOW } as never,
);

const take = (...offers: LenderOffer[]) => examination.take(TX, SUBJECT, 'one', { offers });

beforeEach(() => {
  vi.useFakeTimers({ now: NOW, toFake: ['Date'] });
  clock.setOffset(0);
  lender = LENDER;
  bankHolidays = [];
  flagged = [];
  notices = [];
});

afterEach(() => vi.useRealTimers());

describe('an offer of an instant loan', () => {
  it('that holds is taken with the figures computed here and the terms behind it', async () => {
    const [sound, ...others] = await take({ ...OFFER, areChargesPaidUpFront: true });
    expect(others).toEqual([]);
    expect(sound).toMatchObject({
      lender: LENDER,
      offer: OFFER,
      quote: { processingFees: 400_00, netDisbursed: 19_600_00, apr: 17.07 },
      terms: { coolingOffDays: 3, contingentCharges: [{ name: 'Late' }], branches: [] },
    });
    expect([flagged, notices]).toEqual([[], []]);
  });

  it('has the terms that its lender states, and what charges come to for an unpaid instalment, not what is configured', async () => {
    const charge = { name: 'Late payment', description: '2% a month, plus GST' };
    const ifUnpaid = {
      percentOfInstalment: 2,
      gstPercent: 18,
      every: 'MONTH',
      cause: 'LATE',
    } as const;
    const own = {
      coolingOffDays: 11,
      coLender: { name: 'Sahyadri Bank Limited', sharePercent: 80.5 },
    };
    const contingentCharges = [{ ...charge, ifUnpaid }];
    const [sound] = await take({ ...OFFER, ...own, contingentCharges });
    expect(sound.terms).toMatchObject({
      ...own,
      contingentCharges: [charge],
      unpaidCharges: [{ name: charge.name, ...ifUnpaid }],
    });
    const [without] = await take({ ...OFFER, contingentCharges: [charge] });
    expect(without.terms).not.toHaveProperty('unpaidCharges');
  });

  it.each<[string, object, { reason?: string; subject?: object; by?: Lender }]>([
    ['no tenure', { tenureMonths: 0 }, { reason: 'IMPOSSIBLE_TERMS' }],
    ['a date that is none', { validUntil: 'soon' }, { reason: 'VALIDITY_TOO_SHORT' }],
    ['an APR that is no number', { apr: Number.NaN }, {}],
    ['fees that are no list', { fees: 'none' }, {}],
    ['no day to change one’s mind', { coolingOffDays: 0 }, {}],
    [
      'a product that its lender does not serve',
      {},
      { subject: { productCode: 'ONLINE_GOLD' }, reason: 'PRODUCT_NOT_SERVED' },
    ],
    ['no branch for the gold', {}, { subject: { needsBranch: true }, reason: 'NO_BRANCH' }],
    ['no valuation of the gold', {}, { by: GOLD_LENDER, reason: 'NO_VALUATION' }],
  ])('is refused with %s', async (_, change, { reason = 'MALFORMED', subject, by = LENDER }) => {
    lender = by;
    const offers = [{ ...OFFER, ...change } as LenderOffer];
    expect(await examination.take(TX, { ...SUBJECT, ...subject }, 'one', { offers })).toEqual([]);
    expect(flagged).toMatchObject([{ kind: 'OFFER_REFUSED', detail: { reason } }]);
  });

  it.each([
    { every: 'MONTH' },
    { every: 'MONTH', percentOfInstalment: 101 },
    { every: 'TIME', flat: -1 },
    { every: 'DAY', flat: 400_00 },
    { every: 'TIME', flat: 400_00, cause: 'DEATH' },
    null,
  ])('is refused with a charge of %o', async (ifUnpaid) => {
    const charge = { name: 'Late payment', description: '2% a month', ifUnpaid };
    const offer = { ...OFFER, contingentCharges: [charge] } as unknown as LenderOffer;
    expect(await take(offer)).toEqual([]);
    expect(flagged).toMatchObject([{ kind: 'OFFER_REFUSED', detail: { reason: 'MALFORMED' } }]);
  });

  it('is held to three working days, of which bank holidays are none', async () => {
    const validUntil = '2026-11-26T18:00:00+05:30';
    expect(await take({ ...OFFER, validUntil })).toHaveLength(1);
    bankHolidays = ['2026-11-25'];
    expect(await take({ ...OFFER, validUntil })).toEqual([]);
    expect(flagged).toMatchObject([{ detail: { reason: 'VALIDITY_TOO_SHORT' } }]);
  });

  it.each<[string, Partial<LenderOffer>, { problem: string; stated?: string; computed?: string }]>([
    [
      'another amount than was asked for',
      { principal: 15_000_00, minimumAmount: 1 },
      { problem: 'RANGE', stated: 'principal ₹15,000', computed: '₹20,000' },
    ],
    [
      'more than was asked for',
      { principal: 20_000_01 },
      { problem: 'RANGE', stated: 'principal ₹20,000.01', computed: 'at most ₹20,000' },
    ],
    [
      'a minimum above its amount',
      { minimumAmount: 20_000_01 },
      { problem: 'RANGE', stated: 'minimumAmount ₹20,000.01', computed: 'at most ₹20,000' },
    ],
    ['charges taken off the payout', { netDisbursed: 19_600_00 }, { problem: 'NET_PAYOUT' }],
    ['another instalment', { instalment: 968_00 }, { problem: 'INSTALMENT', stated: '₹968' }],
    ['another APR', { apr: 15 }, { problem: 'APR', stated: '15%', computed: '17.07%' }],
    [
      'a fee that no gateway takes',
      { fees: [{ ...FEE, amount: 99 }] },
      { problem: 'FEES', stated: '₹0.99', computed: 'at least ₹1' },
    ],
    [
      'a fee that is not the percentage that it states',
      { fees: [{ ...FEE, percentOfPrincipal: 1 }] },
      { problem: 'FEES', stated: '₹400 as 1% of the principal', computed: '₹200' },
    ],
    ['no fee', { fees: [], apr: 15 }, { problem: 'FEES', stated: '₹0' }],
    [
      'charges that are due at another time than its product has',
      { areChargesPaidUpFront: false },
      { problem: 'FEES', stated: 'AT_PAYOUT', computed: 'BEFORE_PAYOUT' },
    ],
    [
      'two days to run',
      { validUntil: '2026-11-24T18:00:00+05:30' },
      {
        problem: 'VALIDITY',
        stated: '2026-11-24T18:00:00+05:30',
        computed: 'at least 3 working days',
      },
    ],
  ])('with %s is not, and the operator and the lender are notified', async (_, change, problem) => {
    expect(await take({ ...OFFER, ...change })).toEqual([]);
    expect(flagged).toMatchObject([{ kind: 'OFFER_REFUSED', subjectId: 'app_1' }]);
    // The flag has the same figures, or those of every disagreement.
    const { detail } = flagged[0] as { detail: object };
    const { problem: _word, ...figures } = problem;
    expect(detail).toMatchObject('disagreements' in detail ? {} : figures);
    expect(notices).toMatchObject([
      {
        kind: 'WITHDRAWAL',
        reference: 'OFFER_REFUSED:1',
        lenderCode: 'one',
        payload: {
          subjectKind: 'INSTANT_LOAN',
          withdrawal: {
            reason: 'OFFER_REFUSED',
            refusedOffers: [{ offerReference: 'OFFER-1', ...problem }],
          },
        },
      },
    ]);
  });
});

describe('an offer of a lender outside, in a sandbox that has travelled by 30 days', () => {
  const BY_MS = 30 * DAY_MS;

  beforeEach(() => clock.setOffset(BY_MS));

  it('is held to the three days by the machine’s time, and is valid as long after the travel', async () => {
    lender = OUTSIDE;
    const [sound] = await take(OFFER);
    expect(flagged).toEqual([]);
    const until = Date.parse(OFFER.validUntil) + BY_MS;
    expect(sound.offer).toEqual({ ...OFFER, validUntil: new Date(until).toISOString() });
    // Refused with the moment that the lender stated.
    const stated = '2026-11-24T18:00:00+05:30';
    expect(await take({ ...OFFER, validUntil: stated })).toEqual([]);
    expect(flagged).toMatchObject([{ detail: { stated } }]);
  });

  it('of a lender in the process is held to the travelled time', async () => {
    expect(await take(OFFER)).toEqual([]);
    const validUntil = new Date(Date.parse(OFFER.validUntil) + BY_MS).toISOString();
    const [sound] = await take({ ...OFFER, validUntil });
    expect(sound.offer.validUntil).toBe(validUntil);
  });
});
