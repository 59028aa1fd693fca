// Isolated: two replicas share their state; another sandbox has public access.
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FreshLinksWorker } from '../../../src/journeys/background/journey.tasks.js';
import { configurationWith } from '../../support/configuration-with.js';
import { eventually } from '../../support/eventually.js';
import {
  askForLink,
  atCode,
  codeFor,
  HostedClient,
  linkFor,
  messagesTo,
  startHosted,
} from '../../support/hosted-client.js';
import { partnerClient } from '../../support/partner-client.js';
import { startService, startTwoReplicas, type TwoReplicas } from '../../support/service.js';
import { CodeBench, csrfOf, MINUTE, newAddress, otherThan } from './code-bench.js';
import { expectWords } from '../hosted-steps/step-journey.js';

/** Lower than the default, so that a test reaches it. */
const CODES_PER_ADDRESS = 14;

/** Each replica handles half of the guesses, one per connection of its pool. */
const GUESSES = 16;

let replicas: TwoReplicas;

let bench: CodeBench;

beforeAll(async () => {
  const settings = { codesPerAddressPerHour: CODES_PER_ADDRESS };
  const configuration = configurationWith({ settings });
  const environment = { TRUST_PROXY: '1' };
  replicas = await startTwoReplicas({ configFile: configuration.file, environment });
  configuration.remove();
  bench = new CodeBench(replicas.first);
});

afterAll(async () => {
  await bench?.records.close();
  await replicas?.close();
});

describe('a sign-in', () => {
  it('holds on every replica, and is asked for no more', async () => {
    const { start, client } = await bench.started();
    await client.submit({ code: await codeFor(bench.service, start.mobile) });
    expect((await client.get('/hosted/code')).location).toBe('/hosted');
    const elsewhere = client.copy(replicas.second.baseUrl);
    expect((await elsewhere.open('/hosted')).path).toBe('/hosted/consent');
    expect((await elsewhere.send303({ agree: '1' })).path).toBe('/hosted/check');
  });
});

describe('guessing', () => {
  it('gets five tries, however many are sent at once, to whichever replica', async () => {
    const { start, client } = await bench.started();
    const code = await codeFor(bench.service, start.mobile);
    const csrf = csrfOf(client);
    const cookie = [...client.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const guesses = Array.from({ length: GUESSES }, (_, index) => {
      const { baseUrl } = index % 2 === 0 ? replicas.first : replicas.second;
      return fetch(`${baseUrl}/hosted/code`, {
        method: 'POST',
        redirect: 'manual',
        headers: { cookie, 'x-forwarded-for': `192.0.2.${index}` },
        body: new URLSearchParams({ csrf, code: otherThan(code) }),
      });
    });
    for (const answer of await Promise.all(guesses)) expect(answer.status).toBe(200);
    const { tries } = await bench.newestCode(start.id);
    expect(tries).toBe(5);
    expect((await client.post('/hosted/code', { csrf, code })).heading).toBe('You need a new code');
  });
});

describe('the number of codes', () => {
  it('is limited for all who share a client address, over the replicas, to what the setting says', async () => {
    const { address } = newAddress();
    const opened = await Promise.all(
      Array.from({ length: CODES_PER_ADDRESS + 1 }, async (_, index) => {
        const start = await startHosted(bench.service);
        const { baseUrl } = index % 2 === 0 ? replicas.first : replicas.second;
        const client = new HostedClient(baseUrl, { address });
        await client.open(start.link);
        await client.send303();
        return { start, client };
      }),
    );
    const sent = await Promise.all(opened.map(({ start }) => bench.codesOf(start)));
    expect(sent.filter((codes) => codes === 1)).toHaveLength(CODES_PER_ADDRESS);
    expect(sent.filter((codes) => codes === 0)).toHaveLength(1);
    const { client } = opened[sent.indexOf(0)];
    expectWords(client.page!, 'You can ask for a new code after');
    await replicas.travel(61 * MINUTE);
    const later = await startHosted(bench.service);
    await atCode(bench.service, later, { address });
    expect(await bench.codesOf(later)).toBe(1);
  });
});

describe('a fresh link that is asked for', () => {
  it('is sent once, on however many replicas, also by another process than the one that answered, and leaves nothing behind', async () => {
    const waiting = () => bench.records.query('SELECT id FROM link_requests');
    for (const at of [replicas.second, replicas.first]) {
      // The first replica's worker is stopped before the first replica gets a request.
      if (at === replicas.first)
        await at.get<FreshLinksWorker>(FreshLinksWorker).beforeApplicationShutdown();
      const { mobile } = await startHosted(bench.service);
      expect((await askForLink(at, mobile)).path).toBe('/hosted/link/sent');
      await linkFor(replicas.second, mobile);
      await eventually(async () => expect(await waiting()).toEqual([]));
      expect(await messagesTo(bench.service, mobile)).toHaveLength(1);
    }
  });
});

it('a sandbox on the internet: the cookies are Secure, with the __Host- prefix, and go with the browser’s session; no webhook goes to plain http or to this machine', async () => {
  const service = await startService({
    environment: { BASE_URL: 'https://loans.example.test', SANDBOX_OPEN: 'true' },
  });
  try {
    const { port } = service.app.getHttpServer().address() as AddressInfo;
    // Its local address.
    const reached = { ...service, baseUrl: `http://127.0.0.1:${port}` };
    const client = new HostedClient(reached.baseUrl);
    const shown = await client.get((await startHosted(reached)).link);
    const entered = await client.submit();
    for (const cookie of [...shown.headers.getSetCookie(), ...entered.headers.getSetCookie()]) {
      expect(cookie).toMatch(
        /^__Host-(csrf|session)=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
      );
    }
    expect(client.cookies.get('__Host-session')).toBeDefined();
    const addresses = {
      'https://partner.example/hooks': 200,
      'http://partner.example/hooks': 400,
      'https://127.0.0.1/hooks': 400,
      'https://[::1]/hooks': 400,
    };
    for (const [url, status] of Object.entries(addresses)) {
      const answer = await partnerClient(reached).post('/webhooks', { url });
      expect([url, answer.status]).toEqual([url, status]);
    }
  } finally {
    await service.close();
  }
});
