import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { LenderUnavailable, QuestionOutbox } from '../../../src/lenders/index.js';
import { SandboxLender } from '../../../src/sandbox/index.js';
import { eventually } from '../../support/eventually.js';
import { JourneyBench } from '../journeys/journey-bench.js';

// The wait is a minute by then, less a fifth at most; the lease of a claim is 20 s.
const LONGER_THAN_LEASE_SECONDS = 25;

let bench: JourneyBench;

beforeAll(async () => {
  bench = await JourneyBench.open();
});

afterAll(() => bench.close());

it('a lender that keeps failing is asked again after the whole wait, not after the lease', async () => {
  const lender = bench.service.get<SandboxLender>(SandboxLender);
  vi.spyOn(lender, 'ask').mockRejectedValue(new LenderUnavailable('the line is dead'));
  const journey = await bench.start();
  await failuresReach(journey.id, 1);
  await bench.query(
    `UPDATE lender_questions SET failures = 20, next_attempt_at = app_now(), lease_until = NULL
     WHERE subject_id = $1`,
    [journey.id],
  );
  bench.service.get<QuestionOutbox>(QuestionOutbox).arrivals.raise();
  await failuresReach(journey.id, 21);
  const waits = await bench.query<{ seconds: number }>(
    `SELECT extract(epoch FROM next_attempt_at - app_now())::float AS seconds
     FROM lender_questions WHERE subject_id = $1 AND lease_until IS NULL`,
    [journey.id],
  );
  expect(waits.length).toBeGreaterThan(0);
  for (const { seconds } of waits) expect(seconds).toBeGreaterThan(LONGER_THAN_LEASE_SECONDS);
});

function failuresReach(journeyId: string, least: number): Promise<void> {
  return eventually(async () => {
    const [row] = await bench.query<{ failures: number | null }>(
      `SELECT min(failures) AS failures FROM lender_questions
       WHERE subject_id = $1 AND lease_until IS NULL`,
      [journeyId],
    );
    expect(row?.failures ?? 0).toBeGreaterThanOrEqual(least);
  });
}
