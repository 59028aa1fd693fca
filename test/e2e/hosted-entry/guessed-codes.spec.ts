import { describe, expect, it } from 'vitest';
import { atCode, codeFor, HostedClient, plain, startHosted } from '../../support/hosted-client.js';
import { codeBench, csrfOf, MINUTE, newAddress, otherThan } from './code-bench.js';
import { expectWords } from '../hosted-steps/step-journey.js';

/** Lower than the default, so that a test reaches it. */
const WRONG_CODES_PER_ADDRESS = 4;

const bench = codeBench({ wrongCodesPerAddressPerHour: WRONG_CODES_PER_ADDRESS });

/** Another journey at the code's page, from this address. */
async function asked(at: { address: string }) {
  const start = await startHosted(bench.service);
  const client = await atCode(bench.service, start, at);
  return { client, code: await codeFor(bench.service, start.mobile) };
}

describe('guessing', () => {
  it('over many journeys from one address is locked, and the page says until when', async () => {
    const from = newAddress();
    const [one, two] = [await asked(from), await asked(from)];
    for (let wrong = 0; wrong < WRONG_CODES_PER_ADDRESS; wrong += 1) {
      const { client, code } = wrong % 2 === 0 ? one : two;
      expect((await client.submit({ code: otherThan(code) })).status).toBe(200);
    }
    const { client, code } = await asked(newAddress());
    const moved = new HostedClient(bench.service.baseUrl, from);
    for (const [name, value] of client.cookies) moved.cookies.set(name, value);
    const locked = await moved.post('/hosted/code', { csrf: csrfOf(client), code });
    expect(locked.heading).toBe('Too many tries');
    expectWords(locked, 'They came from your internet');
    expect(plain(locked.text)).toMatch(/You can try again after \d+ \w+ \d{4}, \d+:\d\d [ap]m/);
    // The code is still valid from another address.
    expect((await client.send303({ code })).path).toBe('/hosted/consent');

    await bench.service.travel(61 * MINUTE);
    const later = await asked(from);
    expect((await later.client.send303({ code: later.code })).path).toBe('/hosted/consent');
  });

  it('is not made easier by right codes: they do not count against the address', async () => {
    const from = newAddress();
    for (let times = 0; times <= WRONG_CODES_PER_ADDRESS; times += 1) {
      const { client, code } = await asked(from);
      expect((await client.submit({ code })).location).toBe('/hosted');
    }
  });
});
