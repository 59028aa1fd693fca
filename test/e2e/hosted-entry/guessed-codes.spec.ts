import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { atCode, codeFor, HostedClient, plain, startHosted } from '../../support/hosted-client.js';
import { CodeBench, csrfOf, MINUTE, newAddress, otherThan } from './code-bench.js';

/** Lower than the default, so that a test reaches it. */
const WRONG_CODES_PER_ADDRESS = 10;

let bench: CodeBench;

beforeAll(async () => {
  bench = await CodeBench.start({ wrongCodesPerAddressPerHour: WRONG_CODES_PER_ADDRESS });
});

afterAll(() => bench.close());

describe('guessing', () => {
  it('over many journeys from one address is locked, and the page says until when', async () => {
    const { address } = newAddress();
    for (let wrong = 0; wrong < WRONG_CODES_PER_ADDRESS;) {
      const start = await startHosted(bench.service);
      const client = await atCode(bench.service, start, { address });
      const code = await codeFor(bench.service, start.mobile);
      for (let tries = 0; tries < 5; tries += 1, wrong += 1) {
        expect((await client.submit({ code: otherThan(code) })).status).toBe(200);
      }
    }
    const start = await startHosted(bench.service);
    const other = await atCode(bench.service, start, newAddress());
    const code = await codeFor(bench.service, start.mobile);
    const client = new HostedClient(bench.service.baseUrl, { address });
    for (const [name, value] of other.cookies) client.cookies.set(name, value);
    const locked = await client.post('/hosted/code', { csrf: csrfOf(other), code });
    expect(locked.heading).toBe('Too many tries');
    expect(plain(locked.text)).toContain('They came from your internet');
    expect(plain(locked.text)).toMatch(/You can try again after \d+ \w+ \d{4}, \d+:\d\d [ap]m/);
    // The code is still valid from another address.
    expect((await other.send303({ code })).path).toBe('/hosted/consent');

    await bench.service.travel(61 * MINUTE);
    const later = await startHosted(bench.service);
    const again = await atCode(bench.service, later, { address });
    expect(await again.send303({ code: await codeFor(bench.service, later.mobile) })).toMatchObject(
      {
        path: '/hosted/consent',
      },
    );
  });

  it('is not made easier by right codes: they do not count against the address', async () => {
    const { address } = newAddress();
    for (let times = 0; times <= WRONG_CODES_PER_ADDRESS; times += 1) {
      const start = await startHosted(bench.service);
      const client = await atCode(bench.service, start, { address });
      const { location } = await client.submit({
        code: await codeFor(bench.service, start.mobile),
      });
      expect(location).toBe('/hosted');
    }
  });
});
