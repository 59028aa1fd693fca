import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { ActionKind } from '../../../src/journey-steps/index.js';
import { IntentsRepository } from '../../../src/journeys/store/intents.repository.js';
import { JourneysRepository } from '../../../src/journeys/store/journeys.repository.js';
import {
  OfferDeadlinesTasks,
  OrphanedActionsTasks,
} from '../../../src/journeys/background/journey.tasks.js';
import { LenderUnavailable } from '../../../src/lenders/index.js';
import { eventually } from '../../support/eventually.js';
import { type Answer, partnerClient } from '../../support/partner-client.js';
import type { TestService } from '../../support/service.js';
import { sharedReplicas } from '../../support/shared-service.js';
import { pauseTask } from '../../support/paused-task.js';
import { DAY, JourneyBench, type TestJourney, refusal } from './journey-bench.js';

const ONE_EACH = ['journey.initiated', 'journey.offers_received', 'journey.offer_selected'];

let bench: JourneyBench;
let replica: TestService;

beforeAll(async () => {
  const { first, second } = await sharedReplicas();
  bench = new JourneyBench(first);
  replica = second;
  // Each test decides which replica finds an orphan, and when; background work would interfere.
  for (const one of [first, second])
    pauseTask(one, OrphanedActionsTasks, 'orphaned-actions', 'run');
});

afterEach(() => {
  vi.restoreAllMocks();
});

afterAll(() => bench.close());

/** Delays every such call to a lender until the test releases it. */
function hold(call: 'quote' | 'select') {
  const { lender } = bench;
  const carryOut = lender[call].bind(lender) as (request: unknown) => Promise<never>;
  const released = Promise.withResolvers<void>();
  const asked = vi.spyOn(lender, call).mockImplementation(async (request: unknown) => {
    await released.promise;
    return carryOut(request);
  });
  return {
    release: released.resolve,
    wasAsked: () => eventually(() => expect(asked).toHaveBeenCalledTimes(1)),
  };
}

async function statusesOf({ id }: TestJourney): Promise<string[]> {
  const rows = await bench.query<{ status: string }>(
    'SELECT status FROM journey_intents WHERE journey_id = $1 ORDER BY created_at',
    [id],
  );
  return rows.map(({ status }) => status);
}

/** An action whose process was killed this long ago, after it recorded the intent. */
async function leaveIntent(
  { id }: TestJourney,
  kind: ActionKind,
  payload: object,
  secondsAgo = 60,
): Promise<string> {
  const journey = await bench.service.get(JourneysRepository).find(bench.service.partnerId, id);
  const intent = await bench.service.get(IntentsRepository).open(journey!, kind, payload);
  await bench.query(
    `UPDATE journeys SET lease_until = lease_until - $2 * interval '1 second' WHERE id = $1`,
    [id, secondsAgo],
  );
  return intent!.id;
}

it('an action in flight has every other answered 409 at once, on any replica, and goes on undisturbed', async () => {
  const journey = await bench.startWithOffers();
  const [{ offerId }, other] = await journey.offers();
  const held = hold('quote');
  const first = journey.select({ offerId });
  await held.wasAsked();
  const payload = { offerId: other.offerId };
  for (const client of [bench.demo, partnerClient(replica)]) {
    const answer = await client.action(journey.id, journey.session, 'SELECT_OFFER', payload);
    expect(refusal(answer)).toEqual([409, 'action_in_flight']);
  }
  // The first action still waits for its lender; the others did not wait for it.
  expect(await journey.read()).toMatchObject({ state: 'OFFERS_RECEIVED', selectedOffer: null });
  held.release();
  expect((await first).status).toBe(200);
  expect((await journey.read()).selectedOffer!.offerId).toBe(offerId);
  expect(await journey.eventNames()).toEqual(ONE_EACH);
});

it('an action in flight is refused when the offer expires under it, and only then are the lenders asked again', async () => {
  const validity = (days: number) => `UPDATE lenders SET terms =
      jsonb_set(terms, '{products,ONLINE_PERSONAL,offerValidDays}', '${days}')`;
  await bench.configure(validity(5));
  const journey = await bench.startWithOffers();
  // 10 seconds before the last offer expires.
  await bench.service.travel(5 * DAY - 10_000);
  const roundsAsked = async () =>
    new Set((await journey.questions()).map(({ reference }) => reference));
  const held = hold('quote');
  const action = journey.select();
  await held.wasAsked();
  // Less than the action’s lease, but the offers expire.
  await bench.service.travel(12_000);
  await bench.service.get(OfferDeadlinesTasks).run();
  // The partner has no offer to choose, but no new round starts while the choice is open.
  expect(await journey.read()).toMatchObject({ state: 'INITIATED', offers: [] });
  expect(await roundsAsked()).toEqual(new Set(['1']));
  held.release();
  const { status, json } = await action;
  expect([status, json.code]).toEqual([409, 'offer_expired']);
  expect(await statusesOf(journey)).toEqual(['COMPLETED']);
  await eventually(async () => expect(await roundsAsked()).toEqual(new Set(['1', '2'])));
  await bench.configure(validity(7));
  vi.restoreAllMocks();
  await journey.reaches('OFFERS_RECEIVED');
  expect((await journey.complete()).outcome).toBe('SANCTIONED');
});

