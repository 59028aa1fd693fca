import { beforeAll, expect, it } from 'vitest';
import { AbandonmentTasks } from '../../../src/journeys/background/journey.tasks.js';
import { eventually } from '../../support/eventually.js';
import { pauseTask } from '../../support/paused-task.js';
import { DAY, journeyBench } from './journey-bench.js';

const KAVERISETU = 'Kaverisetu Finserv Private Limited';
const TARANG = 'Tarang Udyam Finance Limited';

const bench = journeyBench();

// When the offers have expired, the journey could be abandoned, too.
beforeAll(() => void pauseTask(bench.service, AbandonmentTasks, 'abandonment', 'run'));

it('the lenders without an offer have declined in the request that counts, and are named after the choice, too', async () => {
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
