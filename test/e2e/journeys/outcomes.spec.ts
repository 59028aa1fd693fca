import { expect, it } from 'vitest';
import { OfferDeadlinesTasks } from '../../../src/journeys/background/journey.tasks.js';
import { type TestJourney, journeyBench } from './journey-bench.js';

const UNTIL_SIGNED = [
  'journey.initiated',
  'journey.offers_received',
  'journey.offer_selected',
  'journey.kyc_done',
  'journey.enach_done',
  'journey.esign_done',
];
const ALL_EVENTS = [...UNTIL_SIGNED, 'journey.completed'];
const GOLD_EVENTS = ALL_EVENTS.filter((name) => name !== 'journey.enach_done');

const bench = journeyBench();

interface EventBody {
  readonly id: string;
  readonly createdAt: string;
  readonly data: object;
}

async function leadStatus(journey: TestJourney): Promise<unknown> {
  const { applicationId } = await journey.read();
  return (await bench.demo.get(`/leads/${applicationId}/status`)).json.data.status;
}

it.each([
  ['ONLINE_PERSONAL', ALL_EVENTS],
  ['ONLINE_GOLD', GOLD_EVENTS],
])(
  'any other PAN takes %s to SANCTIONED, its events numbered from 1, with their state and without a link',
  async (productCode, expected) => {
    const journey = await bench.startWithOffers({ productCode });
    const end = await journey.complete();
    expect(end).toMatchObject({ state: 'SANCTIONED', outcome: 'SANCTIONED' });
    expect(end).not.toHaveProperty('outcomeReason');
    const over = { type: 'JOURNEY_COMPLETED', category: 'DONE' };
    expect(end.currentNextAction).toEqual(over);
    const { disbursedAt } = end as typeof end & { disbursedAt: string };
    const age = bench.service.now().getTime() - Date.parse(disbursedAt);
    expect(Math.abs(age)).toBeLessThan(10_000);
    expect(await leadStatus(journey)).toBe('SANCTIONED');
    expect(await journey.flags()).toEqual([]);

    const events = await journey.events();
    expect(events.map(({ name, sequence }) => [sequence, name])).toEqual(
      expected.map((name, index) => [index + 1, name]),
    );
    const bodies = events.map(({ body }) => JSON.parse(body) as EventBody);
    expect(new Set(bodies.map(({ id }) => id)).size).toBe(expected.length);
    const times = bodies.map(({ createdAt }) => createdAt);
    expect(times).toEqual(times.toSorted());
    expect(bodies.map(({ data }) => data)).toEqual(
      expected.map((name) => ({
        productCode,
        channel: 'API_HEADLESS',
        state: expect.any(String),
        nextAction: { type: expect.any(String), category: expect.any(String) },
        outcome: name === 'journey.completed' ? 'SANCTIONED' : 'IN_PROGRESS',
      })),
    );
  },
);

it('SANDX0001: every lender declines: it ends in REJECTED for want of offers, and each is named', async () => {
  const journey = await bench.start({ pan: 'SANDX0001A' });
  const end = await journey.reaches('REJECTED');
  expect(end).toMatchObject({ outcome: 'REJECTED', outcomeReason: 'NO_OFFERS', offers: [] });
  const standings = end.lendersWithoutOffer!.map(({ standing }) => standing);
  expect(standings).toEqual(['DECLINED', 'DECLINED', 'DECLINED']);
  expect(end.currentNextAction).toEqual({ type: 'JOURNEY_REJECTED', category: 'DONE' });
  expect(await leadStatus(journey)).toBe('REJECTED');
  expect(await journey.eventNames()).toEqual(['journey.initiated', 'journey.rejected']);
});

it('SANDX0002: slow lenders, one of which never answers: moves on at the lenders’ deadline, not before, with the offers that are there', async () => {
  const journey = await bench.start({ pan: 'SANDX0002A' });
  await journey.wasAskedAbout();
  await bench.service.travel(11_000);
  await journey.wasAnswered(2);
  await bench.service.travel(100_000);
  await bench.service.get(OfferDeadlinesTasks).run();
  expect((await journey.read()).state).toBe('INITIATED');
  await bench.service.travel(8_000);
  const { offers } = await journey.reaches('OFFERS_RECEIVED');
  const sellers = offers.map(({ sellerName }) => sellerName.split(' ')[0]);
  expect(sellers.toSorted()).toEqual(['Kaverisetu', 'Navdhara']);
});

it('SANDX0008: a disbursement that takes thirty seconds: is polled until the money is paid out', async () => {
  const journey = await bench.startWithOffers({ pan: 'SANDX0008A' });
  const waiting = await journey.goOnTo('DISBURSEMENT_PENDING');
  expect(waiting.currentNextAction).toEqual({ type: 'POLL_DISBURSEMENT', category: 'POLL' });
  expect(waiting).not.toHaveProperty('disbursedAt');
  expect(await journey.eventNames()).toEqual(UNTIL_SIGNED);
  await journey.wasAskedAbout();
  await bench.service.travel(31_000);
  await journey.reaches('SANCTIONED');
  expect(await journey.eventNames()).toEqual(ALL_EVENTS);
});
