import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { Database, OutboundThread, TooLate } from '../../../src/platform/index.js';
import { EventPublisher } from '../../../src/webhooks/index.js';
import { inForm } from '../../support/long-form.js';
import { type PartnerClient, partnerClient } from '../../support/partner-client.js';
import { sharedReplicas, type SharedReplicas } from '../../support/shared-service.js';
import { WebhookReceiver } from '../../support/webhook-receiver.js';
import { someEvent } from './some-event.js';

const EVENTS = inForm({ short: 120, long: 600 });
const DELETIONS = inForm({ short: 2, long: 8 });
/** Longer than the time from reading a delivery to sending it. */
const QUIET_MS = inForm({ short: 700, long: 1_000 });

let replicas: SharedReplicas;
let partner: PartnerClient;
let receiver: WebhookReceiver;

beforeAll(async () => {
  replicas = await sharedReplicas();
  partner = partnerClient(replicas.second);
});

beforeEach(async () => {
  receiver = await WebhookReceiver.start();
});

afterEach(async () => {
  vi.restoreAllMocks();
  await receiver.stop();
});

async function subscribe(path: string): Promise<string> {
  const { json } = await partner.post<{ subscriptionId: string }>('/webhooks', {
    url: receiver.url(path),
  });
  return json.data.subscriptionId;
}

function publish(count: number): Promise<void> {
  const publisher = replicas.first.get<EventPublisher>(EventPublisher);
  return replicas.first.get<Database>(Database).transaction(async (tx) => {
    for (let event = 0; event < count; event += 1) {
      await publisher.publish(tx, someEvent({ partnerId: replicas.first.partnerId }));
    }
  });
}

it('no post starts after the answer to a DELETE, whichever replica sends and whichever answers', async () => {
  const late: number[] = [];
  for (let round = 0; round < DELETIONS; round += 1) {
    const path = `/hooks/${round}`;
    const id = await subscribe(path);
    await publish(EVENTS);
    const before = await receiver.waitForCount(20, undefined, (post) => post.path === path);
    expect(before.length).toBeLessThan(EVENTS);
    expect((await partner.delete(`/webhooks/${id}`)).status).toBe(200);
    const answeredAt = performance.now();
    await sleep(QUIET_MS);
    const after = receiver.deliveries.filter((post) => post.path === path);
    late.push(after.filter(({ receivedAtMs }) => receivedAtMs > answeredAt).length);
  }
  expect(late).toEqual(late.map(() => 0));
});

function slowConnections(takesMs: number): void {
  const thread = replicas.first.get<OutboundThread>(OutboundThread);
  const post = thread.post.bind(thread);
  vi.spyOn(thread, 'post').mockImplementation(async (url, request, limits) => {
    await sleep(takesMs);
    const startWithinMs = request.startWithinMs - takesMs;
    if (startWithinMs < 0) throw new TooLate(true);
    return post(url, { ...request, startWithinMs }, limits);
  });
}

it('a test that is waiting for its connection starts before the answer to a DELETE, or not at all', async () => {
  const id = await subscribe('/tested');
  slowConnections(400);
  const tested = partnerClient(replicas.first).post(`/webhooks/${id}/test`, undefined);
  await sleep(150);
  expect((await partner.delete(`/webhooks/${id}`)).status).toBe(200);
  const answeredAt = performance.now();
  await tested;
  const late = receiver.deliveries.filter(({ receivedAtMs }) => receivedAtMs > answeredAt);
  expect(late).toEqual([]);
});
