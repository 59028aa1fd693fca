// Isolated: two processes of its own.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { readJourney, startJourney } from '../../support/journey-driver.js';
import { loanRequest } from '../../support/loan-requests.js';
import { BothReplicas, JOURNEYS, statuses, TEST_MS } from './both-replicas.js';

vi.setConfig({ testTimeout: TEST_MS });

let both: BothReplicas;

beforeAll(async () => {
  both = await BothReplicas.start();
});

afterAll(() => both.close());

describe('the same nonce on two replicas at the same moment', () => {
  it('is one 200 and one 401, and starts one journey', async () => {
    for (let index = 0; index < JOURNEYS; index += 1) {
      const nonce = randomUUID();
      const mobile = `9${String(100_000_000 + index)}`;
      const [before] = await both.records.query<{ count: number }>(
        'SELECT count(*)::int FROM journeys',
      );
      const answers = await both.onBoth(index, (partner) =>
        partner.initiate(loanRequest({ mobile }), { overrides: { nonce } }),
      );
      expect(statuses(answers)).toEqual([200, 401]);
      const [after] = await both.records.query<{ count: number }>(
        'SELECT count(*)::int FROM journeys',
      );
      expect(after.count).toBe(before.count + 1);
    }
  });
});

describe('a journey that is started on one replica', () => {
  it('can be taken on by the other at once', async () => {
    for (let index = 0; index < JOURNEYS; index += 1) {
      const journey = await startJourney(index % 2 ? both.left : both.right);
      const { state } = await readJourney(index % 2 ? both.right : both.left, journey);
      expect(['INITIATED', 'OFFERS_RECEIVED']).toContain(state);
    }
  });
});
