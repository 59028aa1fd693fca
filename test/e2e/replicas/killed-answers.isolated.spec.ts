// Isolated: its process is killed.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { eventually } from '../../support/eventually.js';
import { confirmed, type HostedClient, startHosted } from '../../support/hosted-client.js';
import {
  journeyIn,
  readJourney,
  type StartedJourney,
  startJourney,
} from '../../support/journey-driver.js';
import { followRedirect } from '../../support/redirect-visit.js';
import type { TestService } from '../../support/service.js';
import { type Delivery, WebhookReceiver } from '../../support/webhook-receiver.js';
import { CLOCK_MS, KillableService, TEST_MS } from './killable-service.js';

vi.setConfig({ testTimeout: 2 * TEST_MS, hookTimeout: TEST_MS });

/** One database for all; each part kills its process and starts the next one. */
let service: KillableService;

beforeAll(async () => {
  service = await KillableService.open();
});

afterAll(() => service?.close());

describe('killed between the lenders’ answers and the journey’s progress', () => {
  const PATIENT = { withinMs: 30_000 };
  const NONE_CONSUMED = { waiting: 3, consumed: 0 };
  const ALL_CONSUMED = { waiting: 0, consumed: 3 };
  /** Whose three lenders have made an offer each. */
  let offered: StartedJourney;
  /** Of whose lenders one has made an offer. */
  let offeredOnce: StartedJourney;
  /** Whose provider has called back. */
  let calledBack: StartedJourney;

  /** All of them have answers in the inbox that the process was taking up when it was killed. */
  beforeAll(async () => {
    calledBack = await journeyIn(service.partner, 'KYC_PENDING');
    const { url } = (await readJourney(service.partner, calledBack)).currentNextAction;
    const page = await followRedirect(url!);
    // What is written last when answers are taken up, whatever they say and however many together.
    const offers = await service.holdWrite(
      'BEFORE UPDATE ON lender_inbox',
      `NEW.kind = 'OFFERS' AND NEW.consumed_at IS NOT NULL`,
    );
    [offered, offeredOnce] = await Promise.all([
      startJourney(service.partner),
      startJourney(service.partner, { pan: 'SANDX0003A' }),
    ]);
    await eventually(async () => {
      for (const { id } of [offered, offeredOnce])
        expect(await service.records.inbox(id)).toEqual(NONE_CONSUMED);
    }, PATIENT);
    await offers.waiting('lender_inbox');
    const journey = await service.hold('SELECT 1 FROM journeys WHERE id = $1 FOR UPDATE', [
      calledBack.id,
    ]);
    const callback = await fetch(page.url, {
      method: 'POST',
      body: new URLSearchParams({ decision: 'approve' }),
      redirect: 'manual',
    });
    expect(callback.status).toBe(303);
    await journey.waiting('FROM journeys WHERE id');
    await service.killAt(offers, journey);
    for (const { id } of [offered, offeredOnce]) {
      expect(await service.records.inbox(id)).toEqual(NONE_CONSUMED);
      expect(await service.records.state(id)).toBe('INITIATED');
      expect(await service.records.events(id)).toEqual(['1 journey.initiated']);
    }
    expect((await service.records.inbox(calledBack.id)).waiting).toBe(1);
    expect(await service.records.state(calledBack.id)).toBe('KYC_PENDING');
    // The offer is the last to be taken up, whichever came first.
    await service.records.query(
      `UPDATE lender_inbox SET next_attempt_at = next_attempt_at + interval '1 second'
     WHERE id = (SELECT min(id) FROM lender_inbox WHERE subject_id = $1)`,
      [offeredOnce.id],
    );
    await service.start();
  });

  it('leaves the answers in the inbox, and the next process takes all of them up, once', async () => {
    await eventually(async () => {
      expect(await service.records.inbox(offered.id)).toEqual(ALL_CONSUMED);
    }, PATIENT);
    expect(await service.records.trail(offered.id)).toEqual(['STARTED', 'OFFERS_ARRIVED']);
    expect(await service.records.events(offered.id)).toEqual([
      '1 journey.initiated',
      '2 journey.offers_received',
    ]);
    // Nobody's offer came too late for a journey that has just been standing still.
    expect((await readJourney(service.partner, offered)).offers).toHaveLength(3);
    expect(await service.records.flags(offered.id)).toEqual([]);
  });

  it('does not reject a journey whose one offer waits behind the other lenders’ "no"', async () => {
    await eventually(async () => {
      expect(await service.records.inbox(offeredOnce.id)).toEqual(ALL_CONSUMED);
    }, PATIENT);
    expect(await service.records.trail(offeredOnce.id)).toEqual(['STARTED', 'OFFERS_ARRIVED']);
    expect((await readJourney(service.partner, offeredOnce)).offers).toHaveLength(1);
  });

  it('keeps a provider’s callback that it has acknowledged', async () => {
    await eventually(async () => {
      expect(await service.records.state(calledBack.id)).toBe('BANK_ACCOUNT_PENDING');
    }, PATIENT);
    expect(await service.records.trail(calledBack.id)).toEqual([
      'STARTED',
      'OFFERS_ARRIVED',
      'OFFER_SELECTED',
      'KYC_PASSED',
    ]);
    expect((await service.records.events(calledBack.id)).at(-1)).toBe('4 journey.kyc_done');
  });
});

