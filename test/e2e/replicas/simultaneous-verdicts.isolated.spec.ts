// Isolated: two processes of its own.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { QuestionOutbox } from '../../../src/lenders/index.js';
import { eventually } from '../../support/eventually.js';
import { readJourney, type StartedJourney } from '../../support/journey-driver.js';
import { inForm } from '../../support/long-form.js';
import { followRedirect } from '../../support/redirect-visit.js';
import { BothReplicas, statuses, TEST_MS } from './both-replicas.js';

/** How many journeys have a verdict come from every side. */
const BESIEGED = inForm({ short: 3, long: 12 });

vi.setConfig({ testTimeout: TEST_MS });

let both: BothReplicas;

beforeAll(async () => {
  both = await BothReplicas.start();
});

afterAll(() => both.close());

describe.each([
  { step: 'KYC', to: ['BANK_ACCOUNT_PENDING'], event: '4 journey.kyc_done' },
  { step: 'MANDATE', to: ['ESIGN_PENDING'], event: '5 journey.enach_done' },
  // The lender pays out by itself.
  { step: 'ESIGN', to: ['DISBURSEMENT_PENDING', 'SANCTIONED'], event: '6 journey.esign_done' },
])('redirect-returned of $step twice at the same moment', ({ step, to, event }) => {
  it('moves the journey one step', async () => {
    for (const [index, journey] of (await both.journeysIn(`${step}_PENDING`)).entries()) {
      const answers = await both.onBoth(index, (partner) =>
        partner.returned(journey.id, journey.session, step),
      );
      // The second one is a return to the step's end, or from a step that is passed.
      expect([
        [200, 200],
        [200, 409],
      ]).toContainEqual(statuses(answers));
      expect(to).toContain(await both.records.state(journey.id));
      const passed = (await both.records.trail(journey.id)).filter(
        (one) => one === `${step}_PASSED`,
      );
      expect(passed).toHaveLength(1);
      const told = (await both.records.events(journey.id)).filter((one) =>
        one.endsWith(event.slice(1).trim()),
      );
      expect(told).toEqual([event]);
      expect(await both.records.flags(journey.id)).toEqual([]);
    }
  });
});

describe('a verdict that comes from every side at the same moment', () => {
  beforeAll(async () => {
    // Whoever brings it takes some time about it, so that all of them are there at once.
    await both.records.query(`
      CREATE FUNCTION take_your_time() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN PERFORM pg_sleep(0.05); RETURN NEW; END $$;
      CREATE TRIGGER take_your_time BEFORE INSERT ON lender_inbox
        FOR EACH ROW EXECUTE FUNCTION take_your_time();
    `);
  });

  afterAll(async () => {
    await both.records.query('DROP TRIGGER take_your_time ON lender_inbox');
  });

  /** Visiting a provider's page has the provider be asked a minute later: that is now. */
  async function pollNow(journeyId: string): Promise<void> {
    await both.records.query(
      'UPDATE lender_questions SET next_attempt_at = app_now() WHERE subject_id = $1',
      [journeyId],
    );
    both.replicas.second.get<QuestionOutbox>(QuestionOutbox).arrivals.raise();
  }

  async function visit(journey: StartedJourney): Promise<string> {
    const { url } = (await readJourney(both.left, journey)).currentNextAction;
    const page = await followRedirect(url!);
    expect(page.status).toBe(200);
    return page.url;
  }

  const callBack = async (_: StartedJourney, page: string): Promise<void> => {
    const body = new URLSearchParams({ decision: 'approve' });
    const { status } = await fetch(page, { method: 'POST', body, redirect: 'manual' });
    expect(status).toBe(303);
  };

  /** The provider has decided, and its callback is lost. */
  const decideInSilence = async (journey: StartedJourney): Promise<void> => {
    await both.records.query(
      `UPDATE sandbox_sessions SET decision = 'approve' WHERE subject_id = $1`,
      [journey.id],
    );
  };

  it.each([
    { sides: 'the callback, the poll and two returns', decide: callBack },
    { sides: 'the poll and two returns', decide: decideInSilence },
  ])('($sides) moves the journey one step, and fails for nobody', async ({ decide }) => {
    for (const journey of await both.journeysIn('KYC_PENDING', 'ONLINE_PERSONAL', BESIEGED)) {
      const page = await visit(journey);
      const decided = decide(journey, page);
      if (decide === decideInSilence) await decided;
      const [first, second] = await Promise.all([
        both.left.returned(journey.id, journey.session, 'KYC'),
        both.right.returned(journey.id, journey.session, 'KYC'),
        pollNow(journey.id),
        decided,
      ]);
      expect([200, 409]).toContain(first.status);
      expect([200, 409]).toContain(second.status);
      await eventually(async () => {
        expect(await both.records.state(journey.id)).toBe('BANK_ACCOUNT_PENDING');
        expect((await both.records.inbox(journey.id)).waiting).toBe(0);
      });
      const passed = (await both.records.trail(journey.id)).filter((one) => one === 'KYC_PASSED');
      expect(passed).toHaveLength(1);
      expect(await both.records.flags(journey.id)).toEqual([]);
      expect(await both.records.questions(journey.id, 'KYC')).toMatchObject([
        { status: 'ANSWERED' },
      ]);
    }
    // PostgreSQL ends a deadlock by failing one of those in it, after a second.
    const [statistics] = await both.records.query(
      'SELECT deadlocks::int FROM pg_stat_database WHERE datname = current_database()',
    );
    expect(statistics).toEqual({ deadlocks: 0 });
  });
});
