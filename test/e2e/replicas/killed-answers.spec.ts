import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { eventually } from '../../support/eventually.js';
import type { HeldLock } from '../../support/held-lock.js';
import {
  journeyIn,
  readJourney,
  type StartedJourney,
  startJourney,
} from '../../support/journey-driver.js';
import { followRedirect } from '../../support/redirect-visit.js';
import { KillableService, TEST_MS } from './killable-service.js';

vi.setConfig({ testTimeout: TEST_MS, hookTimeout: TEST_MS });

let service: KillableService;

beforeEach(async () => {
  service = await KillableService.open();
});

afterEach(() => service.close());

/** A journey all of whose lenders' answers have come in, while no offer can be written. */
async function startWithBlockedConsumer(pan?: string): Promise<[StartedJourney, HeldLock]> {
  const lock = await service.hold('LOCK TABLE journey_offers IN SHARE ROW EXCLUSIVE MODE');
  const journey = await startJourney(service.partner, { pan });
  await eventually(async () => {
    expect((await service.records.inbox(journey.id)).waiting).toBe(3);
  });
  return [journey, lock];
}

describe('killed between the lenders’ answers and the journey’s progress', () => {
  it('leaves the answers in the inbox, and the next process takes all of them up, once', async () => {
    const [journey, lock] = await startWithBlockedConsumer();
    await lock.waiting('journey_offers');
    await service.killAt(lock);
    expect(await service.records.inbox(journey.id)).toEqual({ waiting: 3, consumed: 0 });
    expect(await service.records.state(journey.id)).toBe('INITIATED');
    expect(await service.records.events(journey.id)).toEqual(['1 journey.initiated']);

    await service.start();
    await eventually(async () => {
      expect(await service.records.inbox(journey.id)).toEqual({ waiting: 0, consumed: 3 });
    });
    expect(await service.records.trail(journey.id)).toEqual(['STARTED', 'OFFERS_ARRIVED']);
    expect(await service.records.events(journey.id)).toEqual([
      '1 journey.initiated',
      '2 journey.offers_received',
    ]);
    // Nobody's offer came too late for a journey that has just been standing still.
    expect((await readJourney(service.partner, journey)).offers).toHaveLength(3);
    expect(await service.records.flags(journey.id)).toEqual([]);
  });

  it('does not reject a journey whose one offer waits behind the other lenders’ "no"', async () => {
    const [journey, lock] = await startWithBlockedConsumer('SANDX0003A');
    await lock.waiting('journey_offers');
    await service.killAt(lock);
    // The offer is the last to be taken up, whichever came first.
    await service.records.query(
      `UPDATE lender_inbox SET next_attempt_at = next_attempt_at + interval '1 second'
       WHERE id = (SELECT min(id) FROM lender_inbox WHERE subject_id = $1)`,
      [journey.id],
    );
    await service.start();
    await eventually(async () => {
      expect(await service.records.inbox(journey.id)).toEqual({ waiting: 0, consumed: 3 });
    });
    expect(await service.records.trail(journey.id)).toEqual(['STARTED', 'OFFERS_ARRIVED']);
    expect((await readJourney(service.partner, journey)).offers).toHaveLength(1);
  });

  it('keeps a provider’s callback that it has acknowledged', async () => {
    const journey = await journeyIn(service.partner, 'KYC_PENDING');
    const { url } = (await readJourney(service.partner, journey)).currentNextAction;
    const page = await followRedirect(url!);
    const lock = await service.hold('SELECT 1 FROM journeys WHERE id = $1 FOR UPDATE', [
      journey.id,
    ]);
    const callback = await fetch(page.url, {
      method: 'POST',
      body: new URLSearchParams({ decision: 'approve' }),
      redirect: 'manual',
    });
    expect(callback.status).toBe(303);
    await lock.waiting('FROM journeys WHERE id');
    await service.killAt(lock);
    expect((await service.records.inbox(journey.id)).waiting).toBe(1);
    expect(await service.records.state(journey.id)).toBe('KYC_PENDING');

    await service.start();
    await eventually(async () => {
      expect(await service.records.state(journey.id)).toBe('BANK_ACCOUNT_PENDING');
    });
    expect(await service.records.trail(journey.id)).toEqual([
      'STARTED',
      'OFFERS_ARRIVED',
      'OFFER_SELECTED',
      'KYC_PASSED',
    ]);
    expect((await service.records.events(journey.id)).at(-1)).toBe('4 journey.kyc_done');
  });
});
