import { describe, expect, it, vi } from 'vitest';
import { QuestionOutbox } from '../../../src/lenders/index.js';
import { loanRequest } from '../../support/loan-requests.js';
import { journeyBench } from './journey-bench.js';

// Simultaneous requests share a transaction, but must have the same results as single ones.
const TOGETHER = 40;
const POISON_RUPEES = 777_777;

const bench = journeyBench();

describe('journeys that are started at the same moment', () => {
  it('are each written whole, and each with its own', async () => {
    const answers = await Promise.all(
      Array.from({ length: TOGETHER }, (_, place) =>
        bench.demo.initiate(
          loanRequest({
            channel: place % 2 === 0 ? 'API_HEADLESS' : 'API_HOSTED',
            productCode: place % 5 === 0 ? 'ONLINE_GOLD' : 'ONLINE_PERSONAL',
            loanAmount: 10_000 + place,
          }),
        ),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(TOGETHER).fill(200));
    const rows = await bench.query<{ channel: string }>(
      `SELECT j.channel, j.offers_due_at IS NOT NULL AS "isTimed",
         (SELECT count(*)::int FROM applications AS a WHERE a.id = j.application_id
           AND a.journey_id = j.id AND a.loan_amount = j.loan_amount) AS leads,
         (SELECT count(*)::int FROM webhook_events AS e WHERE e.journey_id = j.id
           AND e.name = 'journey.initiated') AS events,
         (SELECT count(*)::int FROM lender_questions AS q WHERE q.subject_id = j.id
           AND q.kind = 'OFFERS') AS questions,
         (SELECT count(*)::int FROM hosted_links AS l WHERE l.journey_id = j.id) AS links
       FROM journeys AS j WHERE id = ANY ($1)`,
      [answers.map(({ json }) => json.data.journeyId)],
    );
    expect(rows).toHaveLength(TOGETHER);
    for (const { channel, ...written } of rows) {
      expect(written).toEqual(
        channel === 'API_HEADLESS'
          ? { isTimed: true, leads: 1, events: 1, questions: 3, links: 0 }
          : { isTimed: false, leads: 1, events: 1, questions: 0, links: 1 },
      );
    }
  });

  it('do not fall with one of them that cannot be written', async () => {
    const outbox = bench.service.get<QuestionOutbox>(QuestionOutbox);
    const putAll = outbox.putAll.bind(outbox);
    vi.spyOn(outbox, 'putAll').mockImplementation((tx, questions) => {
      const isPoisoned = questions.some(
        ({ payload }) => payload.loanAmount === POISON_RUPEES * 100,
      );
      return isPoisoned ? Promise.reject(new Error('the disk is full')) : putAll(tx, questions);
    });
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, place) =>
        bench.demo.initiate(loanRequest({ loanAmount: place === 7 ? POISON_RUPEES : 50_000 })),
      ),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses).toEqual(statuses.map((_, place) => (place === 7 ? 500 : 200)));
    const poisoned = await bench.query(
      'SELECT 1 FROM journeys WHERE loan_amount = $1 AND partner_id = $2',
      [POISON_RUPEES * 100, bench.service.partnerId],
    );
    expect(poisoned).toEqual([]);
  });
});
