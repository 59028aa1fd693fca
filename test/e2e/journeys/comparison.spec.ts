import { beforeAll, describe, expect, it, vi } from 'vitest';
import { AbandonmentTasks } from '../../../src/journeys/background/journey.tasks.js';
import { LenderUnavailable } from '../../../src/lenders/index.js';
import { OFFER_METRIC } from '../../../src/matching/index.js';
import { SandboxLender } from '../../../src/sandbox/index.js';
import { eventually } from '../../support/eventually.js';
import { pauseTask } from '../../support/paused-task.js';
import { DAY, MINUTE, journeyBench } from './journey-bench.js';

const KAVERISETU = 'Kaverisetu Finserv Private Limited';
const TARANG = 'Tarang Udyam Finance Limited';

const bench = journeyBench();

// Otherwise the journey could be abandoned when its offers expire.
beforeAll(() => void pauseTask(bench.service, AbandonmentTasks, 'abandonment', 'run'));

describe('each offer', () => {
  it('has what is charged in bad times, how long it can be left, its rank, and by which metric', async () => {
    const journey = await bench.startWithOffers();
    const { offers, lendersWithoutOffer } = await journey.read();
    const kept = await bench.query<{ id: string; terms: Record<string, unknown> }>(
      'SELECT id, terms FROM journey_offers WHERE journey_id = $1',
      [journey.id],
    );
    expect(offers.map(({ rank, metric }) => [rank, metric])).toEqual([
      [1, OFFER_METRIC],
      [2, OFFER_METRIC],
      [3, OFFER_METRIC],
    ]);
    for (const { offerId, contingentCharges, coolingOffDays } of offers) {
      const terms = kept.find(({ id }) => id === offerId)?.terms;
      expect(contingentCharges?.length).toBeGreaterThan(0);
      expect({ contingentCharges, coolingOffDays }).toEqual({
        contingentCharges: terms?.contingentCharges,
        coolingOffDays: terms?.coolingOffDays,
      });
    }
    expect(lendersWithoutOffer).toEqual([]);
  });
});

describe('the lenders without an offer', () => {
  it('have declined in the request that counts, and are named after the choice, too', async () => {
    const journey = await bench.startWithOffers({ pan: 'SANDX0003A' });
    const declined = [
      { name: KAVERISETU, standing: 'DECLINED' },
      { name: TARANG, standing: 'DECLINED' },
    ];
    expect((await journey.read()).lendersWithoutOffer).toEqual(declined);
    await bench.service.travel(30 * DAY);
    // The state in between may be over at once.
    await eventually(async () => {
      expect((await journey.questions()).some(({ reference }) => reference === '2')).toBe(true);
    });
    expect((await journey.reaches('OFFERS_RECEIVED')).lendersWithoutOffer).toEqual(declined);
    await journey.select();
    expect((await journey.read()).lendersWithoutOffer).toEqual(declined);
  });

  it('are all of them when every lender declines', async () => {
    const journey = await bench.start({ pan: 'SANDX0001A' });
    const { offers, lendersWithoutOffer } = await journey.reaches('REJECTED');
    expect(offers).toEqual([]);
    expect(lendersWithoutOffer?.map(({ standing }) => standing)).toEqual(
      Array<string>(3).fill('DECLINED'),
    );
  });

  it('may be left alone, and may have made an offer that we refuse', async () => {
    const connector = bench.service.get(SandboxLender);
    const ask = connector.ask.bind(connector);
    const away = Object.assign(new LenderUnavailable('down'), { isSuspended: true });
    vi.spyOn(connector, 'ask').mockImplementation(async (question) => {
      if (question.lender.code === 'kaverisetu') throw away;
      const reply = await ask(question);
      if (question.lender.code !== 'tarangudyam' || reply.status !== 'ANSWERED') return reply;
      if (reply.answer.kind !== 'OFFERED') return reply;
      const offers = reply.answer.offers.map((offer) => ({ ...offer, apr: offer.apr - 1 }));
      return { ...reply, answer: { kind: 'OFFERED', offers } };
    });
    const journey = await bench.startWithOffers();
    expect((await journey.read()).lendersWithoutOffer).toEqual([
      { name: KAVERISETU, standing: 'UNREACHABLE' },
      { name: TARANG, standing: 'OFFER_REFUSED' },
    ]);
  });

  it('may not have answered in time, and stay so when they decline later', async () => {
    const connector = bench.service.get(SandboxLender);
    const ask = connector.ask.bind(connector);
    vi.spyOn(connector, 'ask').mockImplementation((question) =>
      question.lender.code === 'tarangudyam'
        ? Promise.resolve({ status: 'PENDING' })
        : ask(question),
    );
    const journey = await bench.start();
    await journey.wasAnswered(2);
    await bench.service.travel(3 * MINUTE);
    const late = [{ name: TARANG, standing: 'NO_ANSWER' }];
    expect((await journey.reaches('OFFERS_RECEIVED')).lendersWithoutOffer).toEqual(late);
    const answer = { kind: 'DECLINED', reason: 'POLICY' } as const;
    await bench.deliverTo(journey.id, answer, {
      kind: 'OFFERS',
      reference: '1',
      lenderCode: 'tarangudyam',
    });
    expect((await journey.read()).lendersWithoutOffer).toEqual(late);
  });
});
