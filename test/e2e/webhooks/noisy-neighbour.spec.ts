import { afterAll, beforeAll, expect, it } from 'vitest';
import { Database } from '../../../src/platform/index.js';
import { EventPublisher } from '../../../src/webhooks/index.js';
import { partnerClient } from '../../support/partner-client.js';
import { startService, type OwnService } from '../../support/service.js';
import { WebhookReceiver } from '../../support/webhook-receiver.js';
import { someEvent } from './delivery-bench.js';

const WAITING = 100_000;
/** As many rows as one statement writes well within its time limit on a busy machine. */
const AT_ONCE = 10_000;
const NEIGHBOURS = 50;
const EVENTS = 4;

let service: OwnService;
let hanging: WebhookReceiver;
let healthy: WebhookReceiver;

beforeAll(async () => {
  service = await startService();
  hanging = await WebhookReceiver.start();
  hanging.answerAlways({ delayMs: 3_600_000 });
  healthy = await WebhookReceiver.start();
});

afterAll(async () => {
  await Promise.all([hanging.stop(), healthy.stop()]);
  await service.close();
});

it('one that hangs with 100,000 deliveries waiting does not keep the others waiting', async () => {
  const partner = partnerClient(service);
  const database = service.get<Database>(Database);
  const { json } = await partner.post<{ subscriptionId: string }>('/webhooks', {
    url: hanging.url(),
    events: ['journey.abandoned'],
  });
  for (let first = 1; first <= WAITING; first += AT_ONCE) {
    await database.query(PILE_UP, [json.data.subscriptionId, first, first + AT_ONCE - 1]);
  }
  for (let index = 0; index < NEIGHBOURS; index += 1) {
    const url = healthy.url(`/neighbour/${index}`);
    expect((await partner.post('/webhooks', { url })).status).toBe(200);
  }
  await hanging.waitForCount(1);

  const publisher = service.get<EventPublisher>(EventPublisher);
  for (let event = 0; event < EVENTS; event += 1) {
    await database.transaction((tx) => publisher.publish(tx, someEvent({ partnerId: 'demo' })));
  }
  await healthy.waitForCount(NEIGHBOURS * EVENTS, 20_000);
  const paths = healthy.deliveries.map(({ path }) => path);
  expect(new Set(paths).size).toBe(NEIGHBOURS);

  // What waits behind the breaker has burnt no attempt but those of what was in flight.
  const [row] = await database.query<{ open: number; tried: number }>(
    `SELECT count(*)::int AS open, count(*) FILTER (WHERE attempts > 0)::int AS tried
     FROM webhook_queue WHERE subscription_id = $1`,
    [json.data.subscriptionId],
  );
  expect(row.open).toBe(WAITING);
  expect(row.tried).toBeLessThanOrEqual(5);
});

const PILE_UP = `
  WITH event AS (
    INSERT INTO webhook_events (id, partner_id, journey_id, name, sequence, body, created_at)
    SELECT 'evt_' || lpad(n::text, 32, '0'), 'demo', 'jrn_' || n, 'journey.abandoned', 1, '{}',
      app_now() FROM generate_series($2::int, $3::int) AS n
    RETURNING id
  ),
  delivery AS (
    INSERT INTO webhook_deliveries (id, partner_id, subscription_id, event_id, status, created_at)
    SELECT replace(id, 'evt', 'dlv'), 'demo', $1, id, 'PENDING', app_now() FROM event
    RETURNING id, event_id
  )
  INSERT INTO webhook_queue (delivery_id, partner_id, subscription_id, event_id, next_attempt_at)
  SELECT id, 'demo', $1, event_id, app_now() FROM delivery
`;
