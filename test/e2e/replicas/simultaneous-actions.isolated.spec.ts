// Isolated: starts two processes.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { IntentsRepository } from '../../../src/journeys/store/intents.repository.js';
import { JourneysRepository } from '../../../src/journeys/store/journeys.repository.js';
import { QuestionOutbox } from '../../../src/lenders/index.js';
import { eventually } from '../../support/eventually.js';
import { HeldLock } from '../../support/held-lock.js';
import { act, journeyIn, readJourney } from '../../support/journey-driver.js';
import { followRedirect } from '../../support/redirect-visit.js';
import { BothReplicas, statuses, TEST_MS } from './both-replicas.js';

vi.setConfig({ testTimeout: TEST_MS });

let both: BothReplicas;

beforeAll(async () => {
  both = await BothReplicas.start();
});

afterAll(() => both.close());

describe('an action twice at the same moment', () => {
  it('is one 200, one 409, one step, one event and one intent, and leaves the choice that was answered 200', async () => {
    for (const journey of await both.journeysIn('OFFERS_RECEIVED')) {
      const { offers } = await readJourney(both.left, journey);
      const [one, other] = [offers[0].offerId, offers[1].offerId];
      const [first, second] = await Promise.all([
        both.left.action(journey.id, journey.session, 'SELECT_OFFER', { offerId: one }),
        both.right.action(journey.id, journey.session, 'SELECT_OFFER', { offerId: other }),
      ]);
      expect(statuses([first, second])).toEqual([200, 409]);
      expect(await both.records.trail(journey.id)).toEqual([
        'STARTED',
        'OFFERS_ARRIVED',
        'OFFER_SELECTED',
      ]);
      expect(await both.records.events(journey.id)).toEqual([
        '1 journey.initiated',
        '2 journey.offers_received',
        '3 journey.offer_selected',
      ]);
      expect(await both.records.intents(journey.id)).toMatchObject([{ status: 'COMPLETED' }]);
      const { state, selectedOffer } = await readJourney(both.right, journey);
      expect(state).toBe('KYC_PENDING');
      expect(selectedOffer!.offerId).toBe(first.status === 200 ? one : other);
      const frozen = await both.records.query<{ offerId: string }>(
        'SELECT offer_id AS "offerId" FROM key_facts_statements WHERE journey_id = $1',
        [journey.id],
      );
      expect(frozen).toEqual([{ offerId: selectedOffer!.offerId }]);
    }
  });

  it('is 409 at once on the other replica while the first is in progress', async () => {
    const journey = await journeyIn(both.left, 'OFFERS_RECEIVED');
    // The action leads to a redirect, which cannot be written for now.
    const lock = await HeldLock.take(
      both.replicas.first.databaseUrl,
      'LOCK TABLE journey_redirects IN EXCLUSIVE MODE',
    );
    const first = act(both.left, journey, 'SELECT_OFFER');
    await lock.waiting('journey_redirects');
    const startedAt = performance.now();
    const second = await act(both.right, journey, 'SELECT_OFFER');
    expect([second.status, second.json.code]).toEqual([409, 'action_in_flight']);
    expect(performance.now() - startedAt).toBeLessThan(5_000);
    await lock.release();
    expect((await first).status).toBe(200);
  });
});

describe('an action whose holder died', () => {
  it('that another replica has just resolved leaves no lease behind', async () => {
    const journey = await journeyIn(both.left, 'KYC_PENDING');
    const seen = await both.replicas.first
      .get<JourneysRepository>(JourneysRepository)
      .find('demo', journey.id);
    await both.records.query(
      `UPDATE journeys SET lease_until = app_now() - interval '1 second' WHERE id = $1`,
      [journey.id],
    );
    await both.records.query(
      `UPDATE journey_intents SET status = 'OPEN', resolved_at = NULL WHERE journey_id = $1`,
      [journey.id],
    );
    const other = await HeldLock.take(
      both.replicas.first.databaseUrl,
      'SELECT 1 FROM journeys WHERE id = $1 FOR UPDATE',
      [journey.id],
    );
    const taking = both.replicas.second.get<IntentsRepository>(IntentsRepository).takeOver(seen!);
    await other.waiting('UPDATE journeys');
    await other.query(`UPDATE journey_intents SET status = 'COMPLETED' WHERE journey_id = $1`, [
      journey.id,
    ]);
    await other.query('UPDATE journeys SET lease_until = NULL WHERE id = $1', [journey.id]);
    await other.release({ keep: true });
    expect(await taking).toBeNull();
    const [row] = await both.records.query('SELECT lease_until FROM journeys WHERE id = $1', [
      journey.id,
    ]);
    expect(row).toEqual({ lease_until: null });
  });
});

