import type { Server } from 'node:http';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { HeldConnection } from '../../support/held-connection.js';
import { loanRequest } from '../../support/loan-requests.js';
import { PARTNER_PREFIX, type PartnerClient, partnerClient } from '../../support/partner-client.js';
import { serviceOfFile } from '../../support/shared-service.js';
import { signedLines } from '../../support/wire.js';
import { signedHead } from './signed-head.js';

// How much of the service's memory and time a client without a key may use.

const INITIATE = `${PARTNER_PREFIX}/journey/initiate`;
const KB_99 = 99 * 1024;

const service = serviceOfFile();
let partner: PartnerClient;
let held: HeldConnection[] = [];

beforeAll(() => {
  partner = partnerClient(service);
});

afterEach(() => {
  for (const connection of held) connection.hangUp();
  held = [];
});

async function hold(bytes: string): Promise<HeldConnection> {
  const connection = await HeldConnection.open(service.baseUrl, bytes);
  held.push(connection);
  return connection;
}

const unsigned = (target: string, size: string, more = '') =>
  `POST ${target} HTTP/1.1\r\nHost: localhost\r\n${size}\r\n${more}\r\n`;

describe('a partner’s call whose headers are not valid', () => {
  it.each([
    ['of a length that it tells', 'Content-Length: 1000'],
    ['in chunks', 'Transfer-Encoding: chunked'],
  ])('is refused before its body has come: %s', async (_, size) => {
    const connection = await hold(unsigned(INITIATE, size));
    expect(await connection.answered(1)).toEqual([401]);
    expect(connection.received).toMatch(/^X-Request-Id: req_[0-9a-f]{32}\r$/m);
    expect(connection.received).toMatch(/^RateLimit-Remaining: \d+\r$/m);
    expect(connection.received).toContain('"code":"malformed_credentials"');
  });
});

describe('Expect: 100-continue', () => {
  const EXPECT = 'Expect: 100-continue\r\n';

  it('gets the word when the body is wanted, and the answer after the body', async () => {
    const body = JSON.stringify(loanRequest({ channel: 'API_HOSTED' }));
    const size = `Content-Length: ${Buffer.byteLength(body)}`;
    const signed = signedLines(service.credentials, 'POST', INITIATE, body);
    const connection = await hold(unsigned(INITIATE, size, EXPECT + signed));
    expect(await connection.answered(1)).toEqual([100]);
    connection.write(body);
    expect(await connection.answered(2)).toEqual([100, 200]);
  });

  it.each([
    ['401, when a header is missing', unsigned(INITIATE, 'Content-Length: 9', EXPECT), 401],
    ['413', signedHead('POST', INITIATE, { length: 200_000, more: EXPECT }), 413],
    ['404', unsigned(`${PARTNER_PREFIX}/nothing`, 'Content-Length: 9', EXPECT), 404],
  ])('gets no word but the refusal: %s', async (_, bytes, status) => {
    const connection = await hold(bytes);
    expect(await connection.answered(1)).toEqual([status]);
    await connection.untilClosed(5_000);
    expect(connection.statuses).toEqual([status]);
  });
});

describe('bodies of senders who are not known', () => {
  it('hold 8 MB together: the oldest is given up, and a good caller is served', async () => {
    const most = Math.floor((8 * 1024 * 1024) / KB_99);
    const count = most + 40;
    for (let i = 0; i < count; i += 1) {
      const head =
        i % 2 === 0
          ? signedHead('POST', INITIATE, { length: 100 * 1024 })
          : unsigned('/hosted/link', `Content-Length: ${100 * 1024}`);
      await hold(head + 'x'.repeat(KB_99));
    }
    const first = held[0];
    expect(await first.answered(1)).toEqual([408]);
    expect(first.received).toContain('"code":"request_timeout"');
    const { status } = await partner.initiate(loanRequest({ channel: 'API_HOSTED' }));
    expect(status).toBe(200);
    await expect
      .poll(() => held.filter(({ statuses }) => statuses.length === 0).length)
      .toBeLessThanOrEqual(most);
    const metrics = await (await fetch(`${service.baseUrl}/metrics`)).text();
    expect(Number(/^http_bodies_given_up_total (\d+)$/m.exec(metrics)?.[1])).toBeGreaterThan(30);
    // The newest connections are not closed needlessly.
    expect(held[held.length - 1].statuses).toEqual([]);
  });
});

describe('a client that takes its time', () => {
  const limits = () => service.app.getHttpServer() as Server;

  // Closes the idle connections of earlier calls.
  beforeEach(() => limits().closeIdleConnections());

  async function untilNoneIsOpen(): Promise<void> {
    const open = () =>
      new Promise((resolve) => limits().getConnections((_, count) => resolve(count)));
    await expect.poll(open).toBe(0);
  }

  it('has 10 s for its headers, 30 s for a request, and 30 s to take a byte of an answer', () => {
    const { headersTimeout, requestTimeout, timeout } = limits();
    expect({ headersTimeout, requestTimeout, timeout }).toEqual({
      headersTimeout: 10_000,
      requestTimeout: 30_000,
      // Node checks twice before it closes the connection.
      timeout: 15_000,
    });
  });

  it('gets 408 and is disconnected, though it never disconnects itself', async () => {
    const server = limits();
    const { headersTimeout, requestTimeout } = server;
    Object.assign(server, { headersTimeout: 200, requestTimeout: 400 });
    try {
      const kinds = [
        await hold(''),
        await hold('GET / HTTP/1.1\r\nHos'),
        await hold(`${signedHead('POST', INITIATE, { length: 100 })}{`),
        await hold(`${unsigned('/hosted/link', 'Content-Length: 100')}mob`),
      ];
      for (const connection of kinds) {
        expect(await connection.answered(1)).toEqual([408]);
        expect(connection.received).toContain('"code":"request_timeout"');
      }
      await untilNoneIsOpen();
    } finally {
      Object.assign(server, { headersTimeout, requestTimeout });
    }
  });
});
