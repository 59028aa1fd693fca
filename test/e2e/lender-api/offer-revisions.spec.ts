import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { SandboxLender } from '../../../src/sandbox/index.js';
import { eventually } from '../../support/eventually.js';
import { DAY } from '../journeys/journey-bench.js';
import { CallbackBench, type TestJourney } from './callback-bench.js';

let bench: CallbackBench;

beforeAll(async () => {
  bench = await CallbackBench.open();
});

afterEach(() => {
  vi.restoreAllMocks();
});

afterAll(() => bench.close());

/** ₹10,000 for a year at 12 percent, without charges: ₹888.49 a month. */
const OFFER = {
  reference: 'R-2',
  principal: 1_000_000,
  minimumAmount: 1_000_000,
  tenureMonths: 12,
  rate: { kind: 'FIXED', annualPercent: '12' },
  repayment: { kind: 'EMI', instalment: 88_800 } as object,
  apr: '12.00',
  netPayout: 1_000_000,
  fees: [],
};
const FIGURES = {
  instalment: { stated: 88_800, computed: 88_800 },
  netPayout: { stated: 1_000_000, computed: 1_000_000 },
  apr: { stated: 12, computed: 12 },
};

async function chosen(): Promise<TestJourney> {
  const journey = await bench.journeys.startWithOffers();
  await journey.select();
  return journey;
}

async function revision(journey: TestJourney, offer: object = {}, more: object = {}) {
  const validUntil = new Date(bench.journeys.service.now().getTime() + 30 * DAY).toISOString();
  return {
    id: bench.newId(),
    ...(await bench.applicationOf(journey)),
    reason: 'GOLD_APPRAISED',
    revisedAt: '2026-11-25T09:00:00+05:30',
    offer: { ...OFFER, validUntil, ...offer },
    ...more,
  };
}

describe('a revised offer', () => {
  it('that holds is put before the operator with both figures, once, and moves nothing', async () => {
    const journey = await chosen();
    const body = await revision(journey);
    for (const _ of [1, 2]) {
      expect((await bench.lender.tell('offer-revisions', body)).status).toBe(202);
    }
    expect(await journey.flags()).toMatchObject([
      {
        kind: 'OFFER_REVISED',
        detail: { reason: 'GOLD_APPRAISED', holds: true, figures: FIGURES, offerReference: 'R-2' },
      },
    ]);
    expect((await journey.read()).state).toBe('KYC_PENDING');
    expect((await bench.kept('OFFER_REVISION')).at(-1)).toMatchObject({ messageId: body.id });
  });

  it.each<[string, object, object]>([
    [
      'in another shape',
      {
        repayment: {
          kind: 'BULLET',
          schedule: [
            { dueOn: '2027-11-25', principal: 1_000_000, interest: 120_000, amount: 1_120_000 },
          ],
        },
      },
      { problem: 'REPAYMENT_KIND', stated: 'BULLET', computed: 'EMI' },
    ],
    [
      'with another instalment than ours',
      { repayment: { kind: 'EMI', instalment: 89_000 } },
      { problem: 'INSTALMENT', stated: '₹890', computed: '₹888' },
    ],
    [
      'with another APR than ours',
      { apr: '11.50' },
      { problem: 'APR', stated: '11.5%', computed: '12%' },
    ],
    [
      'that has run out',
      { validUntil: '2026-11-20T09:00:00+05:30' },
      { problem: 'VALIDITY', stated: '2026-11-20T09:00:00+05:30' },
    ],
    ['that is no loan', { netPayout: 1, fees: [fee(1_000_000)] }, { problem: 'OTHER' }],
  ])('%s is refused by its name: operator and lender read why', async (_, offer, problem) => {
    const journey = await chosen();
    const connector = bench.journeys.service.get<SandboxLender>(SandboxLender);
    const ask = connector.ask.bind(connector);
    const told: unknown[] = [];
    vi.spyOn(connector, 'ask').mockImplementation((question) => {
      if (question.kind === 'WITHDRAWAL') told.push(question.payload);
      return ask(question);
    });
    const body = await revision(journey, offer);
    expect((await bench.lender.tell('offer-revisions', body)).status).toBe(202);
    const refused = { offerReference: 'R-2', ...problem };
    expect(await journey.flags()).toMatchObject([
      { kind: 'OFFER_REVISED', detail: { holds: false, problems: [refused] } },
    ]);
    await eventually(() => {
      expect(told).toMatchObject([
        {
          applicant: { mobile: '', pan: '' },
          applicationId: body.applicationId,
          withdrawal: { reason: 'OFFER_REFUSED', refusedOffers: [refused] },
        },
      ]);
    });
    await bench.lender.tell('offer-revisions', body);
    expect(await journey.flags()).toHaveLength(1);
    expect((await journey.read()).state).toBe('KYC_PENDING');
  });

  it('names the application as the lender does', async () => {
    const journey = await chosen();
    const other = await revision(journey, {}, { applicationReference: 'ANOTHER' });
    expect((await bench.lender.tell('offer-revisions', other)).status).toBe(404);
    expect(await journey.flags()).toEqual([]);
  });
});

function fee(amount: number): object {
  return { name: 'Charge', payee: 'LENDER', amount, due: 'AT_PAYOUT' };
}
