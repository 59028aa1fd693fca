import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Metrics } from '../../../src/platform/index.js';
import { eventually } from '../../support/eventually.js';
import { journeyIn } from '../../support/journey-driver.js';
import { JourneyRecords } from '../../support/journey-records.js';
import { partnerClient } from '../../support/partner-client.js';
import { startTwoReplicas, type TestService, type TwoReplicas } from '../../support/service.js';
import { WebhookReceiver } from '../../support/webhook-receiver.js';

const JOURNEYS = 30;
const EVENTS_A_JOURNEY = 7;

// Many journeys each; on a busy machine they take their time.
vi.setConfig({ testTimeout: 90_000 });

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
  const { values } = await replica.get<Metrics>(Metrics).webhookAttempts.get();
  return values.reduce((sum, { value }) => sum + value, 0);
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
    await Promise.all(
      Array.from({ length: JOURNEYS }, (_, index) => journeyIn(partners[index % 2], 'SANCTIONED')),
    );
    const expected = JOURNEYS * EVENTS_A_JOURNEY;
    await eventually(
      async () => {
        const rows = await records.query(
          `SELECT status, attempts, count(*)::int FROM webhook_deliveries GROUP BY 1, 2`,
        );
        expect(rows).toEqual([{ status: 'SUCCEEDED', attempts: 1, count: expected * 2 }]);
      },
      { withinMs: 40_000 },
    );
    for (const receiver of receivers) {
      const ids = receiver.deliveries.map((delivery) => delivery.json().id);
      expect(ids).toHaveLength(expected);
      expect(new Set(ids).size).toBe(expected);
    }
    const shares = [await delivered(replicas.first), await delivered(replicas.second)];
    expect(shares[0] + shares[1]).toBe(expected * 2);
    expect(Math.min(...shares)).toBeGreaterThan(0);
  });
});
