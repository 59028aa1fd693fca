import { describe, expect, it, vi } from 'vitest';
import { type LenderReply, LenderUnavailable } from '../../../src/lenders/index.js';
import { OfferDeadlinesTasks } from '../../../src/journeys/background/journey.tasks.js';
import { eventually } from '../../support/eventually.js';
import { DAY, HOUR, MINUTE, refusal, journeyBench } from './journey-bench.js';

const bench = journeyBench();

/** Checks the deadlines now instead of on schedule. */
async function lookAtDeadlines(): Promise<void> {
  await bench.service.get(OfferDeadlinesTasks).run();
  await bench.settled();
}

it('lenders that cannot be reached end the journey after thirty minutes and not before, and the operator is notified', async () => {
  const away = Object.assign(new LenderUnavailable('down'), { isSuspended: true });
  bench.lendersAnswer(() => Promise.reject(away));
  const journey = await bench.start();
  for (const wait of [2 * MINUTE + 1_000, 27 * MINUTE + 50_000]) {
    await bench.service.travel(wait);
    await lookAtDeadlines();
    expect((await journey.read()).state).toBe('INITIATED');
  }
  expect(await journey.flags()).toEqual([]);
  await bench.service.travel(15_000);
  const end = await journey.reaches('REJECTED');
  expect(end).toMatchObject({ outcome: 'REJECTED', outcomeReason: 'LENDERS_UNAVAILABLE' });
  expect(await journey.eventNames()).toEqual(['journey.initiated', 'journey.rejected']);
  expect(await journey.flags()).toMatchObject([
    { kind: 'LENDER_SILENT', detail: { lenders: ['kaverisetu', 'navdhara', 'tarangudyam'] } },
  ]);
  expect(await journey.questions('OPEN')).toEqual([]);
});

it('an offer that comes after the lenders’ deadline is kept and flagged even when the lender was being asked just then', async () => {
  const reply = Promise.withResolvers<LenderReply>();
  bench.lendersAnswer(({ lender }) => (lender.code === 'tarangudyam' ? reply.promise : null));
  const journey = await bench.start();
  await journey.wasAnswered(2);
  await bench.service.travel(2 * MINUTE + 1_000);
  await journey.reaches('OFFERS_RECEIVED');
  const answer = { kind: 'OFFERED', offers: [] } as const;
  reply.resolve({ status: 'ANSWERED', answerId: 'late-1', answer });
  await eventually(async () => {
    expect(await journey.flags()).toMatchObject([
      { kind: 'LATE_ANSWER', detail: { lenderCode: 'tarangudyam', answer: 'OFFERED' } },
    ]);
  });
  expect(await journey.eventNames()).toEqual(['journey.initiated', 'journey.offers_received']);
});

describe('offers that have all expired', () => {
  const validity = (days: number) =>
    `UPDATE lenders SET terms =
       jsonb_set(terms, '{products,ONLINE_PERSONAL,offerValidDays}', '${days}')`;

  it('take the journey back, the lenders are asked again, and there is a second round', async () => {
    await bench.configure(validity(5));
    const journey = await bench.startWithOffers();
    const first = await journey.offers();
    bench.lendersAnswer(({ kind }) =>
      kind === 'OFFERS' ? Promise.resolve({ status: 'PENDING' }) : null,
    );
    await bench.service.travel(5 * DAY + HOUR);
    await lookAtDeadlines();
    const back = await journey.reaches('INITIATED');
    expect(back.currentNextAction).toEqual({ type: 'POLL_LENDER_OFFERS', category: 'POLL' });
    expect(back.offers).toEqual([]);
    const [due] = await bench.query<{ seconds: number }>(
      `SELECT extract(epoch FROM offers_due_at - app_now())::int AS seconds
       FROM journeys WHERE id = $1`,
      [journey.id],
    );
    expect(due.seconds > 100 && due.seconds <= 120).toBe(true);

    // At the deadline, the offers of the first round do not count.
    const setDue = (inSeconds: number) =>
      bench.query(
        `UPDATE journeys SET offers_due_at = app_now() + $2 * interval '1 second' WHERE id = $1`,
        [journey.id, inSeconds],
      );
    await setDue(0);
    await lookAtDeadlines();
    await journey.reaches('INITIATED');
    await setDue(due.seconds);

    vi.restoreAllMocks();
    await bench.service.travel(10_000);
    const { offers } = await journey.reaches('OFFERS_RECEIVED');
    expect(offers).toHaveLength(3);
    const ids = new Set([...first, ...offers].map(({ offerId }) => offerId));
    expect(ids.size).toBe(6);
    const rounds = (await journey.questions()).map(({ reference }) => reference);
    expect(rounds.toSorted()).toEqual(['1', '1', '1', '2', '2', '2']);
    expect(await journey.eventNames()).toEqual([
      'journey.initiated',
      'journey.offers_received',
      'journey.offers_received',
    ]);
    // An answer to the first offer request is late now, and its offer cannot be chosen.
    expect(refusal(await journey.select({ offerId: first[0].offerId }))).toEqual([
      400,
      'validation_failed',
    ]);
    expect((await journey.select()).status).toBe(200);
    await bench.configure(validity(7));
  });
});
