import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { IntentsRepository } from '../../../src/journeys/store/intents.repository.js';
import { JourneysRepository } from '../../../src/journeys/store/journeys.repository.js';
import { Database } from '../../../src/platform/index.js';
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
  startJourney,
} from '../../support/journey-driver.js';
import { JourneyRecords } from '../../support/journey-records.js';
import { loanRequest } from '../../support/loan-requests.js';
import { type Answer, type PartnerClient, partnerClient } from '../../support/partner-client.js';
import { startService, startTwoReplicas, type TwoReplicas } from '../../support/service.js';

const JOURNEYS = 25;

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

// Many journeys each; on a busy machine they take their time.
vi.setConfig({ testTimeout: 90_000 });

let replicas: TwoReplicas;
let left: PartnerClient;
let right: PartnerClient;
let records: JourneyRecords;

beforeAll(async () => {
  replicas = await startTwoReplicas();
  left = partnerClient(replicas.first);
  right = partnerClient(replicas.second);
  records = new JourneyRecords(replicas.first.databaseUrl);
});

afterAll(async () => {
  await records?.close();
  await replicas?.close();
});

function journeysIn(
  state: string,
  productCode = 'ONLINE_PERSONAL',
  count = JOURNEYS,
): Promise<StartedJourney[]> {
  return Promise.all(
    Array.from({ length: count }, (_, index) =>
      journeyIn(index % 2 ? left : right, state, { productCode }),
    ),
  );
}

/** The same call on both replicas at the same moment; which one is first in line alternates. */
function onBoth<Data>(
  index: number,
  call: (partner: PartnerClient) => Promise<Answer<Data>>,
): Promise<Answer<Data>[]> {
  const partners = index % 2 ? [left, right] : [right, left];
  return Promise.all(partners.map((partner) => call(partner)));
}

function statuses(answers: Answer<unknown>[]): number[] {
  return answers.map(({ status }) => status).toSorted((one, other) => one - other);
}

describe.each(ACTIONS)('$kind twice at the same moment', (action) => {
  const { kind, productCode, from, to, trigger, events } = action;

  it('is one 200, one 409, one step, one event and one intent, on every journey', async () => {
    for (const [index, journey] of (await journeysIn(from, productCode)).entries()) {
      const before = await records.trail(journey.id);
      const eventsBefore = await records.events(journey.id);
      const payload = payloadOf(kind, await readJourney(left, journey));
      const answers = await onBoth(index, (partner) =>
        partner.action(journey.id, journey.session, kind, payload),
      );
      expect(statuses(answers)).toEqual([200, 409]);
      expect(await records.state(journey.id)).toBe(to);
      expect(await records.trail(journey.id)).toEqual([...before, trigger]);
      expect(await records.events(journey.id)).toEqual([...eventsBefore, ...events]);
      const intents = await records.intents(journey.id);
      expect(intents.filter((intent) => intent.kind === kind)).toEqual([
        expect.objectContaining({ status: 'COMPLETED' }),
      ]);
    }
  });

  it('is 409 at once on the other replica while the first is in progress', async () => {
    const journey = await journeyIn(left, from, { productCode });
    // Every action leads to a redirect here, which cannot be written for the moment.
    const lock = await HeldLock.take(
      replicas.first.databaseUrl,
      'LOCK TABLE journey_redirects IN EXCLUSIVE MODE',
    );
    const first = act(left, journey, kind);
    await lock.waiting('journey_redirects');
    const startedAt = performance.now();
    const second = await act(right, journey, kind);
    expect([second.status, second.json.code]).toEqual([409, 'action_in_flight']);
    expect(performance.now() - startedAt).toBeLessThan(5_000);
    await lock.release();
    expect((await first).status).toBe(200);
    expect(await records.state(journey.id)).toBe(to);
  });
});

