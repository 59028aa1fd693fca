import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { eventually } from '../../support/eventually.js';
import { HeldLock } from '../../support/held-lock.js';
import {
  act,
  type ActionKind,
  driveTo,
  journeyIn,
  readJourney,
  type StartedJourney,
  startJourney,
} from '../../support/journey-driver.js';
import { JourneyRecords } from '../../support/journey-records.js';
import { type PartnerClient, partnerClient } from '../../support/partner-client.js';
import { type SpawnedService, spawnService } from '../../support/spawned-service.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';
import { type Delivery, WebhookReceiver } from '../../support/webhook-receiver.js';

const ACTION_LEASE_MS = 30_000;
const QUESTION_LEASE_MS = 20_000;
const DELIVERY_LEASE_MS = 20_000;
// A process takes over the time that was travelled to within a second.
const CLOCK_MS = 1_500;

// Each of these starts two processes.
vi.setConfig({ testTimeout: 90_000, hookTimeout: 90_000 });

let database: TestDatabase;
let records: JourneyRecords;
let service: SpawnedService;
let partner: PartnerClient;
let offsetMs: number;
let locks: HeldLock[];

beforeEach(async () => {
  offsetMs = 0;
  locks = [];
  database = await createTestDatabase();
  records = new JourneyRecords(database.url);
  await start();
});

afterEach(async () => {
  for (const lock of locks) await lock.release().catch(() => undefined);
  await service?.kill();
  await records.close();
  await database.drop();
});

async function start(): Promise<void> {
  service = await spawnService({ databaseUrl: database.url });
  const { baseUrl } = service;
  partner = partnerClient({ baseUrl, now: () => new Date(Date.now() + offsetMs) });
}

async function travel(milliseconds: number): Promise<void> {
  await records.travel(milliseconds);
  await sleep(CLOCK_MS);
  offsetMs += milliseconds;
}

async function hold(sql: string, values: unknown[] = []): Promise<HeldLock> {
  const lock = await HeldLock.take(database.url, sql, values);
  locks.push(lock);
  return lock;
}

/** Kills the process where it stands, and undoes what it had begun. */
async function killAt(lock: HeldLock): Promise<void> {
  await service.kill('SIGKILL');
  await lock.release();
  await records.untilNobodyIsConnected();
}

/** A journey all of whose lenders' answers have come in, while no offer can be written. */
async function startWithBlockedConsumer(pan?: string): Promise<[StartedJourney, HeldLock]> {
  const lock = await hold('LOCK TABLE journey_offers IN SHARE ROW EXCLUSIVE MODE');
  const journey = await startJourney(partner, { pan });
  await eventually(async () => {
    expect((await records.inbox(journey.id)).waiting).toBe(3);
  });
  return [journey, lock];
}

describe('killed between the lenders’ answers and the journey’s progress', () => {
  it('leaves the answers in the inbox, and the next process takes all of them up, once', async () => {
    const [journey, lock] = await startWithBlockedConsumer();
    await lock.waiting('journey_offers');
    await killAt(lock);
    expect(await records.inbox(journey.id)).toEqual({ waiting: 3, consumed: 0 });
    expect(await records.state(journey.id)).toBe('INITIATED');
    expect(await records.events(journey.id)).toEqual(['1 journey.initiated']);

    await start();
    await eventually(async () => {
      expect(await records.inbox(journey.id)).toEqual({ waiting: 0, consumed: 3 });
    });
    expect(await records.trail(journey.id)).toEqual(['STARTED', 'OFFERS_ARRIVED']);
    expect(await records.events(journey.id)).toEqual([
      '1 journey.initiated',
      '2 journey.offers_received',
    ]);
    // Nobody's offer came too late for a journey that has just been standing still.
    expect((await readJourney(partner, journey)).offers).toHaveLength(3);
    expect(await records.flags(journey.id)).toEqual([]);
  });

  it('does not reject a journey whose one offer waits behind the other lenders’ "no"', async () => {
    const [journey, lock] = await startWithBlockedConsumer('SANDX0003A');
    await lock.waiting('journey_offers');
    await killAt(lock);
    // The offer is the last to be taken up, whichever came first.
    await records.query(
      `UPDATE lender_inbox SET next_attempt_at = next_attempt_at + interval '1 second'
       WHERE id = (SELECT min(id) FROM lender_inbox WHERE subject_id = $1)`,
      [journey.id],
    );
    await start();
    await eventually(async () => {
      expect(await records.inbox(journey.id)).toEqual({ waiting: 0, consumed: 3 });
    });
    expect(await records.trail(journey.id)).toEqual(['STARTED', 'OFFERS_ARRIVED']);
    expect((await readJourney(partner, journey)).offers).toHaveLength(1);
  });

  it('keeps a provider’s callback that it has acknowledged', async () => {
    const journey = await journeyIn(partner, 'KYC_PENDING');
    const { url } = (await readJourney(partner, journey)).currentNextAction;
    const page = await fetch(url!);
    const lock = await hold('SELECT 1 FROM journeys WHERE id = $1 FOR UPDATE', [journey.id]);
    const callback = await fetch(page.url, {
      method: 'POST',
      body: new URLSearchParams({ decision: 'approve' }),
      redirect: 'manual',
    });
    expect(callback.status).toBe(303);
    await lock.waiting('FROM journeys WHERE id');
    await killAt(lock);
    expect((await records.inbox(journey.id)).waiting).toBe(1);
    expect(await records.state(journey.id)).toBe('KYC_PENDING');

    await start();
    await eventually(async () => {
      expect(await records.state(journey.id)).toBe('BANK_ACCOUNT_PENDING');
    });
    expect(await records.trail(journey.id)).toEqual([
      'STARTED',
      'OFFERS_ARRIVED',
      'OFFER_SELECTED',
      'KYC_PASSED',
    ]);
    expect((await records.events(journey.id)).at(-1)).toBe('4 journey.kyc_done');
  });
});

