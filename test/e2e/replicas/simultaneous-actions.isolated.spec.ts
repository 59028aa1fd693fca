// Isolated: two processes of its own.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { IntentsRepository } from '../../../src/journeys/store/intents.repository.js';
import { JourneysRepository } from '../../../src/journeys/store/journeys.repository.js';
import { HeldLock } from '../../support/held-lock.js';
import {
  act,
  type ActionKind,
  journeyIn,
  payloadOf,
  readJourney,
} from '../../support/journey-driver.js';
import { BothReplicas, statuses, TEST_MS } from './both-replicas.js';

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
