import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { SystemClock } from '../../../src/platform/index.js';
import { eventually, eventuallyFound } from '../../support/eventually.js';
import { WebhookReceiver } from '../../support/webhook-receiver.js';
import { HOUR_MS, type SendingBench, sendingTests } from './sending-bench.js';
import { SLUG, expectSigned, verifyStandard } from './signed-delivery.js';

/** Two attempts are seconds apart, also by the machine's clock, at which they are signed. */
const FIRST_WAIT_MS = 6_000;
const SECOND_WAIT_MS = 36_000;

/** What a receiver without end says every 20 ms. */
const CHUNK_BYTES = 1_024;

let sending: SendingBench;

sendingTests((started) => {
  sending = started;
});

afterEach(() => {
  vi.restoreAllMocks();
});

/** Lets time pass by the sandbox's clock and by the machine's, as it does where nobody travels. */
function machineTime(): (milliseconds: number) => Promise<void> {
  let passed = 0;
  vi.spyOn(SystemClock.prototype, 'now').mockImplementation(() => new Date(Date.now() + passed));
  return (milliseconds) => {
    passed += milliseconds;
    return sending.travel(milliseconds);
  };
}

describe('a receiver whose answer has no end', () => {
  it('has succeeded with its status, and its connection is closed', async () => {
    let hasEnded = false;
    const endless = createServer((_, response) => {
      response.writeHead(200);
      const writing = setInterval(() => {
        response.write('x'.repeat(CHUNK_BYTES));
      }, 20);
      response.on('close', () => {
        clearInterval(writing);
        hasEnded = true;
      });
    }).listen(0, '127.0.0.1');
    await once(endless, 'listening');
    const { port } = endless.address() as AddressInfo;
    const { id } = await sending.subscribe(`http://127.0.0.1:${port}/`);
    await sending.publish();
    expect(await sending.recorded(id, 1)).toMatchObject({ status: 'SUCCEEDED' });
    await eventually(() => expect(hasEnded).toBe(true));
    endless.close();
  });
});

describe('a receiver that begins its answer and never ends it', () => {
  it.each([
    [200, 'SUCCEEDED'],
    [503, 'PENDING'],
  ])('has answered with its status: %d', async (status, recorded) => {
    sending.receiver.answerNext({ status, body: 'so far', stall: true });
    const { id } = await sending.subscribe();
    await sending.publish();
    expect(await sending.recorded(id, 1)).toMatchObject({ status: recorded });
    expect(await sending.attemptsOf(id)).toMatchObject([
      { responseStatus: status, responseExcerpt: 'so far', failure: null },
    ]);
  });
});

describe('a receiver that says 100 before its answer', () => {
  it('gets its delivery', async () => {
    const polite = createServer((_, response) => {
      response.writeContinue();
      response.end('ok');
    }).listen(0, '127.0.0.1');
    await once(polite, 'listening');
    const { port } = polite.address() as AddressInfo;
    const { id } = await sending.subscribe(`http://127.0.0.1:${port}/`);
    await sending.publish();
    expect(await sending.recorded(id, 1)).toMatchObject({ status: 'SUCCEEDED' });
    polite.closeAllConnections();
    polite.close();
  });
});

