// Isolated: two processes of its own.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { IntentsRepository } from '../../../src/journeys/store/intents.repository.js';
import { JourneysRepository } from '../../../src/journeys/store/journeys.repository.js';
import { QuestionOutbox } from '../../../src/lenders/index.js';
import { eventually } from '../../support/eventually.js';
import { HeldLock } from '../../support/held-lock.js';
import {
  act,
  type ActionKind,
  journeyIn,
  payloadOf,
  readJourney,
  type StartedJourney,
} from '../../support/journey-driver.js';
import { loanRequest } from '../../support/loan-requests.js';
import { inForm } from '../../support/long-form.js';
import { followRedirect } from '../../support/redirect-visit.js';
import { BothReplicas, JOURNEYS, statuses, TEST_MS } from './both-replicas.js';

interface ActionCase {
  kind: ActionKind;
  productCode: string;
  from: string;
  to: string;
  trigger: string;
  /** What the partner is told of the step, under the number that follows. */
  events: string[];
}

const ACTIONS: ActionCase[] = [
  {
    kind: 'SELECT_OFFER',
    productCode: 'ONLINE_PERSONAL',
    from: 'OFFERS_RECEIVED',
    to: 'KYC_PENDING',
    trigger: 'OFFER_SELECTED',
    events: ['3 journey.offer_selected'],
  },
  {
    kind: 'SELECT_GOLD_LOAN_BRANCH',
    productCode: 'ONLINE_GOLD',
    from: 'OFFER_SELECTED',
    to: 'KYC_PENDING',
    trigger: 'BRANCH_SELECTED',
    events: [],
  },
  {
    kind: 'SUBMIT_BANK_ACCOUNT',
    productCode: 'ONLINE_PERSONAL',
    from: 'BANK_ACCOUNT_PENDING',
    to: 'MANDATE_PENDING',
    trigger: 'ACCOUNT_ACCEPTED',
    events: [],
  },
];

vi.setConfig({ testTimeout: TEST_MS });

let both: BothReplicas;

beforeAll(async () => {
  both = await BothReplicas.start();
});

afterAll(() => both.close());

describe.each(ACTIONS)('$kind twice at the same moment', (action) => {
  const { kind, productCode, from, to, trigger, events } = action;

  it('is one 200, one 409, one step, one event and one intent, on every journey', async () => {
    for (const [index, journey] of (await both.journeysIn(from, productCode)).entries()) {
      const before = await both.records.trail(journey.id);
      const eventsBefore = await both.records.events(journey.id);
      const payload = payloadOf(kind, await readJourney(both.left, journey));
      const answers = await both.onBoth(index, (partner) =>
        partner.action(journey.id, journey.session, kind, payload),
      );
      expect(statuses(answers)).toEqual([200, 409]);
      expect(await both.records.state(journey.id)).toBe(to);
      expect(await both.records.trail(journey.id)).toEqual([...before, trigger]);
      expect(await both.records.events(journey.id)).toEqual([...eventsBefore, ...events]);
      const intents = await both.records.intents(journey.id);
      expect(intents.filter((intent) => intent.kind === kind)).toEqual([
        expect.objectContaining({ status: 'COMPLETED' }),
      ]);
    }
  });

  it('is 409 at once on the other replica while the first is in progress', async () => {
    const journey = await journeyIn(both.left, from, { productCode });
    // Every action leads to a redirect here, which cannot be written for the moment.
    const lock = await HeldLock.take(
      both.replicas.first.databaseUrl,
      'LOCK TABLE journey_redirects IN EXCLUSIVE MODE',
    );
    const first = act(both.left, journey, kind);
    await lock.waiting('journey_redirects');
    const startedAt = performance.now();
    const second = await act(both.right, journey, kind);
    expect([second.status, second.json.code]).toEqual([409, 'action_in_flight']);
    expect(performance.now() - startedAt).toBeLessThan(5_000);
    await lock.release();
    expect((await first).status).toBe(200);
    expect(await both.records.state(journey.id)).toBe(to);
  });
});

describe('different payloads of one action at the same moment', () => {
  it('leave the choice of the one that was answered 200', async () => {
    for (const [index, journey] of (await both.journeysIn('OFFERS_RECEIVED')).entries()) {
      const { offers } = await readJourney(both.left, journey);
      const [one, other] = [offers[0].offerId, offers[1].offerId];
      const [first, second] = await Promise.all([
        both.left.action(journey.id, journey.session, 'SELECT_OFFER', { offerId: one }),
        both.right.action(journey.id, journey.session, 'SELECT_OFFER', { offerId: other }),
      ]);
      expect([index, statuses([first, second])]).toEqual([index, [200, 409]]);
      const { selectedOffer } = await readJourney(both.right, journey);
      expect(selectedOffer!.offerId).toBe(first.status === 200 ? one : other);
      const frozen = await both.records.query<{ offerId: string }>(
        'SELECT offer_id AS "offerId" FROM key_facts_statements WHERE journey_id = $1',
        [journey.id],
      );
      expect(frozen).toEqual([{ offerId: selectedOffer!.offerId }]);
    }
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

describe('the same nonce on two replicas at the same moment', () => {
  it('is one 200 and one 401, and starts one journey', async () => {
    for (let index = 0; index < JOURNEYS; index += 1) {
      const nonce = randomUUID();
      const mobile = `9${String(100_000_000 + index)}`;
      const [before] = await both.records.query<{ count: number }>(
        'SELECT count(*)::int FROM journeys',
      );
      const answers = await both.onBoth(index, (partner) =>
        partner.initiate(loanRequest({ mobile }), { overrides: { nonce } }),
      );
      expect(statuses(answers)).toEqual([200, 401]);
      const [after] = await both.records.query<{ count: number }>(
        'SELECT count(*)::int FROM journeys',
      );
      expect(after.count).toBe(before.count + 1);
    }
  });
});

/** How many journeys have a verdict come from every side. */
const BESIEGED = inForm({ short: 3, long: 12 });

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
