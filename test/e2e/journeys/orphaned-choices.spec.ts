import { afterEach, describe, expect, it, vi } from 'vitest';
import { LenderUnavailable, type SelectRequest } from '../../../src/lenders/index.js';
import { OrphanedActionsTasks } from '../../../src/journeys/background/journey.tasks.js';
import { IntentsRepository } from '../../../src/journeys/store/intents.repository.js';
import { SandboxLender } from '../../../src/sandbox/index.js';
import { eventually } from '../../support/eventually.js';
import { MINUTE, type TestJourney, journeyBench } from './journey-bench.js';

const bench = journeyBench();

afterEach(async () => {
  await bench.query(
    `UPDATE journey_intents SET status = 'WITHDRAWN' WHERE partner_id = $1 AND status = 'OPEN'`,
    [bench.service.partnerId],
  );
});

const tasks = () => bench.service.get(OrphanedActionsTasks);

/** The lenders give this answer to every choice; the questions are recorded. */
function onSelect(answer: (request: SelectRequest) => Promise<never>): SelectRequest[] {
  const asked: SelectRequest[] = [];
  vi.spyOn(bench.service.get(SandboxLender), 'select').mockImplementation((request) => {
    asked.push(request);
    return answer(request);
  });
  return asked;
}

const away = () => Promise.reject(new LenderUnavailable('down'));

/** A choice whose outcome is unknown. */
async function leftOpen(lender?: string): Promise<TestJourney> {
  const journey = await bench.startWithOffers();
  const offers = await bench.query<{ id: string; lender: string }>(
    'SELECT id, lender_code AS lender FROM journey_offers WHERE journey_id = $1',
    [journey.id],
  );
  const offer = offers.find((one) => lender === undefined || one.lender === lender);
  expect((await journey.select({ offerId: offer!.id })).status).toBe(503);
  return journey;
}

async function secondsLeft({ id }: TestJourney): Promise<number> {
  const [{ seconds }] = await bench.query<{ seconds: number }>(
    `SELECT extract(epoch FROM next_attempt_at - app_now())::float AS seconds
     FROM journey_intents WHERE journey_id = $1 AND status = 'OPEN'`,
    [id],
  );
  return seconds;
}

describe('a choice that was left open', () => {
  it('is asked about again after a wait that doubles, up to a minute', async () => {
    const asked = onSelect(away);
    const journey = await leftOpen();
    const bounds: (readonly [least: number, most: number])[] = [[3, 6]];
    bounds.push([8, 12], [18, 24], [38, 48], [55, 72], [55, 72]);
    for (const [place, [least, most]] of bounds.entries()) {
      const left = await secondsLeft(journey);
      expect(left).toBeGreaterThan(least);
      expect(left).toBeLessThanOrEqual(most);
      await tasks().run();
      expect(asked).toHaveLength(place + 1);
      await bench.service.travel(MINUTE + MINUTE / 2);
      await tasks().run();
      expect(asked).toHaveLength(place + 2);
    }
  });

  it('is not asked about before its lender wants it', async () => {
    onSelect(() => Promise.reject(new LenderUnavailable('busy', { askAgainInMs: 600_000 })));
    expect(await secondsLeft(await leftOpen())).toBeGreaterThan(590);
  });

  it('keeps no other lender’s waiting, and asks no lender about more than two at once', async () => {
    onSelect(away);
    for (let count = 0; count < 4; count += 1) await leftOpen('navdhara');
    const other = await leftOpen('kaverisetu');
    vi.restoreAllMocks();
    const silent = Promise.withResolvers<never>();
    const asked = onSelect(({ lender, subjectId }) => {
      if (lender.code === 'navdhara') return silent.promise;
      return Promise.resolve({
        kind: 'ACCEPTED',
        applicationReference: `for-${subjectId}`,
      }) as Promise<never>;
    });
    await bench.service.travel(2 * MINUTE);
    const pass = tasks().run();
    await other.reaches('KYC_PENDING');
    const ofNavdhara = () => asked.filter(({ lender }) => lender.code === 'navdhara');
    await eventually(() => expect(ofNavdhara()).toHaveLength(2));
    silent.reject(new LenderUnavailable('down'));
    await pass;
    // A scheduled run may have processed some of them.
    await eventually(() => {
      expect(new Set(ofNavdhara().map(({ subjectId }) => subjectId)).size).toBe(4);
    });
  });

  it('is claimed by one replica alone', async () => {
    onSelect(away);
    const journeys = [await leftOpen(), await leftOpen()];
    await bench.service.travel(2 * MINUTE);
    const intents = bench.service.get(IntentsRepository);
    const room = { most: 8, aLender: 2, busy: new Map<string, number>() };
    const claims = await Promise.all([1, 2, 3].map(() => intents.claimOrphans(room)));
    const claimed = claims.flat().map(({ journeyId }) => journeyId);
    expect(claimed.toSorted()).toEqual(journeys.map(({ id }) => id).toSorted());
  });
});
