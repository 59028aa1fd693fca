import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { type NewQuestion, QuestionOutbox } from '../../../src/lenders/index.js';
import type { Tx } from '../../../src/platform/index.js';
import { eventually } from '../../support/eventually.js';
import { HeldLock } from '../../support/held-lock.js';
import { loanRequest } from '../../support/loan-requests.js';
import { journeyBench } from './journey-bench.js';

// Requests of one moment share a transaction; each must be processed as if it came alone.
const TOGETHER = 40;
const POISON_RUPEES = 777_777;

const bench = journeyBench();

interface Written {
  id: string;
  channel: string;
  leads: number;
  events: number;
  questions: number;
  links: number;
  isTimed: boolean;
}

function written(ids: readonly string[]): Promise<Written[]> {
  return bench.query<Written>(
    `SELECT j.id, j.channel, (j.offers_due_at IS NOT NULL) AS "isTimed",
       (SELECT count(*)::int FROM applications AS a WHERE a.id = j.application_id
         AND a.journey_id = j.id AND a.loan_amount = j.loan_amount) AS leads,
       (SELECT count(*)::int FROM webhook_events AS e WHERE e.journey_id = j.id
         AND e.name = 'journey.initiated') AS events,
       (SELECT count(*)::int FROM lender_questions AS q WHERE q.subject_id = j.id
         AND q.kind = 'OFFERS') AS questions,
       (SELECT count(*)::int FROM hosted_links AS l WHERE l.journey_id = j.id) AS links
     FROM journeys AS j WHERE id = ANY ($1)`,
    [ids],
  );
}

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
    const rows = await written(answers.map(({ json }) => json.data.journeyId));
    expect(rows).toHaveLength(TOGETHER);
    for (const row of rows) {
      const isHeadless = row.channel === 'API_HEADLESS';
      expect(row).toMatchObject({
        leads: 1,
        events: 1,
        questions: isHeadless ? 3 : 0,
        links: isHeadless ? 0 : 1,
        isTimed: isHeadless,
      });
    }
  });

  it('do not fall with one of them that cannot be written', async () => {
    const outbox = bench.service.get<QuestionOutbox>(QuestionOutbox);
    const putAll = outbox.putAll.bind(outbox);
    vi.spyOn(outbox, 'putAll').mockImplementation((tx: Tx, questions: readonly NewQuestion[]) => {
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
    expect(await journeysOf(POISON_RUPEES)).toBe(0);
  });

  it('answer a key that comes twice in one transaction as they answer a retry', async () => {
    const headers = { 'Idempotency-Key': 'twice-in-a-batch' };
    const body = loanRequest({ loanAmount: 62_000 });
    const answers = await inOneBatch([
      ...Array.from({ length: 5 }, () => () => bench.demo.initiate(body, { headers })),
      () => bench.demo.initiate(loanRequest({ loanAmount: 62_001 }), { headers }),
    ]);
    const outcomes = answers.map(({ status, json, headers: got }) =>
      status === 200 ? (got['idempotency-replayed'] ?? 'first') : json.code,
    );
    const times = (what: string) => outcomes.filter((one) => one === what).length;
    expect(times('first')).toBe(1);
    // The body that came first counts.
    const reused = times('idempotency_key_reused');
    expect([1, 5]).toContain(reused);
    expect(times('true')).toBe(5 - reused);
    const good = answers.filter(({ status }) => status === 200);
    expect(new Set(good.map(({ json }) => JSON.stringify(json))).size).toBe(1);
    expect((await journeysOf(62_000)) + (await journeysOf(62_001))).toBe(1);
  });
});

/** Lets calls gather in the queue, so that one transaction processes all of them. */
async function inOneBatch<Result>(calls: readonly (() => Promise<Result>)[]): Promise<Result[]> {
  const table = 'idempotent_answers';
  const lock = await HeldLock.take(
    bench.service.databaseUrl,
    `LOCK TABLE ${table} IN EXCLUSIVE MODE`,
  );
  // The most batches that may run at once are blocked, so later calls gather.
  const before: Promise<unknown>[] = [];
  for (const standing of [1, 2]) {
    const headers = { 'Idempotency-Key': randomUUID() };
    before.push(bench.demo.initiate(loanRequest(), { headers }));
    await lock.waiting(table, standing);
  }
  const admitted = await nonces();
  const answers = calls.map((call) => call());
  await eventually(async () => expect(await nonces()).toBe(admitted + calls.length));
  await sleep(200);
  await lock.release();
  await Promise.all(before);
  return Promise.all(answers);
}

async function nonces(): Promise<number> {
  const [row] = await bench.query<{ count: number }>(
    'SELECT count(*)::int AS count FROM request_nonces WHERE key_id = $1',
    [`key_${bench.service.partnerId}`],
  );
  return row.count;
}

async function journeysOf(rupees: number): Promise<number> {
  const [row] = await bench.query<{ count: number }>(
    'SELECT count(*)::int AS count FROM journeys WHERE loan_amount = $1 AND partner_id = $2',
    [rupees * 100, bench.service.partnerId],
  );
  return row.count;
}
