// Isolated: its process is killed.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { eventually } from '../../support/eventually.js';
import { startJourney } from '../../support/journey-driver.js';
import { KillableService, TEST_MS } from './killable-service.js';

/** Longer than a lease is, so that a slow machine starts the new process before its end. */
const LEASE_SECONDS = 60;

vi.setConfig({ testTimeout: TEST_MS, hookTimeout: TEST_MS });

let service: KillableService;

beforeEach(async () => {
  service = await KillableService.open();
});

afterEach(() => service.close());

describe('killed while questions are being put to lenders', () => {
  it('leaves their leases, after which a new process asks again', async () => {
    // An answer that is there cannot be written down.
    const lock = await service.hold('LOCK TABLE lender_inbox IN SHARE ROW EXCLUSIVE MODE');
    const journey = await startJourney(service.partner);
    await lock.waiting('lender_inbox', 3);
    await service.killAt(lock);
    await service.records.query(
      `UPDATE lender_questions SET lease_until = app_now() + make_interval(secs => $2)
       WHERE subject_id = $1 AND lease_until > app_now()`,
      [journey.id, LEASE_SECONDS],
    );
    const leased = await service.records.questions(journey.id, 'OFFERS');
    expect(leased).toHaveLength(3);
    for (const one of leased) expect(one).toMatchObject({ status: 'OPEN', isLeased: true });
    expect(await service.records.inbox(journey.id)).toEqual({ waiting: 0, consumed: 0 });

    await service.start();
    // Two looks of the new process's worker: it leaves what is leased alone.
    await sleep(2_200);
    expect(await service.records.questions(journey.id, 'OFFERS')).toEqual(leased);

    await service.travel(LEASE_SECONDS * 1_000);
    await eventually(
      async () => {
        expect(await service.records.state(journey.id)).toBe('OFFERS_RECEIVED');
      },
      { withinMs: 15_000 },
    );
    const again = await service.records.questions(journey.id, 'OFFERS');
    expect(again.map(({ attempts }) => attempts)).toEqual(leased.map((one) => one.attempts + 1));
    expect(await service.records.inbox(journey.id)).toEqual({ waiting: 0, consumed: 3 });
    expect(await service.records.offers(journey.id)).toBe(3);
    expect(await service.records.trail(journey.id)).toEqual(['STARTED', 'OFFERS_ARRIVED']);
    expect(await service.records.events(journey.id)).toEqual([
      '1 journey.initiated',
      '2 journey.offers_received',
    ]);
  });
});
