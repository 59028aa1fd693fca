import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { eventually } from '../../support/eventually.js';
import { startJourney } from '../../support/journey-driver.js';
import { JourneyRecords } from '../../support/journey-records.js';
import { partnerClient } from '../../support/partner-client.js';
import { startTwoReplicas, type TwoReplicas } from '../../support/service.js';

const JOURNEYS = 60;

vi.setConfig({ testTimeout: 90_000 });

let replicas: TwoReplicas;
let records: JourneyRecords;

beforeAll(async () => {
  replicas = await startTwoReplicas();
  records = new JourneyRecords(replicas.first.databaseUrl);
});

afterAll(async () => {
  await records?.close();
  await replicas?.close();
});

interface Ended {
  state: string;
  offers: number;
  moves: number;
  events: number;
  flags: number;
}

function endOf(ids: readonly string[]): Promise<Ended[]> {
  return records.query<Ended & Record<string, unknown>>(
    `SELECT DISTINCT j.state,
       (SELECT count(*)::int FROM journey_offers WHERE journey_id = j.id) AS offers,
       (SELECT count(*)::int FROM journey_audit WHERE journey_id = j.id) AS moves,
       (SELECT count(*)::int FROM webhook_events WHERE journey_id = j.id) AS events,
       (SELECT count(*)::int FROM operator_flags WHERE subject_id = j.id) AS flags
     FROM journeys AS j WHERE id = ANY ($1)`,
    [ids],
  );
}

describe('two replicas that take up the lenders’ answers', () => {
  it('take each of them up once, and none gets in another’s way', async () => {
    const partners = [partnerClient(replicas.first), partnerClient(replicas.second)];
    const journeys = await Promise.all(
      Array.from({ length: JOURNEYS }, (_, index) => startJourney(partners[index % 2])),
    );
    const ids = journeys.map(({ id }) => id);
    await eventually(
      async () => {
        // Started and moved once, told of both, with an offer of each lender.
        const ended = { state: 'OFFERS_RECEIVED', offers: 3, moves: 2, events: 2, flags: 0 };
        expect(await endOf(ids)).toEqual([ended]);
      },
      { withinMs: 40_000 },
    );
    const inbox = await records.query(
      `SELECT count(*)::int AS answers, max(attempts) AS attempts,
         bool_and(consumed_at IS NOT NULL) AS "areConsumed" FROM lender_inbox`,
    );
    expect(inbox).toEqual([{ answers: JOURNEYS * 3, attempts: 0, areConsumed: true }]);
    const failures = await records.query('SELECT DISTINCT failures FROM lender_questions');
    expect(failures).toEqual([{ failures: 0 }]);
    const [{ deadlocks }] = await records.query<{ deadlocks: number }>(
      'SELECT deadlocks::int FROM pg_stat_database WHERE datname = current_database()',
    );
    expect(deadlocks).toBe(0);
  });
});
