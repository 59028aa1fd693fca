import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { IntentsRepository } from '../../../src/journeys/store/intents.repository.js';
import { JourneysRepository } from '../../../src/journeys/store/journeys.repository.js';
import { QuestionOutbox } from '../../../src/lenders/index.js';
import { eventually } from '../../support/eventually.js';
import { HeldLock } from '../../support/held-lock.js';
import { journeyIn, readJourney, type StartedJourney } from '../../support/journey-driver.js';
import { JourneyRecords } from '../../support/journey-records.js';
import { inForm } from '../../support/long-form.js';
import { type Answer, type PartnerClient, partnerClient } from '../../support/partner-client.js';
import { followRedirect } from '../../support/redirect-visit.js';
import { type SharedReplicas, sharedReplicas } from '../../support/shared-service.js';

/** The number of journeys: a race does not fail every time. */
const JOURNEYS = inForm({ short: 2, long: 25 });

vi.setConfig({ testTimeout: 90_000 });

let replicas: SharedReplicas;
let left: PartnerClient;
let right: PartnerClient;
let records: JourneyRecords;

beforeAll(async () => {
  replicas = await sharedReplicas();
  [left, right] = [partnerClient(replicas.first), partnerClient(replicas.second)];
  records = new JourneyRecords(replicas.first.databaseUrl);
});

afterAll(() => records.close());

function journeysIn(state: string): Promise<StartedJourney[]> {
  const clients = Array.from({ length: JOURNEYS }, (_, index) => (index % 2 ? left : right));
  return Promise.all(clients.map((client) => journeyIn(client, state)));
}

function statuses(answers: readonly Answer<unknown>[]): number[] {
  return answers.map(({ status }) => status).toSorted((one, other) => one - other);
}

/** Expects that the journey passed KYC exactly once. */
async function expectOneStep({ id }: StartedJourney): Promise<void> {
  expect(await records.state(id)).toBe('BANK_ACCOUNT_PENDING');
  expect((await records.trail(id)).filter((one) => one === 'KYC_PASSED')).toHaveLength(1);
  const sent = await records.events(id);
  expect(sent.filter((one) => one.endsWith('journey.kyc_done'))).toEqual(['4 journey.kyc_done']);
  expect(await records.flags(id)).toEqual([]);
}

it('an action twice at the same moment is one 200, one 409, one step, one event and one intent, and leaves the choice that was answered 200', async () => {
  for (const journey of await journeysIn('OFFERS_RECEIVED')) {
    const { offers } = await readJourney(left, journey);
    const ids = offers.slice(0, 2).map(({ offerId }) => offerId);
    const answers = await Promise.all(
      [left, right].map((client, index) =>
        client.action(journey.id, journey.session, 'SELECT_OFFER', { offerId: ids[index] }),
      ),
    );
    expect(statuses(answers)).toEqual([200, 409]);
    const trail = ['STARTED', 'OFFERS_ARRIVED', 'OFFER_SELECTED'];
    expect(await records.trail(journey.id)).toEqual(trail);
    expect((await records.events(journey.id)).slice(2)).toEqual(['3 journey.offer_selected']);
    expect(await records.intents(journey.id)).toMatchObject([{ status: 'COMPLETED' }]);
    const { state, selectedOffer } = await readJourney(right, journey);
    const chosen = ids[answers.findIndex(({ status }) => status === 200)];
    expect([state, selectedOffer!.offerId]).toEqual(['KYC_PENDING', chosen]);
    const frozen = await records.query<{ offerId: string }>(
      'SELECT offer_id AS "offerId" FROM key_facts_statements WHERE journey_id = $1',
      [journey.id],
    );
    expect(frozen).toEqual([{ offerId: chosen }]);
  }
});

it('an action whose holder died, and that another replica has just resolved, leaves no lease behind', async () => {
  const { first, second } = replicas;
  const { id } = await journeyIn(left, 'KYC_PENDING');
  const seen = await first.get<JourneysRepository>(JourneysRepository).find(first.partnerId, id);
  await records.query(
    `WITH open AS (UPDATE journey_intents SET status = 'OPEN', resolved_at = NULL WHERE journey_id = $1)
     UPDATE journeys SET lease_until = app_now() - interval '1 second' WHERE id = $1`,
    [id],
  );
  const other = await HeldLock.take(
    first.databaseUrl,
    'SELECT 1 FROM journeys WHERE id = $1 FOR UPDATE',
    [id],
  );
  const taking = second.get<IntentsRepository>(IntentsRepository).takeOver(seen!);
  await other.waiting('UPDATE journeys');
  await other.query(`UPDATE journey_intents SET status = 'COMPLETED' WHERE journey_id = $1`, [id]);
  await other.query('UPDATE journeys SET lease_until = NULL WHERE id = $1', [id]);
  await other.release({ keep: true });
  expect(await taking).toBeNull();
  const leases = await records.query('SELECT lease_until FROM journeys WHERE id = $1', [id]);
  expect(leases).toEqual([{ lease_until: null }]);
});

it('a return at the same moment on both replicas moves the journey one step', async () => {
  for (const journey of await journeysIn('KYC_PENDING')) {
    const answers = await Promise.all(
      [left, right].map((client) => client.returned(journey.id, journey.session, 'KYC')),
    );
    // The second call came before or after the step ended.
    expect([
      [200, 200],
      [200, 409],
    ]).toContainEqual(statuses(answers));
    await expectOneStep(journey);
  }
});

it('a callback, a poll and two returns at the same moment moves the journey one step, and fails for no caller', async () => {
  const deadlocks = () =>
    records.query('SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()');
  const before = await deadlocks();
  // Slows each insert, so that the verdicts overlap.
  await records.query(`
    CREATE FUNCTION take_your_time() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN PERFORM pg_sleep(0.05); RETURN NEW; END $$;
    CREATE TRIGGER take_your_time BEFORE INSERT ON lender_inbox
      FOR EACH ROW EXECUTE FUNCTION take_your_time();
  `);
  try {
    for (const journey of await journeysIn('KYC_PENDING')) {
      const { url } = (await readJourney(left, journey)).currentNextAction;
      const page = await followRedirect(url!);
      const body = new URLSearchParams({ decision: 'approve' });
      const [first, second, calledBack] = await Promise.all([
        left.returned(journey.id, journey.session, 'KYC'),
        right.returned(journey.id, journey.session, 'KYC'),
        fetch(page.url, { method: 'POST', body, redirect: 'manual' }),
        pollNow(journey.id),
      ]);
      expect([200, 409]).toContain(first.status);
      expect([200, 409]).toContain(second.status);
      expect(calledBack.status).toBe(303);
      await eventually(async () => {
        expect(await records.state(journey.id)).toBe('BANK_ACCOUNT_PENDING');
        expect((await records.inbox(journey.id)).waiting).toBe(0);
      });
      await expectOneStep(journey);
      expect(await records.questions(journey.id, 'KYC')).toMatchObject([{ status: 'ANSWERED' }]);
    }
  } finally {
    await records.query('DROP FUNCTION take_your_time CASCADE');
  }
  // PostgreSQL ends a deadlock after a second by failing one transaction.
  expect(await deadlocks()).toEqual(before);
});

/** Makes the question due now instead of a minute after the visit. */
async function pollNow(journeyId: string): Promise<void> {
  await records.query(
    'UPDATE lender_questions SET next_attempt_at = app_now() WHERE subject_id = $1',
    [journeyId],
  );
  replicas.second.get<QuestionOutbox>(QuestionOutbox).arrivals.raise();
}