describe('killed between a receiver’s 200 and its record', () => {
  const DELIVERY_LEASE_MS = 20_000;

  function eventIdOf(delivery: Delivery): unknown {
    return delivery.headers['x-rinpath-event-id'];
  }

  let receiver: WebhookReceiver;

  beforeEach(async () => {
    receiver = await WebhookReceiver.start();
  });

  afterEach(() => receiver.stop());

  it('delivers again, with the same event id and the same bytes', async () => {
    const registered = await service.partner.post<{ subscriptionId: string }>('/webhooks', {
      url: receiver.url(),
    });
    const { subscriptionId } = registered.json.data;
    const held = Promise.withResolvers<void>();
    receiver.answerNext({ status: 200, after: held.promise });
    const journey = await startJourney(service.partner, { channel: 'API_HOSTED' });
    const first = await receiver.waitForEvent('journey.initiated');
    // The sender has claimed; what it wants to write down afterwards begins with this row.
    const lock = await service.hold(
      'SELECT 1 FROM webhook_lanes WHERE subscription_id = $1 FOR NO KEY UPDATE',
      [subscriptionId],
    );
    held.resolve();
    const [{ pid }] = await lock.waiting('SET failure_count');
    await service.kill();
    // The record is one statement, which the server would finish without its client.
    await lock.query('SELECT pg_terminate_backend($1)', [pid]);
    await lock.release();
    await service.records.untilNobodyIsConnected();
    const unrecorded = await service.records.query(
      'SELECT status, attempts FROM webhook_deliveries WHERE subscription_id = $1',
      [subscriptionId],
    );
    expect(unrecorded).toEqual([{ status: 'PENDING', attempts: 0 }]);

    await service.start();
    // A look or two of the new sender, which leaves what is leased alone.
    await sleep(1_500);
    expect(receiver.deliveries).toHaveLength(1);
    await service.travel(DELIVERY_LEASE_MS);
    const [, second] = await receiver.waitForCount(2, 10_000);
    expect(eventIdOf(second)).toBe(eventIdOf(first));
    expect(second.body.equals(first.body)).toBe(true);
    expect(second.headers['x-rinpath-signature']).toBe(first.headers['x-rinpath-signature']);
    expect(second.json().journeyId).toBe(journey.id);
    await eventually(async () => {
      const rows = await service.records.query(
        'SELECT status, attempts FROM webhook_deliveries WHERE subscription_id = $1',
        [subscriptionId],
      );
      expect(rows).toEqual([{ status: 'SUCCEEDED', attempts: 1 }]);
    });
    expect(receiver.deliveries).toHaveLength(2);
  });
});

