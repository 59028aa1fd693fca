import { describe, expect, it } from 'vitest';
import { OfferDeadlinesTasks } from '../../../src/journeys/background/journey.tasks.js';
import { eventually } from '../../support/eventually.js';
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

async function leadStatus(journey: TestJourney): Promise<unknown> {
  const { applicationId } = await journey.read();
  return (await bench.demo.get(`/leads/${applicationId}/status`)).json.data.status;
}

describe('any other PAN', () => {
  it.each([
    ['ONLINE_PERSONAL', ALL_EVENTS],
    ['ONLINE_GOLD', GOLD_EVENTS],
  ])('takes %s to SANCTIONED, its events in their order', async (productCode, expected) => {
    const journey = await bench.startWithOffers({ productCode });
    expect(await leadStatus(journey)).toBe('OFFERS_RECEIVED');
    const end = await journey.complete();
    expect(end).toMatchObject({ state: 'SANCTIONED', outcome: 'SANCTIONED' });
    expect(end).not.toHaveProperty('outcomeReason');
    expect(end.currentNextAction).toEqual({ type: 'JOURNEY_COMPLETED', category: 'DONE' });
    const { disbursedAt } = end as typeof end & { disbursedAt: string };
    expect(Math.abs(Date.parse(disbursedAt) - bench.service.now().getTime())).toBeLessThan(10_000);
    expect(await journey.eventNames()).toEqual(expected);
    expect(await leadStatus(journey)).toBe('SANCTIONED');
    expect(await journey.flags()).toEqual([]);
  });

  it('has three offers within a second', async () => {
    const took = await Promise.all(
      [1, 2, 3].map(async () => {
        const journey = await bench.start();
        const { offers, createdAt } = await journey.reaches('OFFERS_RECEIVED');
        expect(offers).toHaveLength(3);
        const [row] = await bench.query<{ at: Date }>(
          `SELECT created_at AS at FROM journey_audit
           WHERE journey_id = $1 AND trigger = 'OFFERS_ARRIVED'`,
          [journey.id],
        );
        return row.at.getTime() - Date.parse(createdAt);
      }),
    );
    // One second for the lenders, and one for a busy machine.
    expect(Math.min(...took)).toBeLessThan(2_000);
  });
});

it('SANDX0001: every lender declines: it ends in REJECTED for want of offers', async () => {
  const journey = await bench.start({ pan: 'SANDX0001A' });
  const end = await journey.reaches('REJECTED');
  expect(end).toMatchObject({ outcome: 'REJECTED', outcomeReason: 'NO_OFFERS', offers: [] });
  expect(end.currentNextAction).toEqual({ type: 'JOURNEY_REJECTED', category: 'DONE' });
  expect(await leadStatus(journey)).toBe('REJECTED');
  expect(await journey.eventNames()).toEqual(['journey.initiated', 'journey.rejected']);
});

describe('SANDX0002: slow lenders, one of which never answers', () => {
  it('moves on at the lenders’ deadline, not before, with the offers that are there', async () => {
    const journey = await bench.start({ pan: 'SANDX0002A' });
    const answered = async () => (await journey.questions('ANSWERED')).length;
    await journey.wasAskedAbout();
    await bench.service.travel(11_000);
    await eventually(async () => expect(await answered()).toBe(2), { withinMs: 15_000 });
    await bench.service.travel(100_000);
    await bench.service.get(OfferDeadlinesTasks).run();
    expect((await journey.read()).state).toBe('INITIATED');
    await bench.service.travel(8_000);
    const { offers } = await journey.reaches('OFFERS_RECEIVED');
    const sellers = offers.map(({ sellerName }) => sellerName.split(' ')[0]);
    expect(sellers.toSorted()).toEqual(['Kaverisetu', 'Navdhara']);
  });
});

describe('SANDX0008: a disbursement that takes thirty seconds', () => {
  it('is polled until the money is paid out', async () => {
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
});

describe('SANDX0009: lenders that fail twice before they offer', () => {
  it('are asked again with back-off, and the partner does not see that they failed', async () => {
    const journey = await bench.startWithOffers({ pan: 'SANDX0009A' });
    expect(await journey.offers()).toHaveLength(3);
    const questions = await bench.query(
      'SELECT failures, status FROM lender_questions WHERE subject_id = $1',
      [journey.id],
    );
    expect(questions).toEqual([1, 2, 3].map(() => ({ failures: 2, status: 'ANSWERED' })));
  });
});
