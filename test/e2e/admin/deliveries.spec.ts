import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runAdmin } from '../../support/admin-command.js';
import { eventually, eventuallyFound } from '../../support/eventually.js';
import { JourneyRecords } from '../../support/journey-records.js';
import { loanRequest } from '../../support/loan-requests.js';
import { type PartnerClient, partnerClient } from '../../support/partner-client.js';
import { serviceOfFile } from '../../support/shared-service.js';
import { WebhookReceiver } from '../../support/webhook-receiver.js';

const service = serviceOfFile();
let records: JourneyRecords;
let demo: PartnerClient;
let receiver: WebhookReceiver;
let subscriptionId: string;
let path: string;
let tests = 0;

beforeAll(async () => {
  records = new JourneyRecords(service.databaseUrl);
  demo = partnerClient(service);
  receiver = await WebhookReceiver.start();
});

afterAll(async () => {
  await records.close();
  await receiver.stop();
});

beforeEach(async () => {
  receiver.reset();
  tests += 1;
  // Each test has its own path, so it ignores deliveries to earlier subscriptions.
  path = `/hooks/${tests}`;
  const body = { url: receiver.url(path), events: ['journey.initiated'] };
  const { json } = await demo.post<{ subscriptionId: string }>('/webhooks', body);
  subscriptionId = json.data.subscriptionId;
});

const received = () => receiver.deliveries.filter((delivery) => delivery.path === path);

const admin = (...parameters: string[]) => runAdmin(service.databaseUrl, ...parameters);

interface DeliveryRow {
  id: string;
  status: string;
  attempts: number;
}

/** Starts a journey; returns its delivery to this test's subscription once it has the status. */
async function deliveryIn(status: string): Promise<DeliveryRow> {
  const { json } = await demo.initiate(loanRequest());
  return eventuallyFound(async () => {
    const [row] = await records.query<DeliveryRow>(
      `SELECT d.id, d.status, d.attempts FROM webhook_deliveries AS d
       JOIN webhook_events AS e ON e.id = d.event_id
       WHERE e.journey_id = $1 AND d.subscription_id = $2 AND d.status = $3 AND d.attempts > 0`,
      [json.data.journeyId, subscriptionId, status],
    );
    return row;
  });
}

async function rowOf(id: string): Promise<DeliveryRow> {
  const [row] = await records.query<DeliveryRow>(
    'SELECT id, status, attempts FROM webhook_deliveries WHERE id = $1',
    [id],
  );
  return row;
}

it('deliveries list shows what was sent, and what came of it, by every filter', async () => {
  const { id } = await deliveryIn('SUCCEEDED');
  const { partnerId } = service;
  const line = new RegExp(`^${id} +${partnerId} +${subscriptionId} .* SUCCEEDED +1 .* 200$`, 'm');
  const [own, none] = [['--partner', partnerId], /^\(none\)$/];
  for (const [filter, shown] of [
    [own, line],
    [[...own, '--since', '2020-01-01'], line],
    [[...own, '--subscription', subscriptionId, '--status', 'succeeded'], line],
    [['--partner', 'limited'], none],
    [['--subscription', 'sub_none'], none],
    [[...own, '--since', '2999-01-01T00:00:00Z'], none],
    [[...own, '--status', 'cancelled'], none],
  ] as const) {
    const { code, out } = await admin('deliveries', 'list', ...filter);
    expect([filter, code, out]).toEqual([filter, 0, expect.stringMatching(shown)]);
  }
  for (const wrong of ['--status=lost', '--since=yesterday', '--since=12']) {
    expect([wrong, (await admin('deliveries', 'list', wrong)).code]).toEqual([wrong, 2]);
  }
  await records.query(
    `WITH event AS (
       INSERT INTO webhook_events (id, partner_id, journey_id, name, sequence, body, created_at)
       SELECT 'evt_0' || n, 'limited', 'jrn_' || n, 'journey.initiated', 1, '{}', app_now()
       FROM generate_series(1, 201) AS n RETURNING id
     )
     INSERT INTO webhook_deliveries (id, partner_id, subscription_id, event_id, status, created_at)
     SELECT 'dlv_0' || id, 'limited', $1, id, 'CANCELLED', app_now() FROM event`,
    [subscriptionId],
  );
  const { out } = await admin('deliveries', 'list', '--partner', 'limited');
  expect(out.split('\n')).toHaveLength(202);
  expect(out).toContain('There are more than these 200: narrow the filters.');
  await records.query(`DELETE FROM webhook_deliveries WHERE partner_id = 'limited'`);
});

describe('deliveries redeliver', () => {
  it('sends an exhausted delivery again, and one that was delivered: the same event, one attempt more', async () => {
    receiver.answerAlways(500);
    const { id } = await deliveryIn('PENDING');
    const [first] = received();
    // As after the last attempt.
    await records.query(
      `WITH queued AS (DELETE FROM webhook_queue WHERE delivery_id = $1)
       UPDATE webhook_deliveries SET status = 'EXHAUSTED', finished_at = app_now(), attempts = 12
       WHERE id = $1`,
      [id],
    );
    for (const [status, attempts] of [
      ['EXHAUSTED', 13],
      ['SUCCEEDED', 14],
      ['SUCCEEDED', 15],
    ] as const) {
      if (status === 'SUCCEEDED') receiver.reset();
      expect(await admin('deliveries', 'redeliver', id)).toMatchObject({
        code: 0,
        out: `OK: delivery ${id} is due; the service sends it within a second.`,
      });
      await eventually(async () => expect(await rowOf(id)).toEqual({ id, status, attempts }));
      const again = received().at(-1)!;
      expect(again.body).toEqual(first.body);
      expect(again.headers['x-rinpath-event-id']).toBe(first.headers['x-rinpath-event-id']);
      expect(again.headers['x-rinpath-attempt']).toBe(String(attempts));
    }
  });

  it('of many at the same moment one has it sent, once', async () => {
    const { id } = await deliveryIn('SUCCEEDED');
    receiver.answerNext({ status: 200, delayMs: 500 });
    const outcomes = await Promise.all(
      [0, 1, 2, 3].map(() => admin('deliveries', 'redeliver', id)),
    );
    expect(outcomes.filter(({ code }) => code === 0).length).toBeGreaterThanOrEqual(1);
    await eventually(async () => expect((await rowOf(id)).status).toBe('SUCCEEDED'));
    expect((await rowOf(id)).attempts).toBe(received().length);
  });

  it('refuses what is still in progress, unknown, or has no receiver any more', async () => {
    receiver.answerAlways(500);
    const { id } = await deliveryIn('PENDING');
    const expectRefused = async (of: string, said: string) =>
      expect(await admin('deliveries', 'redeliver', of)).toMatchObject({
        code: 1,
        error: expect.stringContaining(said) as string,
      });
    await expectRefused('dlv_none', 'There is no delivery dlv_none');
    await expectRefused(id, 'is still in progress');
    await records.query(
      `WITH queued AS (DELETE FROM webhook_queue WHERE delivery_id = $1),
         stopped AS (UPDATE webhook_lanes SET is_active = false, inactive_since = app_now() WHERE subscription_id = $2)
       UPDATE webhook_deliveries SET status = 'EXHAUSTED', finished_at = app_now() WHERE id = $1`,
      [id, subscriptionId],
    );
    await expectRefused(id, 'is inactive');
    await demo.delete(`/webhooks/${subscriptionId}`);
    await expectRefused(id, 'is deleted');
    expect((await rowOf(id)).status).toBe('EXHAUSTED');
  });
});
