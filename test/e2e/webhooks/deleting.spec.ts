import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { OutboundThread, TooLate } from '../../../src/platform/index.js';
import { inForm } from '../../support/long-form.js';
import { sharedReplicas } from '../../support/shared-service.js';
import type { Delivery } from '../../support/webhook-receiver.js';
import { SendingBench } from './sending-bench.js';

const EVENTS = inForm({ short: 120, long: 600 });
const DELETIONS = inForm({ short: 2, long: 8 });
/** Longer than the time from reading a delivery to sending it. */
const QUIET_MS = inForm({ short: 700, long: 1_000 });

let first: SendingBench;
let second: SendingBench;
let thread: OutboundThread;

beforeAll(async () => {
  const replicas = await sharedReplicas();
  first = new SendingBench(replicas.first);
  second = new SendingBench(replicas.second);
  thread = replicas.first.get<OutboundThread>(OutboundThread);
});

beforeEach(() => first.openReceiver());

afterEach(async () => {
  vi.restoreAllMocks();
  await first.closeReceiver();
});

const disabled = (id: string) => second.partner.post(`/webhooks/${id}/disable`);
const deleted = (id: string) => second.partner.delete(`/webhooks/${id}`);
/** Calls twice in parallel; returns the first response. */
const twice =
  <Answer>(call: (id: string) => Promise<Answer>) =>
  (id: string) =>
    Promise.race([call(id), call(id)]);

it.each([
  { call: 'DELETE', stop: deleted, status: 'CANCELLED' },
  { call: 'DELETE made twice', stop: twice(deleted), status: 'CANCELLED' },
  { call: 'disable', stop: disabled, status: 'PAUSED' },
  { call: 'disable made twice', stop: twice(disabled), status: 'PAUSED' },
])(
  'no post starts after the answer to a $call, whichever replica sends and whichever answers',
  async ({ stop, status }) => {
    const late: number[] = [];
    for (let round = 0; round < DELETIONS; round += 1) {
      const path = `/hooks/${round}`;
      const { id } = await second.subscribe(first.receiver.url(path));
      await first.publish(EVENTS);
      const ofPath = (post: Delivery) => post.path === path;
      const before = await first.receiver.waitForCount(20, undefined, ofPath);
      expect(before.length).toBeLessThan(EVENTS);
      expect([200, 404]).toContain((await stop(id)).status);
      const answeredAt = performance.now();
      expect(await first.deliveryOf(id)).toMatchObject({ status });
      await sleep(QUIET_MS);
      const after = first.receiver.deliveries.filter(ofPath);
      late.push(after.filter(({ receivedAtMs }) => receivedAtMs > answeredAt).length);
    }
    expect(late).toEqual(late.map(() => 0));
  },
);

function slowConnections(takesMs: number): void {
  const post = thread.post.bind(thread);
  vi.spyOn(thread, 'post').mockImplementation(async (url, request, limits) => {
    await sleep(takesMs);
    const startWithinMs = request.startWithinMs - takesMs;
    if (startWithinMs < 0) throw new TooLate(true);
    return post(url, { ...request, startWithinMs }, limits);
  });
}

it('a test that is waiting for its connection starts before the answer to a DELETE, or not at all', async () => {
  const { id } = await second.subscribe(first.receiver.url('/tested'));
  slowConnections(400);
  const tested = first.partner.post(`/webhooks/${id}/test`);
  await sleep(150);
  expect((await deleted(id)).status).toBe(200);
  const answeredAt = performance.now();
  await tested;
  const late = first.receiver.deliveries.filter(({ receivedAtMs }) => receivedAtMs > answeredAt);
  expect(late).toEqual([]);
});