describe('killed while questions are being put to lenders', () => {
  it('leaves their leases, after which a new process asks again', async () => {
    // An answer that is there cannot be written down.
    const lock = await hold('LOCK TABLE lender_inbox IN SHARE ROW EXCLUSIVE MODE');
    const journey = await startJourney(partner);
    await lock.waiting('lender_inbox', 3);
    await killAt(lock);
    const leased = await records.questions(journey.id, 'OFFERS');
    expect(leased).toHaveLength(3);
    for (const one of leased) expect(one).toMatchObject({ status: 'OPEN', isLeased: true });
    expect(await records.inbox(journey.id)).toEqual({ waiting: 0, consumed: 0 });

    await start();
    // Two looks of the new process's worker: it leaves what is leased alone.
    await sleep(2_200);
    expect(await records.questions(journey.id, 'OFFERS')).toEqual(leased);

    await travel(QUESTION_LEASE_MS);
    await eventually(
      async () => {
        expect(await records.state(journey.id)).toBe('OFFERS_RECEIVED');
      },
      { withinMs: 15_000 },
    );
    const again = await records.questions(journey.id, 'OFFERS');
    expect(again.map(({ attempts }) => attempts)).toEqual(leased.map((one) => one.attempts + 1));
    expect(await records.inbox(journey.id)).toEqual({ waiting: 0, consumed: 3 });
    expect(await records.offers(journey.id)).toBe(3);
    expect(await records.trail(journey.id)).toEqual(['STARTED', 'OFFERS_ARRIVED']);
    expect(await records.events(journey.id)).toEqual([
      '1 journey.initiated',
      '2 journey.offers_received',
    ]);
  });
});

interface CutShort {
  kind: ActionKind;
  journey: StartedJourney;
  /** Where the action found the journey and where it leads. */
  from: string;
  to: string;
  trail: string[];
}

/** One journey for each kind of action, at the state that the kind is taken in. */
async function journeysForActions(): Promise<CutShort[]> {
  const trail = ['STARTED', 'OFFERS_ARRIVED', 'OFFER_SELECTED'];
  const [select, branch, account] = await Promise.all([
    journeyIn(partner, 'OFFERS_RECEIVED'),
    journeyIn(partner, 'OFFER_SELECTED', { productCode: 'ONLINE_GOLD' }),
    journeyIn(partner, 'BANK_ACCOUNT_PENDING'),
  ]);
  return [
    {
      kind: 'SELECT_OFFER',
      journey: select,
      from: 'OFFERS_RECEIVED',
      to: 'KYC_PENDING',
      trail,
    },
    {
      kind: 'SELECT_GOLD_LOAN_BRANCH',
      journey: branch,
      from: 'OFFER_SELECTED',
      to: 'KYC_PENDING',
      trail: [...trail, 'BRANCH_SELECTED'],
    },
    {
      kind: 'SUBMIT_BANK_ACCOUNT',
      journey: account,
      from: 'BANK_ACCOUNT_PENDING',
      to: 'MANDATE_PENDING',
      trail: [...trail, 'KYC_PASSED', 'ACCOUNT_ACCEPTED'],
    },
  ];
}

/** Starts every action and kills the process after their intents, before their outcomes. */
async function cutShort(actions: readonly CutShort[]): Promise<void> {
  // Each of the actions leads to a redirect, which cannot be written.
  const lock = await hold('LOCK TABLE journey_redirects IN EXCLUSIVE MODE');
  const answers = actions.map(({ journey, kind }) =>
    act(partner, journey, kind).then(
      ({ status }) => status,
      () => 'no answer',
    ),
  );
  await lock.waiting('journey_redirects', actions.length);
  await killAt(lock);
  expect(await Promise.all(answers)).toEqual(actions.map(() => 'no answer'));
  for (const { journey, kind, from } of actions) {
    expect(await records.state(journey.id)).toBe(from);
    const intents = await records.intents(journey.id);
    expect(intents.filter(({ status }) => status === 'OPEN')).toMatchObject([{ kind }]);
  }
}