describe('different payloads of one action at the same moment', () => {
  it('leave the choice of the one that was answered 200', async () => {
    for (const [index, journey] of (await journeysIn('OFFERS_RECEIVED')).entries()) {
      const { offers } = await readJourney(left, journey);
      const [one, other] = [offers[0].offerId, offers[1].offerId];
      const [first, second] = await Promise.all([
        left.action(journey.id, journey.session, 'SELECT_OFFER', { offerId: one }),
        right.action(journey.id, journey.session, 'SELECT_OFFER', { offerId: other }),
      ]);
      expect([index, statuses([first, second])]).toEqual([index, [200, 409]]);
      const { selectedOffer } = await readJourney(right, journey);
      expect(selectedOffer!.offerId).toBe(first.status === 200 ? one : other);
      const frozen = await records.query<{ offerId: string }>(
        'SELECT offer_id AS "offerId" FROM key_facts_statements WHERE journey_id = $1',
        [journey.id],
      );
      expect(frozen).toEqual([{ offerId: selectedOffer!.offerId }]);
    }
  });
});

describe.each([
  { step: 'KYC', to: ['BANK_ACCOUNT_PENDING'], event: '4 journey.kyc_done' },
  { step: 'MANDATE', to: ['ESIGN_PENDING'], event: '5 journey.enach_done' },
  // The lender pays out by itself.
  { step: 'ESIGN', to: ['DISBURSEMENT_PENDING', 'SANCTIONED'], event: '6 journey.esign_done' },
])('redirect-returned of $step twice at the same moment', ({ step, to, event }) => {
  it('moves the journey one step', async () => {
    for (const [index, journey] of (await journeysIn(`${step}_PENDING`)).entries()) {
      const answers = await onBoth(index, (partner) =>
        partner.returned(journey.id, journey.session, step),
      );
      // The second one is a return to the step's end, or from a step that is passed.
      expect([
        [200, 200],
        [200, 409],
      ]).toContainEqual(statuses(answers));
      expect(to).toContain(await records.state(journey.id));
      const passed = (await records.trail(journey.id)).filter((one) => one === `${step}_PASSED`);
      expect(passed).toHaveLength(1);
      const told = (await records.events(journey.id)).filter((one) =>
        one.endsWith(event.slice(1).trim()),
      );
      expect(told).toEqual([event]);
      expect(await records.flags(journey.id)).toEqual([]);
    }
  });
});

describe('a verdict that comes from every side at the same moment', () => {
  beforeAll(async () => {
    // Whoever brings it takes some time about it, so that all of them are there at once.
    await records.query(`
      CREATE FUNCTION take_your_time() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN PERFORM pg_sleep(0.05); RETURN NEW; END $$;
      CREATE TRIGGER take_your_time BEFORE INSERT ON lender_inbox
        FOR EACH ROW EXECUTE FUNCTION take_your_time();
    `);
  });

  afterAll(async () => {
    await records.query('DROP TRIGGER take_your_time ON lender_inbox');
  });

  /** Visiting a provider's page has the provider be asked a minute later: that is now. */
  async function pollNow(journeyId: string): Promise<void> {
    await records.query(
      'UPDATE lender_questions SET next_attempt_at = app_now() WHERE subject_id = $1',
      [journeyId],
    );
    replicas.second.get<QuestionOutbox>(QuestionOutbox).arrivals.raise();
  }

  async function visit(journey: StartedJourney): Promise<string> {
    const { url } = (await readJourney(left, journey)).currentNextAction;
    const page = await fetch(url!);
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
    await records.query(`UPDATE sandbox_sessions SET decision = 'approve' WHERE subject_id = $1`, [
      journey.id,
    ]);
  };

  it.each([
    { sides: 'the callback, the poll and two returns', decide: callBack },
    { sides: 'the poll and two returns', decide: decideInSilence },
  ])('($sides) moves the journey one step, and fails for nobody', async ({ decide }) => {
    for (const journey of await journeysIn('KYC_PENDING', 'ONLINE_PERSONAL', 12)) {
      const page = await visit(journey);
      const decided = decide(journey, page);
      if (decide === decideInSilence) await decided;
      const [first, second] = await Promise.all([
        left.returned(journey.id, journey.session, 'KYC'),
        right.returned(journey.id, journey.session, 'KYC'),
        pollNow(journey.id),
        decided,
      ]);
      expect([200, 409]).toContain(first.status);
      expect([200, 409]).toContain(second.status);
      await eventually(async () => {
        expect(await records.state(journey.id)).toBe('BANK_ACCOUNT_PENDING');
        expect((await records.inbox(journey.id)).waiting).toBe(0);
      });
      const passed = (await records.trail(journey.id)).filter((one) => one === 'KYC_PASSED');
      expect(passed).toHaveLength(1);
      expect(await records.flags(journey.id)).toEqual([]);
      expect(await records.questions(journey.id, 'KYC')).toMatchObject([{ status: 'ANSWERED' }]);
    }
    // PostgreSQL ends a deadlock by failing one of those in it, after a second.
    const [statistics] = await records.query(
      'SELECT deadlocks::int FROM pg_stat_database WHERE datname = current_database()',
    );
    expect(statistics).toEqual({ deadlocks: 0 });
  });
});

