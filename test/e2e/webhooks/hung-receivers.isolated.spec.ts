// Isolated: hundreds of posts hang, and a hundred thousand deliveries wait.
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Database, OutboundThread } from '../../../src/platform/index.js';
import { SenderWakeUp } from '../../../src/webhooks/sender/sender-wake-up.js';
import { EventPublisher } from '../../../src/webhooks/index.js';
import { SubscriptionSecrets } from '../../../src/webhooks/subscriptions/subscription-secrets.js';
import { eventually } from '../../support/eventually.js';
import { inForm } from '../../support/long-form.js';
import { type PartnerClient, partnerClient } from '../../support/partner-client.js';
import { startService, type OwnService } from '../../support/service.js';
import { WebhookReceiver } from '../../support/webhook-receiver.js';
import { someEvent } from './some-event.js';

const ENDPOINTS = 400;
/** Longer than a sender that is kept busy rests between two looks. */
const STEADY_MS = 600;
const GIVEN_UP_AFTER_MS = 60_000;

const WAITING = inForm({ short: 10_000, long: 100_000 });
/** As many rows as one statement writes well within its time limit on a busy machine. */
const AT_ONCE = 10_000;
const NEIGHBOURS = inForm({ short: 20, long: 50 });
const EVENTS = 4;

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

function hangingUrl(): string {
  return `http://127.0.0.1:${(hanging.address() as AddressInfo).port}/`;
}

/** So many endpoints that never answer, with an event each, and resolves when no more are posted to. */
async function hang(partners: number, standing: Record<string, unknown>): Promise<void> {
  const { sealed } = service.get<SubscriptionSecrets>(SubscriptionSecrets).make();
  await service
    .get<Database>(Database)
    .query(HANGING, [ENDPOINTS, partners, hangingUrl(), sealed, JSON.stringify(standing)]);
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

const STANDINGS: [string, Record<string, unknown>][] = [
  ['that were never sent to', {}],
  ['that answered before', { has_succeeded: true }],
  ['that failed before', { has_succeeded: true, failure_count: 1 }],
];
const SHORT = [[1, ...STANDINGS[0]] as const, [100, ...STANDINGS[1]] as const];
const LONG = [1, 100].flatMap((count) => STANDINGS.map((one) => [count, ...one] as const));

describe('beside 400 endpoints that hang', () => {
  it.each(inForm({ short: SHORT, long: LONG }))(
    'of %i partners, %s, another one’s events do not wait for any',
    async (count, _, standing) => {
      await subscribe('/served-before');
      await publish();
      await healthy.waitForCount(1);
      await hang(count, standing);
      await subscribe('/new');
      const before = posts.givenUp;
      await publish();
      await healthy.waitForCount(3, 4_000);
      expect(posts.givenUp).toBe(before);
    },
  );
});

describe('beside one receiver that hangs', () => {
  it(`with ${WAITING} deliveries waiting, the others do not wait`, async () => {
    vi.restoreAllMocks();
    const database = service.get<Database>(Database);
    const { json } = await partner.post<{ subscriptionId: string }>('/webhooks', {
      url: hangingUrl(),
      events: ['journey.abandoned'],
    });
    for (let first = 1; first <= WAITING; first += AT_ONCE) {
      await database.query(PILE_UP, [json.data.subscriptionId, first, first + AT_ONCE - 1]);
    }
    for (let index = 0; index < NEIGHBOURS; index += 1) {
      const url = healthy.url(`/neighbour/${index}`);
      expect((await partner.post('/webhooks', { url })).status).toBe(200);
    }
    await eventually(() => posts.got > 0);

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
    INSERT INTO webhook_lanes (subscription_id, partner_id, has_succeeded, failure_count)
    SELECT 'sub_' || id, partner_id, coalesce(($5::jsonb ->> 'has_succeeded')::boolean, false),
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
