import { beforeEach, describe, expect, it } from 'vitest';
import { type ArrivedAnswer, LenderInbox } from '../../../src/lenders/index.js';
import { Database } from '../../../src/platform/index.js';

import { eventually } from '../../support/eventually.js';
import { HeldLock } from '../../support/held-lock.js';
import { DAY, type TestJourney, journeyBench } from './journey-bench.js';

// Answers that wait at the same moment share a transaction. This must not affect any of them.
const LENDERS = ['kaverisetu', 'navdhara', 'tarangudyam'];
const JOURNEYS = 4;

const bench = journeyBench();
beforeEach(() => {
  // The tests send the lenders' answers.
  bench.lendersAnswer(() => Promise.resolve({ status: 'PENDING', askAgainInMs: DAY }));
});

async function asked(count = JOURNEYS): Promise<TestJourney[]> {
  const journeys = await Promise.all(Array.from({ length: count }, () => bench.start()));
  await Promise.all(journeys.map((journey) => journey.wasAskedAbout()));
  return journeys;
}

function answerOf(journey: TestJourney, lenderCode: string, more: Partial<ArrivedAnswer> = {}) {
  const answerId = `${lenderCode}-${journey.id}`;
  return {
    lenderCode,
    answerId,
    partnerId: bench.service.partnerId,
    subjectId: journey.id,
    kind: 'OFFERS',
    reference: '1',
    answer: { kind: 'OFFERED' as const, offers: [bench.soundOffer(answerId)] },
    ...more,
  } as const satisfies ArrivedAnswer;
}

function answersOf(journey: TestJourney): ArrivedAnswer[] {
  return LENDERS.map((lender) => answerOf(journey, lender));
}

/** Delivers answers in one transaction; `spoil` becomes unreadable. */
async function deliver(arrived: readonly ArrivedAnswer[], spoil?: ArrivedAnswer): Promise<void> {
  const inbox = bench.service.get<LenderInbox>(LenderInbox);
  await bench.service.get<Database>(Database).transaction(async (tx) => {
    for (const one of arrived) await inbox.receive(tx, one);
    if (!spoil) return;
    await tx.execute(`UPDATE lender_inbox SET answer_sealed = 'v1:lost:key' WHERE answer_id = $1`, [
      spoil.answerId,
    ]);
  });
}

async function expectOffered(journey: TestJourney): Promise<void> {
  await journey.reaches('OFFERS_RECEIVED');
  expect(await journey.offers()).toHaveLength(LENDERS.length);
  expect(await journey.eventNames()).toEqual(['journey.initiated', 'journey.offers_received']);
  const [written] = await bench.query(
    `SELECT a.status, array(SELECT trigger FROM journey_audit WHERE journey_id = $1 ORDER BY id) AS trail
     FROM applications AS a WHERE journey_id = $1`,
    [journey.id],
  );
  expect(written).toEqual({ status: 'OFFERS_RECEIVED', trail: ['STARTED', 'OFFERS_ARRIVED'] });
}

function waitingFor(journey: TestJourney): Promise<{ attempts: number }[]> {
  return bench.query(
    'SELECT attempts FROM lender_inbox WHERE subject_id = $1 AND consumed_at IS NULL',
    [journey.id],
  );
}

describe('lenders’ answers that wait at the same moment', () => {
  it('do not fall with one that cannot be read, which waits for another try', async () => {
    const journeys = await asked();
    const unlucky = journeys[2];
    await deliver(journeys.flatMap(answersOf), answerOf(unlucky, LENDERS[1]));
    const others = journeys.filter((journey) => journey !== unlucky);
    for (const journey of others) await expectOffered(journey);
    await eventually(async () => {
      const [{ attempts }, ...more] = await waitingFor(unlucky);
      expect([attempts > 0, more]).toEqual([true, []]);
    });
    expect((await unlucky.read()).state).toBe('INITIATED');
    expect((await unlucky.questions('ANSWERED')).length).toBe(LENDERS.length - 1);
    // Its retries would fail during later tests.
    await bench.query('DELETE FROM lender_inbox WHERE subject_id = $1 AND consumed_at IS NULL', [
      unlucky.id,
    ]);
  });

  it('do not wait for one whose journey another transaction holds, and that one loses nothing', async () => {
    const journeys = await asked();
    const held = journeys[2];
    const lock = await HeldLock.take(
      bench.service.databaseUrl,
      'SELECT 1 FROM journeys WHERE id = $1 FOR UPDATE',
      [held.id],
    );
    await deliver(journeys.flatMap(answersOf));
    for (const journey of journeys.filter((one) => one !== held)) await expectOffered(journey);
    // Still locked, and no other answer waited for it.
    expect(await waitingFor(held)).toHaveLength(LENDERS.length);
    await lock.waiting('FROM journeys');
    await lock.release();
    await expectOffered(held);
    expect(await held.flags()).toEqual([]);
  });

  it('count once for each lender: its second verdict adds no offer, and is flagged', async () => {
    const [journey] = await asked(1);
    const [first, second, third] = LENDERS;
    const again = (lender: string, answerId: string) =>
      answerOf(journey, lender, {
        answerId,
        answer: { kind: 'OFFERED', offers: [bench.soundOffer(answerId)] },
      });
    const declined = { kind: 'DECLINED', reason: 'POLICY' } as const;
    await deliver([answerOf(journey, first, { answer: declined })]);
    await bench.settled();
    await deliver([
      again(first, `changed-${journey.id}`),
      answerOf(journey, second),
      again(second, `more-${journey.id}`),
    ]);
    await bench.settled();
    expect((await journey.read()).state).toBe('INITIATED');
    await deliver([answerOf(journey, third)]);
    await journey.reaches('OFFERS_RECEIVED');
    const offers = await bench.query<{ reference: string }>(
      'SELECT lender_reference AS reference FROM journey_offers WHERE journey_id = $1 ORDER BY 1',
      [journey.id],
    );
    expect(offers.map(({ reference }) => reference)).toEqual(
      [second, third].map((lender) => `${lender}-${journey.id}`),
    );
    expect(await journey.flags()).toMatchObject([
      { kind: 'LATE_ANSWER', detail: { lenderCode: first, answer: 'OFFERED' } },
      { kind: 'LATE_ANSWER', detail: { lenderCode: second, answer: 'OFFERED' } },
    ]);
  });

  it('are flagged separately when they are of another offer request, or about no journey of the partner', async () => {
    const [journey, other] = await asked(2);
    await deliver([
      answerOf(journey, LENDERS[0], { reference: '2' }),
      ...answersOf(other),
      answerOf(journey, LENDERS[1], { answerId: 'of-another-partner', partnerId: 'someone' }),
    ]);
    await expectOffered(other);
    await bench.settled();
    // Does not wait for the other partner's answer.
    await eventually(async () =>
      expect(await journey.flags()).toMatchObject([
        { kind: 'LATE_ANSWER', detail: { kind: 'OFFERS', answer: 'OFFERED', state: 'INITIATED' } },
        { kind: 'LATE_ANSWER', detail: { state: null } },
      ]),
    );
    expect(await journey.offers()).toEqual([]);
    expect((await journey.read()).state).toBe('INITIATED');
    expect(await other.flags()).toEqual([]);
  });
});
