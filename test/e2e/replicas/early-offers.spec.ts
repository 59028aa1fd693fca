import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { inForm } from '../../support/long-form.js';
import { sharedReplicas, type SharedReplicas } from '../../support/shared-service.js';
import { HeldOffers, NOW, offersCome, waitingWith } from '../hosted-steps/early-offers.js';
import { eventsOf, trailOf } from '../hosted-steps/leaving-bench.js';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 });

const TIMES = inForm({ short: 1, long: 4 });
const SLOW = 'tarangudyam';

let replicas: SharedReplicas;

beforeAll(async () => {
  replicas = await sharedReplicas();
});

afterAll(() => {
  vi.restoreAllMocks();
});

describe('two presses and the last answer at the same moment', () => {
  it('move the journey once, with one event, and lose no offer', async () => {
    const held = HeldOffers.of([replicas.first, replicas.second], [SLOW]);
    for (let time = 0; time < TIMES; time += 1) {
      const journey = await waitingWith(2, replicas.first);
      const { client } = journey;
      await client.open('/hosted/waiting');
      const other = client.copy(replicas.second.baseUrl);
      const [first, second] = await Promise.all([
        client.submit({}, { action: NOW }),
        other.submit({}, { action: NOW }),
        held.deliver(journey, SLOW, replicas.second),
      ]);
      expect([first.status, second.status]).toEqual([303, 303]);
      await offersCome(journey, 3);
      const { state, lenders } = await journey.view();
      expect(state).toBe('OFFERS_RECEIVED');
      expect(lenders.map(({ status }) => status)).toEqual(['OFFERED', 'OFFERED', 'OFFERED']);
      const moves = (await trailOf(journey)).filter((trigger) => trigger.startsWith('OFFERS_'));
      expect(moves).toEqual([expect.stringMatching(/^OFFERS_(OPENED|ARRIVED)$/)]);
      expect(await eventsOf(journey)).toEqual([
        [1, 'journey.initiated'],
        [2, 'journey.offers_received'],
      ]);
    }
  });
});
