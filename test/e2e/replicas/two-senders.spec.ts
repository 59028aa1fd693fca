import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { WebhookMetrics } from '../../../src/webhooks/webhook-metrics.js';
import { eventually } from '../../support/eventually.js';
import { journeyIn } from '../../support/journey-driver.js';
import { JourneyRecords } from '../../support/journey-records.js';
import { partnerClient, type PartnerClient } from '../../support/partner-client.js';
import { startTwoReplicas, type TestService, type TwoReplicas } from '../../support/service.js';
import { WebhookReceiver } from '../../support/webhook-receiver.js';

const JOURNEYS_A_ROUND = 15;
const FEWEST_ROUNDS = 2;
/** Of two senders that are idle either may be first, and then does all of a round. */
const MAX_ROUNDS = 12;
const EVENTS_A_JOURNEY = 7;

// Many journeys each; on a busy machine they take their time.
vi.setConfig({ testTimeout: 240_000 });

let replicas: TwoReplicas;
let records: JourneyRecords;
let receivers: WebhookReceiver[];

beforeAll(async () => {
  replicas = await startTwoReplicas();
  records = new JourneyRecords(replicas.first.databaseUrl);
  receivers = [await WebhookReceiver.start(), await WebhookReceiver.start()];
});

afterAll(async () => {
  await records?.close();
  await replicas?.close();
  for (const receiver of receivers ?? []) await receiver.stop();
});

async function delivered(replica: TestService): Promise<number> {
  const { values } = await replica.get<WebhookMetrics>(WebhookMetrics).attempts.get();
  return values.reduce((sum, { value }) => sum + value, 0);
}

async function shares(): Promise<number[]> {
  return [await delivered(replicas.first), await delivered(replicas.second)];
}

/** So many journeys on both replicas at once, and everything delivered that was to be told of all so far. */
async function round(number: number, partners: readonly PartnerClient[]): Promise<number> {
  await Promise.all(
    Array.from({ length: JOURNEYS_A_ROUND }, (_, index) =>
      journeyIn(partners[(number + index) % partners.length], 'SANCTIONED'),
    ),
  );
  const expected = number * JOURNEYS_A_ROUND * EVENTS_A_JOURNEY * receivers.length;
  await eventually(
    async () => {
      const rows = await records.query(
        `SELECT status, attempts, count(*)::int FROM webhook_deliveries GROUP BY 1, 2`,
      );
      expect(rows).toEqual([{ status: 'SUCCEEDED', attempts: 1, count: expected }]);
    },
    { withinMs: 40_000 },
  );
  return expected;
}

describe('two replicas’ senders', () => {
  it('post every delivery once when nothing fails', async () => {
    const partners = [partnerClient(replicas.first), partnerClient(replicas.second)];
    for (const receiver of receivers) {
      // Slow enough for the other sender to find the delivery still in flight.
      receiver.answerAlways({ status: 200, delayMs: 15 });
      const { status } = await partners[0].post('/webhooks', { url: receiver.url() });
      expect(status).toBe(200);
    }
    let expected = 0;
    for (let number = 1; number <= MAX_ROUNDS; number += 1) {
      expected = await round(number, partners);
      if (number >= FEWEST_ROUNDS && Math.min(...(await shares())) > 0) break;
    }
    for (const receiver of receivers) {
      const ids = receiver.deliveries.map((delivery) => delivery.json().id);
      expect(ids).toHaveLength(expected / receivers.length);
      expect(new Set(ids).size).toBe(expected / receivers.length);
    }
    // A sender counts what it has recorded a moment after that is committed.
    await eventually(async () => {
      const [first, second] = await shares();
      expect(first + second).toBe(expected);
      expect(Math.min(first, second)).toBeGreaterThan(0);
    });
  });
});