describe('a receiver that fails twice and then accepts', () => {
  it('gets the same event and the same bytes three times, each signed again', async () => {
    const passTime = machineTime();
    sending.receiver.answerNext({ status: 500, body: 'not now\0' }, { hangUp: true });
    const { id, secret } = await sending.subscribe();
    await sending.publish();
    expect((await sending.recorded(id, 1)).waitSeconds).toBeGreaterThan(4);
    expect(await sending.listed(id)).toMatchObject({ failureCount: 1, lastDeliveryAt: null });
    await passTime(FIRST_WAIT_MS);
    expect((await sending.recorded(id, 2)).waitSeconds).toBeGreaterThan(29);
    await passTime(SECOND_WAIT_MS);
    expect(await sending.recorded(id, 3)).toMatchObject({ status: 'SUCCEEDED' });

    const deliveries = await sending.receiver.waitForCount(3);
    const [first] = deliveries;
    for (const [index, delivery] of deliveries.entries()) {
      expect(delivery.body).toEqual(first.body);
      expect(delivery.headers[`x-${SLUG}-event-id`]).toBe(first.headers[`x-${SLUG}-event-id`]);
      expect(delivery.headers[`x-${SLUG}-attempt`]).toBe(String(index + 1));
      expectSigned(delivery, secret);
      verifyStandard(delivery, secret);
    }
    const signatures = deliveries.map(({ headers }) => headers['webhook-signature']);
    expect(new Set(signatures).size).toBe(3);
    const signedAt = deliveries.map(({ headers }) => Number(headers['webhook-timestamp']) * 1_000);
    expect(signedAt[1] - signedAt[0]).toBeGreaterThanOrEqual(FIRST_WAIT_MS);
    expect(signedAt[2] - signedAt[1]).toBeGreaterThanOrEqual(SECOND_WAIT_MS);
    expect(await sending.attemptsOf(id)).toMatchObject([
      { attempt: 1, responseStatus: 500, responseExcerpt: 'not now', failure: null },
      { attempt: 2, responseStatus: null, failure: 'CONNECTION' },
      { attempt: 3, responseStatus: 200 },
    ]);
    expect(await sending.listed(id)).toMatchObject({ failureCount: 0 });
  });
});

describe('a receiver that asks for patience', () => {
  it('with Retry-After is left alone for so long, up to an hour', async () => {
    sending.receiver.answerNext({ status: 503, headers: { 'retry-after': '600' } });
    const patient = await sending.subscribe();
    await sending.publish();
    expect((await sending.recorded(patient.id, 1)).waitSeconds).toBeCloseTo(600, -1);
    sending.receiver.answerNext({ status: 429, headers: { 'retry-after': '86400' } });
    await sending.travel(601_000);
    expect((await sending.recorded(patient.id, 2)).waitSeconds).toBeCloseTo(HOUR_MS / 1_000, -1);
  });
});

describe('a receiver that must not be followed or waited for', () => {
  it('redirects in vain', async () => {
    const elsewhere = await WebhookReceiver.start();
    sending.receiver.answerNext({ status: 307, headers: { location: elsewhere.url() } });
    const { id } = await sending.subscribe();
    await sending.publish();
    expect(await sending.recorded(id, 1)).toMatchObject({ status: 'PENDING' });
    expect(await sending.attemptsOf(id)).toMatchObject([
      { responseStatus: 307, failure: 'REDIRECT' },
    ]);
    expect(elsewhere.deliveries).toEqual([]);
    await elsewhere.stop();
  });

  it('is given up after five seconds when it gives no answer', async () => {
    sending.receiver.answerNext({ delayMs: 20_000 });
    const { id } = await sending.subscribe();
    await sending.publish();
    const attempts = await eventuallyFound(
      async () => ((await sending.deliveryOf(id)).attempts === 1 ? sending.attemptsOf(id) : null),
      { withinMs: 15_000 },
    );
    expect(attempts).toMatchObject([{ failure: 'TIMEOUT' }]);
    expect(attempts[0].durationMs).toBeGreaterThanOrEqual(4_950);
    expect(attempts[0].durationMs).toBeLessThan(6_000);
  });

  it('is not reached at a private address, whatever was registered', async () => {
    const { id } = await sending.subscribe();
    await sending.database.query('UPDATE webhook_subscriptions SET url = $2 WHERE id = $1', [
      id,
      `https://169.254.169.254:${sending.receiver.port}/`,
    ]);
    await sending.publish();
    await sending.recorded(id, 1);
    expect(await sending.attemptsOf(id)).toMatchObject([
      { failure: 'ADDRESS_REFUSED', responseStatus: null },
    ]);
  });
});