describe('an action whose holder died', () => {
  it('refuses the next one while its lease may still be held, and is completed before the next one is looked at', async () => {
    const journey = await bench.startWithOffers({ productCode: 'ONLINE_GOLD' });
    const [first, second] = await journey.offers();
    const payload = { offerId: second.offerId, loanAmount: 50_000 };
    const intentId = await leaveIntent(journey, 'SELECT_OFFER', payload, 20);
    expect(refusal(await journey.select({ offerId: first.offerId }))).toEqual([
      409,
      'action_in_flight',
    ]);
    await bench.service.travel(11_000);
    // While its outcome is unknown, offers do not expire.
    await bench.query('UPDATE journeys SET offers_due_at = app_now() WHERE id = $1', [journey.id]);
    await bench.service.get(OfferDeadlinesTasks).run();
    const quote = vi.spyOn(bench.lender, 'quote');
    const select = vi.spyOn(bench.lender, 'select');
    // Another action, possible after the choice is resolved.
    const branchLocationId = second.branchLocations[0].id;
    const branch = await journey.act('SELECT_GOLD_LOAN_BRANCH', { branchLocationId });
    expect(branch.status).toBe(200);
    const { status, json } = await journey.select({ offerId: first.offerId });
    expect([status, json.code]).toEqual([409, 'wrong_step']);
    const after = await journey.read();
    expect(after.state).toBe('KYC_PENDING');
    expect(after.selectedOffer).toMatchObject({ offerId: second.offerId, loanAmount: 50_000 });
    expect(await statusesOf(journey)).toEqual(['COMPLETED', 'COMPLETED']);
    // The idempotency keys are the same as before, so the lender repeats nothing.
    const asked = [...quote.mock.calls, ...select.mock.calls];
    expect(asked.map(([request]) => request.idempotencyKey)).toEqual([
      `${journey.id}:QUOTE:${second.offerId}:${(5_000_000).toString(36)}`,
      `${journey.id}:SELECTION:${intentId}`,
    ]);
    expect(await journey.eventNames()).toEqual(ONE_EACH);
  });

  it('is withdrawn when it does not fit any more, or its lender cannot be reached, and the next one is taken', async () => {
    const journey = await bench.startWithOffers();
    const [first, second] = await journey.offers();
    await leaveIntent(journey, 'SELECT_OFFER', { offerId: 'off_1' });
    // The next action withdraws this one, and is itself interrupted.
    vi.spyOn(bench.lender, 'quote')
      .mockRejectedValueOnce(new LenderUnavailable('down'))
      .mockRejectedValueOnce(new LenderUnavailable('down'));
    expect((await journey.select({ offerId: second.offerId })).status).toBe(503);
    await leaveIntent(journey, 'SELECT_OFFER', { offerId: second.offerId });
    expect((await journey.select({ offerId: first.offerId })).status).toBe(200);
    expect((await journey.read()).selectedOffer!.offerId).toBe(first.offerId);
    expect((await statusesOf(journey)).toSorted()).toEqual([
      'COMPLETED',
      'WITHDRAWN',
      'WITHDRAWN',
      'WITHDRAWN',
    ]);
  });
});

it.each(['quote', 'select'] as const)(
  'a holder that is not dead but slow at the %s is overtaken once its lease has expired, and what it then brings is void',
  async (call) => {
    const journey = await bench.startWithOffers();
    const [first, second] = await journey.offers();
    const held = hold(call);
    const slow = journey.select({ offerId: first.offerId, loanAmount: 50_000 });
    await held.wasAsked();
    await bench.service.travel(31_000);
    // The next action, on the other replica, completes the first one instead.
    expect(
      refusal(
        await partnerClient(replica).action(journey.id, journey.session, 'SELECT_OFFER', {
          offerId: second.offerId,
        }),
      ),
    ).toEqual([409, 'wrong_step']);
    const chosen = await journey.read();
    expect(chosen.selectedOffer).toMatchObject({ offerId: first.offerId, loanAmount: 50_000 });
    held.release();
    const late: Answer = await slow;
    expect([late.status, late.json.code]).toEqual([409, 'action_in_flight']);
    expect(await journey.read()).toEqual(chosen);
    expect(await journey.eventNames()).toEqual(ONE_EACH);
    expect(await statusesOf(journey)).toEqual(['COMPLETED']);
    expect((await journey.complete()).outcome).toBe('SANCTIONED');
  },
);
