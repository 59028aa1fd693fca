// Isolated: its process is killed.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { eventually } from '../../support/eventually.js';
import {
  journeyIn,
  readJourney,
  type StartedJourney,
  startJourney,
} from '../../support/journey-driver.js';
import { followRedirect } from '../../support/redirect-visit.js';
import { KillableService, TEST_MS } from './killable-service.js';

const PATIENT = { withinMs: 30_000 };
const NONE_CONSUMED = { waiting: 3, consumed: 0 };
const ALL_CONSUMED = { waiting: 0, consumed: 3 };

vi.setConfig({ testTimeout: TEST_MS, hookTimeout: TEST_MS });

let service: KillableService;
/** Whose three lenders have made an offer each. */
let offered: StartedJourney;
/** Of whose lenders one has made an offer. */
let offeredOnce: StartedJourney;
/** Whose provider has called back. */
let calledBack: StartedJourney;

/** All of them have answers in the inbox that the process was taking up when it was killed. */
beforeAll(async () => {
  service = await KillableService.open();
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

afterAll(() => service?.close());

describe('killed between the lenders’ answers and the journey’s progress', () => {
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
