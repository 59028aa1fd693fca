// Isolated: its process is killed.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { eventually } from '../../support/eventually.js';
import {
  journeyIn,
  readJourney,
  type StartedJourney,
  startJourney,
} from '../../support/journey-driver.js';
import { followRedirect } from '../../support/redirect-visit.js';
import { type Delivery, WebhookReceiver } from '../../support/webhook-receiver.js';
import { KillableService, TEST_MS } from './killable-service.js';

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
