import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { ActionKind } from '../../../src/journey-steps/index.js';
import { IntentsRepository } from '../../../src/journeys/store/intents.repository.js';
import { JourneysRepository } from '../../../src/journeys/store/journeys.repository.js';
import {
  OfferDeadlinesTasks,
  OrphanedActionsTasks,
} from '../../../src/journeys/background/journey.tasks.js';
import { LenderUnavailable, type QuoteRequest } from '../../../src/lenders/index.js';
import { SandboxLender } from '../../../src/sandbox/index.js';
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

/** Blocks every quote until it is released, and records the questions. */
function holdQuotes() {
  const connector = bench.service.get(SandboxLender);
  const quote = connector.quote.bind(connector);
  const asked: QuoteRequest[] = [];
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  vi.spyOn(connector, 'quote').mockImplementation(async (request) => {
    asked.push(request);
    await released;
    return quote(request);
  });
  return { asked, release: () => release() };
}

async function intentsOf({ id }: TestJourney): Promise<{ id: string; status: string }[]> {
  return bench.query(
    'SELECT id, status FROM journey_intents WHERE journey_id = $1 ORDER BY created_at',
    [id],
  );
}

/** The offer requests that the lenders got. */
async function roundsAsked(journey: TestJourney): Promise<string[]> {
  const questions = await journey.questions();
  const rounds = questions.filter(({ kind }) => kind === 'OFFERS').map((one) => one.reference);
  return [...new Set(rounds)].toSorted();
}

/** An action whose holder was killed this long ago, right after recording the intent. */
async function leaveIntent(
  { id }: TestJourney,
  kind: ActionKind,
  payload: object,
  secondsAgo = 60,
): Promise<void> {
  const journey = await bench.service.get(JourneysRepository).find(bench.service.partnerId, id);
  const intent = await bench.service.get(IntentsRepository).open(journey!, kind, payload);
  expect(intent).not.toBeNull();
  await bench.query(
    `UPDATE journeys SET lease_until = lease_until - $2 * interval '1 second' WHERE id = $1`,
    [id, secondsAgo],
  );
}

describe('an action in flight', () => {
  it('has every other answered 409 at once, on any replica, and goes on undisturbed', async () => {
    const journey = await bench.startWithOffers();
    const [{ offerId }, other] = await journey.offers();
    const held = holdQuotes();
    const first = journey.select({ offerId });
    await eventually(() => held.asked.length === 1);
    const payload = { offerId: other.offerId };
    for (const client of [bench.demo, partnerClient(replica)]) {
      expect(
        refusal(await client.action(journey.id, journey.session, 'SELECT_OFFER', payload)),
      ).toEqual([409, 'action_in_flight']);
    }
    // The first action still waits for its lender; no other call waited for it.
    expect(await journey.read()).toMatchObject({ state: 'OFFERS_RECEIVED', selectedOffer: null });
    held.release();
    expect((await first).status).toBe(200);
    expect(held.asked).toHaveLength(1);
    expect((await journey.read()).selectedOffer!.offerId).toBe(offerId);
    expect(await journey.eventNames()).toEqual(ONE_EACH);
  });

  it('is one of many that are sent at the same time, to two replicas', async () => {
    const journey = await bench.startWithOffers();
    const offers = await journey.offers();
    const clients = [bench.demo, partnerClient(replica)];
    const answers = await Promise.all(
      Array.from({ length: 24 }, (_, n) =>
        clients[n % 2].action(journey.id, journey.session, 'SELECT_OFFER', {
          offerId: offers[n % 3].offerId,
        }),
      ),
    );
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused).toHaveLength(23);
    for (const { status, json } of refused) {
      expect(status).toBe(409);
      expect(['action_in_flight', 'wrong_step']).toContain(json.code);
    }
    expect(await journey.eventNames()).toEqual(ONE_EACH);
    const frozen = await bench.query('SELECT 1 FROM key_facts_statements WHERE journey_id = $1', [
      journey.id,
    ]);
    expect(frozen).toHaveLength(1);
  });

  it('is refused when the offer expires under it, and only then are the lenders asked again', async () => {
    const validity = (days: number) => `UPDATE lenders SET terms =
      jsonb_set(terms, '{products,ONLINE_PERSONAL,offerValidDays}', '${days}')`;
    await bench.configure(validity(5));
    const journey = await bench.startWithOffers();
    // Just before the last of them expires.
    await bench.service.travel(5 * DAY - 10_000);
    const held = holdQuotes();
    const action = journey.select();
    await eventually(() => held.asked.length === 1);
    // The action's lease is longer.
    await bench.service.travel(12_000);
    await bench.service.get(OfferDeadlinesTasks).run();
    // The partner has nothing to choose, but the service asks for no new offers while a choice is in progress.
    expect(await journey.read()).toMatchObject({ state: 'INITIATED', offers: [] });
    expect(await roundsAsked(journey)).toEqual(['1']);
    held.release();
    const { status, json } = await action;
    expect([status, json.code]).toEqual([409, 'offer_expired']);
    expect((await intentsOf(journey)).map((intent) => intent.status)).toEqual(['COMPLETED']);
    await eventually(async () => expect(await roundsAsked(journey)).toEqual(['1', '2']));
    await bench.configure(validity(7));
    vi.restoreAllMocks();
    await journey.reaches('OFFERS_RECEIVED');
    expect((await journey.complete()).outcome).toBe('SANCTIONED');
  });
});