async function expectOneStep({ journey, kind, to, trail }: CutShort): Promise<void> {
  expect(await records.state(journey.id)).toBe(to);
  expect(await records.trail(journey.id)).toEqual(trail);
  const intents = await records.intents(journey.id);
  expect(intents.filter((intent) => intent.kind === kind)).toMatchObject([{ status: 'COMPLETED' }]);
  const events = await records.events(journey.id);
  expect(events.map((event) => Number.parseInt(event, 10))).toEqual(
    events.map((_, index) => index + 1),
  );
  const chosen = events.filter((event) => event.endsWith('journey.offer_selected'));
  expect(chosen).toHaveLength(1);
}

describe('killed between an action’s intent and its outcome', () => {
  it('has the next action resolve it once the lease has run out, in one step', async () => {
    const actions = await journeysForActions();
    await cutShort(actions);
    await start();
    for (const { journey, kind, from } of actions) {
      const early = await act(partner, journey, kind);
      expect([early.status, early.json.code]).toEqual([409, 'action_in_flight']);
      expect(await records.state(journey.id)).toBe(from);
    }
    await records.travel(ACTION_LEASE_MS);
    for (const action of actions) {
      // What was set out to do is done now, so the same action again is one step too many.
      const late = await act(partner, action.journey, action.kind);
      expect(late.status).toBe(409);
      await eventually(() => expectOneStep(action));
    }
    expect(service.output()).toMatch(/journey\/jrn_\w+\/action"[^\n]*resolving an orphan/);
    await sleep(CLOCK_MS);
    await driveTo(partner, actions[0].journey, 'SANCTIONED');
  });

  it('has the scheduler resolve it, in one step, should nobody act', async () => {
    const actions = await journeysForActions();
    await cutShort(actions);
    await travel(ACTION_LEASE_MS);
    await start();
    await eventually(
      async () => {
        for (const { journey, to } of actions) expect(await records.state(journey.id)).toBe(to);
      },
      { withinMs: 15_000 },
    );
    for (const action of actions) await expectOneStep(action);
  });

  it('does not keep the scheduler from the others when one cannot be resolved', async () => {
    const actions = await journeysForActions();
    await cutShort(actions);
    // The oldest, so the first in line.
    const [broken] = await records.query<{ id: string; kind: string }>(
      `UPDATE journey_intents SET payload_sealed = 'broken'
       WHERE id = (SELECT min(id) FROM journey_intents WHERE status = 'OPEN') RETURNING id, kind`,
    );
    await travel(ACTION_LEASE_MS);
    await start();
    const others = actions.filter(({ kind }) => kind !== broken.kind);
    await eventually(
      async () => {
        for (const { journey, to } of others) expect(await records.state(journey.id)).toBe(to);
      },
      { withinMs: 15_000 },
    );
    const [left] = await records.query('SELECT status FROM journey_intents WHERE id = $1', [
      broken.id,
    ]);
    expect(left).toEqual({ status: 'OPEN' });
  });
});

describe('killed between a receiver’s 200 and its record', () => {
  let receiver: WebhookReceiver;

  beforeEach(async () => {
    receiver = await WebhookReceiver.start();
  });

  afterEach(() => receiver.stop());

  it('delivers again, with the same event id and the same bytes', async () => {
    const registered = await partner.post<{ subscriptionId: string }>('/webhooks', {
      url: receiver.url(),
    });
    const { subscriptionId } = registered.json.data;
    receiver.answerNext({ status: 200, delayMs: 500 });
    const journey = await startJourney(partner, { channel: 'API_HOSTED' });
    const first = await receiver.waitForEvent('journey.initiated');
    // The sender has claimed; what it wants to write down afterwards begins with this row.
    const lock = await hold(
      'SELECT 1 FROM webhook_lanes WHERE subscription_id = $1 FOR NO KEY UPDATE',
      [subscriptionId],
    );
    const [{ pid }] = await lock.waiting('SET failure_count');
    await service.kill('SIGKILL');
    // The record is one statement, which the server would finish without its client.
    await lock.query('SELECT pg_terminate_backend($1)', [pid]);
    await lock.release();
    await records.untilNobodyIsConnected();
    const unrecorded = await records.query(
      'SELECT status, attempts FROM webhook_deliveries WHERE subscription_id = $1',
      [subscriptionId],
    );
    expect(unrecorded).toEqual([{ status: 'PENDING', attempts: 0 }]);

    await start();
    // A look or two of the new sender, which leaves what is leased alone.
    await sleep(1_500);
    expect(receiver.deliveries).toHaveLength(1);
    await travel(DELIVERY_LEASE_MS);
    const [, second] = await receiver.waitForCount(2, 10_000);
    expect(eventIdOf(second)).toBe(eventIdOf(first));
    expect(second.body.equals(first.body)).toBe(true);
    expect(second.headers['x-rinpath-signature']).toBe(first.headers['x-rinpath-signature']);
    expect(second.json().journeyId).toBe(journey.id);
    await eventually(async () => {
      const rows = await records.query(
        'SELECT status, attempts FROM webhook_deliveries WHERE subscription_id = $1',
        [subscriptionId],
      );
      expect(rows).toEqual([{ status: 'SUCCEEDED', attempts: 1 }]);
    });
    expect(receiver.deliveries).toHaveLength(2);
  });
});

function eventIdOf(delivery: Delivery): unknown {
  return delivery.headers['x-rinpath-event-id'];
}