describe('killed between the new lender’s word and its record, and while questions are put to lenders', () => {
  /** Longer than a lease is, so that a slow machine starts the new process before its end. */
  const LEASE_SECONDS = 60;
  const PATIENT = { withinMs: 30_000 };
  /** Whose applicant presses again. */
  let pressed: Journey;
  /** Whose applicant does nothing more. */
  let left: Journey;
  /** Whose lenders are being asked for offers. */
  let asking: StartedJourney;
  let leased: Awaited<ReturnType<typeof service.records.questions>>;

  beforeAll(async () => {
    [pressed, left] = await Promise.all([beforeTheChange(), beforeTheChange()]);
    await cutShort([pressed, left]);
    await service.start();
    // Two passes of the new process's worker: it leaves what is leased alone.
    await sleep(2_200);
    expect(await service.records.questions(asking.id, 'OFFERS')).toEqual(leased);
  });

  interface Journey {
    readonly id: string;
    readonly client: HostedClient;
    readonly offers: readonly { id: string; lender: string }[];
  }

  /** What the screens' helpers need of a service. */
  function face(): TestService {
    const { baseUrl } = service.running;
    return { baseUrl, now: () => new Date() } as TestService;
  }

  async function confirm(client: HostedClient, offerId: string): Promise<void> {
    const page = await client.open(`/hosted/offers/${offerId}/confirm?amount=150000`);
    expect(page.path).toContain('/confirm');
  }

  /** A hosted journey whose applicant has chosen an offer and read the statement of another one. */
  async function beforeTheChange(): Promise<Journey> {
    const start = await startHosted(face());
    const client = await confirmed(face(), start);
    await eventually(async () => {
      expect(await service.records.state(start.id)).toBe('OFFERS_RECEIVED');
    }, PATIENT);
    const offers = await service.records.query<{ id: string; lender: string }>(
      `SELECT id, lender_code AS lender FROM journey_offers WHERE journey_id = $1
     ORDER BY (figures ->> 'apr')::numeric`,
      [start.id],
    );
    await confirm(client, offers[0].id);
    await client.submit({ hasRead: '1' });
    expect(await service.records.state(start.id)).toBe('KYC_PENDING');
    await confirm(client, offers[1].id);
    return { id: start.id, client, offers };
  }

  /** Confirms the other offers, and kills the process after the lenders have taken them, before they are recorded. */
  async function cutShort(journeys: readonly Journey[]): Promise<void> {
    // An answer that is there cannot be written down.
    const inbox = await service.hold('LOCK TABLE lender_inbox IN SHARE ROW EXCLUSIVE MODE');
    asking = await startJourney(service.partner);
    await inbox.waiting('lender_inbox', 3);
    const lock = await service.hold('LOCK TABLE journey_redirects IN EXCLUSIVE MODE');
    const answers = journeys.map(({ client }) =>
      client.submit({ hasRead: '1' }).then(
        ({ status }) => status,
        () => 'no answer',
      ),
    );
    await lock.waiting('journey_redirects', journeys.length);
    await service.killAt(inbox, lock);
    expect(await Promise.all(answers)).toEqual(journeys.map(() => 'no answer'));
    for (const { id, offers } of journeys) {
      // The choice from before stands whole.
      expect(await chosen(id)).toBe(offers[0].id);
      expect(await told(id)).toEqual([]);
    }
    await service.records.query(
      `UPDATE lender_questions SET lease_until = app_now() + make_interval(secs => $2)
       WHERE subject_id = $1 AND lease_until > app_now()`,
      [asking.id, LEASE_SECONDS],
    );
    leased = await service.records.questions(asking.id, 'OFFERS');
    expect(leased).toHaveLength(3);
    for (const one of leased) expect(one).toMatchObject({ status: 'OPEN', isLeased: true });
    expect(await service.records.inbox(asking.id)).toEqual({ waiting: 0, consumed: 0 });
  }

  async function chosen(id: string): Promise<string> {
    const [row] = await service.records.query<{ id: string }>(
      'SELECT selected_offer_id AS id FROM journeys WHERE id = $1',
      [id],
    );
    return row.id;
  }

  function told(id: string): Promise<object[]> {
    return service.records.query(
      `SELECT lender_code AS lender, reference FROM lender_questions
     WHERE subject_id = $1 AND kind = 'WITHDRAWAL'`,
      [id],
    );
  }

  async function expectChangedOnce({ id, offers }: Journey): Promise<void> {
    await eventually(async () => expect(await chosen(id)).toBe(offers[1].id), PATIENT);
    expect(await service.records.trail(id)).toEqual([
      'STARTED',
      'CONSENTED',
      'CONFIRMED',
      'OFFERS_ARRIVED',
      'OFFER_SELECTED',
      'OFFER_LET_GO',
      'OFFER_SELECTED',
    ]);
    expect(await told(id)).toEqual([{ lender: offers[0].lender, reference: 'NOT_CHOSEN' }]);
    expect(await service.records.events(id)).toEqual([
      '1 journey.initiated',
      '2 journey.offers_received',
      '3 journey.offer_selected',
      '4 journey.offer_selected',
    ]);
  }

  it('has whoever presses again make it, once', async () => {
    await service.records.travel(LEASE_SECONDS * 1_000);
    const again = pressed.client.copy(face().baseUrl);
    await again.submit({ hasRead: '1' });
    await expectChangedOnce(pressed);
  });

  it('has the scheduler make the change, once', async () => {
    await service.travel(CLOCK_MS);
    await expectChangedOnce(left);
  });

  it('leaves the leases of questions, after which a new process asks again', async () => {
    await eventually(async () => {
      expect(await service.records.state(asking.id)).toBe('OFFERS_RECEIVED');
    }, PATIENT);
    const again = await service.records.questions(asking.id, 'OFFERS');
    expect(again.map(({ attempts }) => attempts)).toEqual(leased.map((one) => one.attempts + 1));
    expect(await service.records.inbox(asking.id)).toEqual({ waiting: 0, consumed: 3 });
    expect(await service.records.trail(asking.id)).toEqual(['STARTED', 'OFFERS_ARRIVED']);
    expect(await service.records.events(asking.id)).toEqual([
      '1 journey.initiated',
      '2 journey.offers_received',
    ]);
  });
});
