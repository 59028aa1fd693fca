import { expect, it } from 'vitest';
import { type LenderReply, LenderUnavailable } from '../../../src/lenders/index.js';
import { MINUTE, journeyBench } from './journey-bench.js';

const bench = journeyBench({ isOneLender: true });

it.each<[string, () => Promise<LenderReply>]>([
  ['202', () => Promise.resolve({ status: 'PENDING', askAgainInMs: 3_600_000 })],
  [
    'Retry-After',
    () => Promise.reject(new LenderUnavailable('busy', { askAgainInMs: 3_600_000.5 })),
  ],
])(
  'a lender that has said when to ask it is asked once, however often the applicant is back (%s)',
  async (_, answer) => {
    const journey = await bench.startWithOffers();
    await journey.goOnTo('KYC_PENDING');
    const page = await journey.redirectUrl();
    await journey.providerPage(page);
    const isOwn = ({ subjectId }: { subjectId: string }) => subjectId === journey.id;
    const asked = bench.lendersAnswer((question) => (isOwn(question) ? answer() : null));
    for (let time = 1; time <= 3; time += 1) {
      expect((await journey.returned('KYC')).status).toBe(200);
    }
    // The worker would ask only a minute after the visit.
    await bench.service.travel(5 * MINUTE);
    const [{ minutes }] = await bench.query<{ minutes: number }>(
      `SELECT (extract(epoch FROM next_attempt_at - app_now()) / 60)::int AS minutes
     FROM lender_questions WHERE subject_id = $1 AND kind = 'KYC'`,
      [journey.id],
    );
    expect(minutes).toBeGreaterThan(50);
    expect(asked.filter(isOwn)).toHaveLength(1);
    // After another visit, the return counts again.
    await journey.providerPage(page);
    await journey.returned('KYC');
    expect(asked.filter(isOwn)).toHaveLength(2);
  },
);