describe('the same nonce on two replicas at the same moment', () => {
  it('is one 200 and one 401, and starts one journey', async () => {
    for (let index = 0; index < JOURNEYS; index += 1) {
      const nonce = randomUUID();
      const mobile = `9${String(100_000_000 + index)}`;
      const [before] = await records.query<{ count: number }>('SELECT count(*)::int FROM journeys');
      const answers = await onBoth(index, (partner) =>
        partner.initiate(loanRequest({ mobile }), { overrides: { nonce } }),
      );
      expect(statuses(answers)).toEqual([200, 401]);
      const [after] = await records.query<{ count: number }>('SELECT count(*)::int FROM journeys');
      expect(after.count).toBe(before.count + 1);
    }
  });
});

describe('an action whose holder died', () => {
  it('that another replica has just resolved leaves no lease behind', async () => {
    const journey = await journeyIn(left, 'KYC_PENDING');
    const seen = await replicas.first
      .get<JourneysRepository>(JourneysRepository)
      .find('demo', journey.id);
    await records.query(
      `UPDATE journeys SET lease_until = app_now() - interval '1 second' WHERE id = $1`,
      [journey.id],
    );
    await records.query(
      `UPDATE journey_intents SET status = 'OPEN', resolved_at = NULL WHERE journey_id = $1`,
      [journey.id],
    );
    const other = await HeldLock.take(
      replicas.first.databaseUrl,
      'SELECT 1 FROM journeys WHERE id = $1 FOR UPDATE',
      [journey.id],
    );
    const taking = replicas.second.get<IntentsRepository>(IntentsRepository).takeOver(seen!);
    await other.waiting('UPDATE journeys');
    await other.query(`UPDATE journey_intents SET status = 'COMPLETED' WHERE journey_id = $1`, [
      journey.id,
    ]);
    await other.query('UPDATE journeys SET lease_until = NULL WHERE id = $1', [journey.id]);
    await other.release({ keep: true });
    expect(await taking).toBeNull();
    const [row] = await records.query('SELECT lease_until FROM journeys WHERE id = $1', [
      journey.id,
    ]);
    expect(row).toEqual({ lease_until: null });
  });
});

describe('a journey that is started on one replica', () => {
  it('can be taken on by the other at once', async () => {
    for (let index = 0; index < JOURNEYS; index += 1) {
      const journey = await startJourney(index % 2 ? left : right);
      const { state } = await readJourney(index % 2 ? right : left, journey);
      expect(['INITIATED', 'OFFERS_RECEIVED']).toContain(state);
    }
  });
});

describe('a service whose every connection is in use', () => {
  const MANY = 40;

  it('serves them all from its first moment, and when its configuration has just changed', async () => {
    const service = await startService({ environment: { DATABASE_POOL: '2' } });
    try {
      const partner = partnerClient(service);
      const startMany = async () => {
        const answers = await Promise.all(
          Array.from({ length: MANY }, () => partner.initiate(loanRequest())),
        );
        return answers.filter(({ status }) => status !== 200).map(({ json }) => json.error);
      };
      expect(await startMany()).toEqual([]);
      const database = service.get<Database>(Database);
      await database.query('UPDATE configuration SET revision = revision + 1');
      await service.travel(1_000);
      expect(await startMany()).toEqual([]);
      await Promise.all(
        Array.from({ length: 12 }, (_, index) => {
          const productCode = index % 2 ? 'ONLINE_GOLD' : 'ONLINE_PERSONAL';
          return journeyIn(partner, 'SANCTIONED', { productCode });
        }),
      );
    } finally {
      await service.close();
    }
  });
});