it('a return at the same moment on both replicas moves the journey one step', async () => {
  for (const [index, journey] of (await both.journeysIn('KYC_PENDING')).entries()) {
    const answers = await both.onBoth(index, (partner) =>
      partner.returned(journey.id, journey.session, 'KYC'),
    );
    // The second call is a return to a finished step, or from a passed one.
    expect([
      [200, 200],
      [200, 409],
    ]).toContainEqual(statuses(answers));
    expect(await both.records.state(journey.id)).toBe('BANK_ACCOUNT_PENDING');
    const trail = await both.records.trail(journey.id);
    expect(trail.filter((one) => one === 'KYC_PASSED')).toHaveLength(1);
    const events = await both.records.events(journey.id);
    expect(events.filter((one) => one.endsWith('journey.kyc_done'))).toEqual([
      '4 journey.kyc_done',
    ]);
    expect(await both.records.flags(journey.id)).toEqual([]);
  }
});

it('a callback, a poll and two returns at the same moment moves the journey one step, and fails for no caller', async () => {
  // Each verdict takes some time, so that all of them are processed at once.
  await both.records.query(`
    CREATE FUNCTION take_your_time() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN PERFORM pg_sleep(0.05); RETURN NEW; END $$;
    CREATE TRIGGER take_your_time BEFORE INSERT ON lender_inbox
      FOR EACH ROW EXECUTE FUNCTION take_your_time();
  `);
  for (const journey of await both.journeysIn('KYC_PENDING')) {
    const { url } = (await readJourney(both.left, journey)).currentNextAction;
    const page = await followRedirect(url!);
    const body = new URLSearchParams({ decision: 'approve' });
    const [first, second, calledBack] = await Promise.all([
      both.left.returned(journey.id, journey.session, 'KYC'),
      both.right.returned(journey.id, journey.session, 'KYC'),
      fetch(page.url, { method: 'POST', body, redirect: 'manual' }),
      pollNow(journey.id),
    ]);
    expect([200, 409]).toContain(first.status);
    expect([200, 409]).toContain(second.status);
    expect(calledBack.status).toBe(303);
    await eventually(async () => {
      expect(await both.records.state(journey.id)).toBe('BANK_ACCOUNT_PENDING');
      expect((await both.records.inbox(journey.id)).waiting).toBe(0);
    });
    const passed = (await both.records.trail(journey.id)).filter((one) => one === 'KYC_PASSED');
    expect(passed).toHaveLength(1);
    expect(await both.records.flags(journey.id)).toEqual([]);
    expect(await both.records.questions(journey.id, 'KYC')).toMatchObject([{ status: 'ANSWERED' }]);
  }
  // PostgreSQL ends a deadlock by failing one of its transactions after a second.
  const [statistics] = await both.records.query(
    'SELECT deadlocks::int FROM pg_stat_database WHERE datname = current_database()',
  );
  expect(statistics).toEqual({ deadlocks: 0 });
});

/** A visit to a provider's page makes the service ask a minute later; this asks now. */
async function pollNow(journeyId: string): Promise<void> {
  await both.records.query(
    'UPDATE lender_questions SET next_attempt_at = app_now() WHERE subject_id = $1',
    [journeyId],
  );
  both.replicas.second.get<QuestionOutbox>(QuestionOutbox).arrivals.raise();
}
