import { describe, expect, it, vi } from 'vitest';
import { type LenderReply, LenderUnavailable, QuestionOutbox } from '../../../src/lenders/index.js';

import { SandboxLender } from '../../../src/sandbox/index.js';
import { type TestJourney, journeyBench } from './journey-bench.js';

const bench = journeyBench({ isOneLender: true });

async function atKyc(): Promise<TestJourney> {
  const journey = await bench.startWithOffers();
  await journey.goOnTo('KYC_PENDING');
  return journey;
}

describe('a lender that has said when to ask it', () => {
  /** The lender gives this verdict on the journey's step; counts how often it is asked. */
  function onAsk(journey: TestJourney, answer: () => Promise<LenderReply>) {
    const lender = bench.service.get(SandboxLender);
    const ask = lender.ask.bind(lender);
    const asked = { times: 0 };
    vi.spyOn(lender, 'ask').mockImplementation((question) => {
      if (question.subjectId !== journey.id) return ask(question);
      asked.times += 1;
      return answer();
    });
    return asked;
  }

  it.each<[string, () => Promise<LenderReply>]>([
    ['202', () => Promise.resolve({ status: 'PENDING', askAgainInMs: 3_600_000 })],
    [
      'Retry-After',
      () => Promise.reject(new LenderUnavailable('busy', { askAgainInMs: 3_600_000.5 })),
    ],
  ])('is asked once, however often the applicant is back (%s)', async (_, answer) => {
    const journey = await atKyc();
    const page = await journey.redirectUrl();
    await journey.providerPage(page);
    const asked = onAsk(journey, answer);
    for (let time = 1; time <= 3; time += 1) {
      expect((await journey.returned('KYC')).status).toBe(200);
    }
    // The worker, which is due a minute after the visit, does not ask either.
    await bench.service.travel(5 * 60_000);
    bench.service.get(QuestionOutbox).arrivals.raise();
    const [{ minutes }] = await bench.query<{ minutes: number }>(
      `SELECT (extract(epoch FROM next_attempt_at - app_now()) / 60)::int AS minutes
       FROM lender_questions WHERE subject_id = $1 AND kind = 'KYC'`,
      [journey.id],
    );
    expect(minutes).toBeGreaterThan(50);
    expect(asked.times).toBe(1);
    // The applicant visits again, so the return is a new one.
    await journey.providerPage(page);
    await journey.returned('KYC');
    expect(asked.times).toBe(2);
  });
});