describe('an action whose holder died', () => {
  it('refuses the next one while its lease may still be held, and is completed before the next one is looked at', async () => {
    const journey = await bench.startWithOffers({ productCode: 'ONLINE_GOLD' });
    const [first, second] = await journey.offers();
    const payload = { offerId: second.offerId, loanAmount: 50_000 };
    await leaveIntent(journey, 'SELECT_OFFER', payload, 20);
    expect(refusal(await journey.select({ offerId: first.offerId }))).toEqual([
      409,
      'action_in_flight',
    ]);
    await bench.service.travel(11_000);
    const quote = vi.spyOn(bench.service.get(SandboxLender), 'quote');
    const select = vi.spyOn(bench.service.get(SandboxLender), 'select');
    // Another kind of action, which is possible afterwards.
    const branchLocationId = second.branchLocations![0].id;
    const branch = await journey.act('SELECT_GOLD_LOAN_BRANCH', { branchLocationId });
    expect(branch.status).toBe(200);
    const { status, json } = await journey.select({ offerId: first.offerId });
    expect([status, json.code]).toEqual([409, 'wrong_step']);
    const after = await journey.read();
    expect(after.state).toBe('KYC_PENDING');
    expect(after.selectedOffer).toMatchObject({ offerId: second.offerId, loanAmount: 50_000 });
    const intents = await intentsOf(journey);
    expect(intents.map((intent) => intent.status)).toEqual(['COMPLETED', 'COMPLETED']);
    // The lender gets the same questions again, so that it repeats nothing.
    const asked = [...quote.mock.calls, ...select.mock.calls];
    expect(asked.map(([request]) => request.idempotencyKey)).toEqual([
      `${journey.id}:QUOTE:${second.offerId}:${(5_000_000).toString(36)}`,
      `${journey.id}:SELECTION:${intents[0].id}`,
    ]);
    expect(await journey.eventNames()).toEqual(ONE_EACH);
  });

  it('is withdrawn when it does not fit any more, or its lender cannot be reached, and the next one is taken', async () => {
    const journey = await bench.startWithOffers();
    const [first, second] = await journey.offers();
    await leaveIntent(journey, 'SELECT_OFFER', { offerId: 'off_1' });
    // The next holder withdraws it, and is then interrupted, too.
    vi.spyOn(bench.service.get(SandboxLender), 'quote')
      .mockRejectedValueOnce(new LenderUnavailable('down'))
      .mockRejectedValueOnce(new LenderUnavailable('down'));
    expect((await journey.select({ offerId: second.offerId })).status).toBe(503);
    await leaveIntent(journey, 'SELECT_OFFER', { offerId: second.offerId });
    expect((await journey.select({ offerId: first.offerId })).status).toBe(200);
    expect((await journey.read()).selectedOffer!.offerId).toBe(first.offerId);
    const statuses = (await intentsOf(journey)).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual(['COMPLETED', 'WITHDRAWN', 'WITHDRAWN', 'WITHDRAWN']);
  });

  it('is completed in the background when no call comes after it', async () => {
    const journey = await bench.startWithOffers();
    const [offer] = await journey.offers();
    await leaveIntent(journey, 'SELECT_OFFER', { offerId: offer.offerId });
    await bench.service.get(OrphanedActionsTasks).run();
    expect(await journey.read()).toMatchObject({ state: 'KYC_PENDING' });
    expect((await intentsOf(journey)).map(({ status }) => status)).toEqual(['COMPLETED']);
  });
});

describe('a holder that is not dead but slow', () => {
  it('is overtaken once its lease has expired, and what it then brings is void', async () => {
    const journey = await bench.startWithOffers();
    const [first, second] = await journey.offers();
    const held = holdQuotes();
    const slow = journey.select({ offerId: first.offerId, loanAmount: 50_000 });
    await eventually(() => held.asked.length === 1);
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
    expect((await intentsOf(journey)).map(({ status }) => status)).toEqual(['COMPLETED']);
    expect((await journey.complete()).outcome).toBe('SANCTIONED');
  });
});
