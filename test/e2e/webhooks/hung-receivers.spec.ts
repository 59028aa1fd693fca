import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Database, OutboundThread } from '../../../src/platform/index.js';
import { SenderWakeUp } from '../../../src/webhooks/sender/sender-wake-up.js';
import { EventPublisher } from '../../../src/webhooks/index.js';
import { SubscriptionSecrets } from '../../../src/webhooks/subscriptions/subscription-secrets.js';
import { type PartnerClient, partnerClient } from '../../support/partner-client.js';
import { startService, type OwnService } from '../../support/service.js';
import { WebhookReceiver } from '../../support/webhook-receiver.js';
import { someEvent } from './delivery-bench.js';

const ENDPOINTS = 400;
/** Longer than a sender that is kept busy rests between two looks. */
const STEADY_MS = 600;
const GIVEN_UP_AFTER_MS = 60_000;

let service: OwnService;
let partner: PartnerClient;
let healthy: WebhookReceiver;
let hanging: Server;
let sockets: Set<Socket>;
/** Posts that the hanging receiver has got, and those of them that were given up. */
let posts: { got: number; givenUp: number };

beforeEach(async () => {
  service = await startService();
  partner = partnerClient(service);
  // So no post is given up while a test looks: what waits for one waits in vain.
  const thread = service.get<OutboundThread>(OutboundThread);
  const post = thread.post.bind(thread);
  vi.spyOn(thread, 'post').mockImplementation((url, request, limits) =>
    post(url, request, { ...limits, deadlineMs: GIVEN_UP_AFTER_MS }),
  );
  healthy = await WebhookReceiver.start();
  posts = { got: 0, givenUp: 0 };
  sockets = new Set();
  hanging = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('data', () => (posts.got += 1));
    socket.once('close', () => (posts.givenUp += 1));
  }).listen(0, '127.0.0.1');
  await once(hanging, 'listening');
});

afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  hanging.close();
  await healthy.stop();
  await service.close();
});

/** So many endpoints that never answer, with an event each, and resolves when no more are posted to. */
async function hang(partners: number, standing: Record<string, unknown>): Promise<void> {
  const { sealed } = service.get<SubscriptionSecrets>(SubscriptionSecrets).make();
  await service
    .get<Database>(Database)
    .query(HANGING, [
      ENDPOINTS,
      partners,
      `http://127.0.0.1:${(hanging.address() as AddressInfo).port}/`,
      sealed,
      JSON.stringify(standing),
    ]);
  service.get<SenderWakeUp>(SenderWakeUp).raise();
  for (let before = -1; posts.got === 0 || posts.got > before;) {
    before = posts.got;
    await sleep(STEADY_MS);
  }
}

async function subscribe(path: string): Promise<void> {
  const { status } = await partner.post('/webhooks', { url: healthy.url(path) });
  expect(status).toBe(200);
}

function publish(): Promise<void> {
  const publisher = service.get<EventPublisher>(EventPublisher);
  return service
    .get<Database>(Database)
    .transaction((tx) => publisher.publish(tx, someEvent({ partnerId: 'demo' })));
}

describe.each([
  ['that were never sent to', {}],
  ['that answered before', { answer_ms: 5 }],
  ['that succeed, but slowly', { answer_ms: 4_900 }],
  ['that failed before', { answer_ms: 5, failure_count: 1 }],
])('beside 400 endpoints that hang, %s,', (_, standing) => {
  it.each([1, 100])('of %i partners, another one’s events do not wait for any', async (count) => {
    await subscribe('/served-before');
    await publish();
    await healthy.waitForCount(1);
    await hang(count, standing);
    await subscribe('/new');
    const before = posts.givenUp;
    await publish();
    await healthy.waitForCount(3, 4_000);
    expect(posts.givenUp).toBe(before);
  });
});

describe('beside hanging endpoints of the same partner', () => {
  it('one that answers gets its events before any of them is given up', async () => {
    await subscribe('/served-before');
    await publish();
    await healthy.waitForCount(1);
    await service.get<Database>(Database).query(`UPDATE webhook_lanes SET last_served_at = NULL`);
    await hang(0, {});
    const before = posts.givenUp;
    await publish();
    await healthy.waitForCount(2, 4_000);
    expect(posts.givenUp).toBe(before);
  });
});

// Without partners they are all the demonstration's. They want nothing that is published later.
const HANGING = `
  WITH one AS (
    SELECT n, md5('hung ' || n) AS id,
      CASE WHEN $2::int = 0 THEN 'demo' ELSE 'hung_' || n % greatest($2::int, 1) END AS partner_id
    FROM generate_series(1, $1::int) AS n
  ),
  partner AS (
    INSERT INTO partners (id, name) SELECT DISTINCT partner_id, partner_id FROM one
    ON CONFLICT DO NOTHING
  ),
  lane AS (
    INSERT INTO webhook_lanes (subscription_id, partner_id, answer_ms, failure_count)
    SELECT 'sub_' || id, partner_id, ($5::jsonb ->> 'answer_ms')::real,
      coalesce(($5::jsonb ->> 'failure_count')::int, 0)
    FROM one
  ),
  subscription AS (
    INSERT INTO webhook_subscriptions (id, partner_id, url, events, secret_sealed, created_at)
    SELECT 'sub_' || id, partner_id, $3 || id, '{journey.abandoned}', $4, app_now() FROM one
  ),
  event AS (
    INSERT INTO webhook_events (id, partner_id, journey_id, name, sequence, body, created_at)
    SELECT 'evt_' || id, partner_id, 'jrn_' || id, 'journey.abandoned', 1, '{}', app_now() FROM one
  ),
  delivery AS (
    INSERT INTO webhook_deliveries (id, partner_id, subscription_id, event_id, status, created_at)
    SELECT 'dlv_' || id, partner_id, 'sub_' || id, 'evt_' || id, 'PENDING', app_now() FROM one
  )
  INSERT INTO webhook_queue (delivery_id, partner_id, subscription_id, event_id, next_attempt_at)
  SELECT 'dlv_' || id, partner_id, 'sub_' || id, 'evt_' || id, app_now() FROM one
`;
