import { randomUUID } from 'node:crypto';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { KeyAdministration } from '../../../src/admin/index.js';
import { makeApiKey } from '../../../src/auth/index.js';
import { RandomSource, sha256, SystemClock } from '../../../src/platform/index.js';
import { type HostedClient, plain } from '../../support/hosted-client.js';
import { type Overrides, sign } from '../../support/partner-client.js';
import { serviceOfFile } from '../../support/shared-service.js';
import { issueKey, type TestKey } from '../auth/auth-harness.js';
import { logged, named } from '../request-log/request-log-bench.js';
import { entered } from './workbench-browser.js';

// src/auth/explain-signature.spec.ts tests every error; isolation.spec.ts tests forms without a token and other
// partners' calls.

const PAGE = '/workbench/signature';
const TARGET = '/api/v1/partner/webhooks?x=%20y';
const BODY = '{"url":"https://partner.example/hook","events":["journey.completed"]}';
const RIGHT = 'The signature is right RIGHT: ';

const service = serviceOfFile();
let key: TestKey;
let second: TestKey;
let browser: HostedClient;

beforeAll(async () => {
  key = await issueKey(service, { partnerId: 'limited' });
  second = await issueKey(service, { partnerId: 'limited' });
  browser = await entered(service, key);
});

afterEach(() => vi.restoreAllMocks());

const nowInSeconds = () => Math.floor(Date.now() / 1000);

type Parts = Parameters<typeof sign>[1] & { body: string };

function parts(changes: Partial<Parts> = {}): Parts {
  const timestamp = String(nowInSeconds());
  return { method: 'POST', target: TARGET, timestamp, nonce: randomUUID(), body: BODY, ...changes };
}

/** The debugger's page about a call, as HTML and as text. */
async function explained(call: Parts, signature: string, more: Record<string, string> = {}) {
  await browser.open(PAGE);
  const { status, text } = await browser.submit({ ...call, key: key.id, signature, ...more });
  expect(status).toBe(200);
  return { text, words: plain(text) };
}

describe('the signature debugger', () => {
  it('names the mistake and shows what the server signs, with the body’s length and SHA-256, and never a signature that is right', async () => {
    const call = parts();
    const right = Buffer.from(sign(key.apiSecret, call), 'hex');
    for (const [verdict, signature] of [
      ['What differs: the body BODY_LEFT_OUT: ', sign(key.apiSecret, { ...call, body: '' })],
      ['What differs: the secret OTHER_SECRET: ', sign(second.apiSecret, call)],
      ['The signature is wrong UNKNOWN: ', 'a'.repeat(64)],
    ]) {
      const { text, words } = await explained(call, signature, { apiKey: key.apiKey });
      expect(words).toContain(verdict);
      expect(words).toContain(
        `POST\\n ${TARGET}\\n ${call.timestamp}\\n ${call.nonce}\\n Length of the body${BODY.length} bytes SHA-256 of the body${sha256(BODY)}`,
      );
      for (const form of ['hex', 'base64', 'base64url'] as const) {
        expect(text).not.toContain(right.toString(form).slice(0, 20));
      }
      expect(text).not.toContain(key.apiSecret.slice(-20));
    }
  });

  it('says that a signature is right, and how far the clock is off', async () => {
    const call = parts({ timestamp: String(nowInSeconds() + 19_830) });
    const { words } = await explained(call, sign(key.apiSecret, call));
    expect(words).toContain(RIGHT);
    expect(words).toMatch(
      /198[0-3]\d seconds \(5 h 30 min\) ahead of the server’s time now, more than the allowed 300 seconds/,
    );
  });

  it('takes the line breaks of a form for those that were signed', async () => {
    for (const body of ['{\n  "a": 1\n}', '{\r\n  "a": 1\r\n}']) {
      const call = parts({ body });
      const pasted = { ...call, body: body.replaceAll(/\r?\n/g, '\r\n') };
      const { text, words } = await explained(pasted, sign(key.apiSecret, call));
      expect(words).toContain(RIGHT);
      expect(text).toContain(sha256(body));
    }
  });

  it('says what is wrong with the form of a field', async () => {
    const call = parts();
    for (const [name, value, said] of [
      ['timestamp', '1700000000123', 'These are milliseconds'],
      ['nonce', 'not-a-uuid', 'x-nonce must be a UUID v4'],
      ['signature', 'abc', 'x-signature must be 64 hexadecimal characters'],
      ['target', 'https://loans.example/api/v1/partner/products', 'without scheme and host'],
      ['target', '/api/v1/partner/leads?status=…', 'Replace …'],
      ['method', 'PATCH', 'Choose the method'],
    ]) {
      const { text, words } = await explained(call, sign(key.apiSecret, call), { [name]: value });
      expect(words).toContain(said);
      expect(text).not.toContain('id="finding"');
    }
  });

  it('given the API key that was sent, says whose it is; another partner’s is an unknown one, and signs nothing that is explained', async () => {
    const foreign = await issueKey(service, { partnerId: 'demo' });
    const revoked = await issueKey(service, { partnerId: 'limited' });
    await service.get<KeyAdministration>(KeyAdministration).revoke(revoked.id);
    const unknown =
      'This is not one of your API keys: the sandbox does not know it, or it belongs to another partner';
    const call = parts();
    for (const [apiKey, said] of [
      [key.apiKey, 'This is the chosen key.'],
      [makeApiKey('rinpath', 'test', new RandomSource()), unknown],
      [foreign.apiKey, unknown],
      [second.apiKey, 'This is another of your keys than the chosen one'],
      [revoked.apiKey, 'This key is revoked.'],
      [key.apiSecret, 'This is an API secret: send the API key in x-api-key'],
    ]) {
      const { text, words } = await explained(call, sign(key.apiSecret, call), { apiKey });
      expect(words).toContain(`x-api-key: ${said}`);
      expect(text).not.toContain(apiKey);
    }
    const signature = sign(foreign.apiSecret, call);
    const chosen = await explained(call, signature, { key: foreign.id });
    expect(chosen.words).toContain('Choose the key of the call');
    expect(chosen.text).not.toContain('id="finding"');
    expect((await explained(call, signature)).words).toContain('UNKNOWN: ');
  });
});

/** Makes a call with a wrong signature; returns its id in the log. */
async function refusedFor(overrides: Overrides): Promise<string> {
  const { requestId, headers } = named();
  const answer = await key.client.call('POST', '/webhooks', { body: BODY, headers, overrides });
  expect(answer.status).toBe(401);
  return (await logged(service, { requestId }, 'limited')).id;
}

/** The call as the log fills it in. Body and signature must be pasted by the user. */
async function filledFrom(id: string) {
  const { text } = await browser.open(`${PAGE}?request=${id}`);
  const value = (name: string) =>
    plain(new RegExp(`name="${name}" type="text" value="([^"]*)"`).exec(text)![1]);
  return parts({
    target: value('target'),
    timestamp: value('timestamp'),
    nonce: value('nonce'),
  });
}

async function submitted(call: Parts, signature: string): Promise<string> {
  return plain((await browser.submit({ ...call, key: key.id, signature })).text);
}

describe('a call that was refused for its signature', () => {
  it('names the mistake and what the server signed, and fills the debugger, which tells the body that arrived from the one that is pasted', async () => {
    const id = await refusedFor({ signedBody: '' });
    const { text } = await browser.open(`/workbench/requests/${id}`);
    const words = plain(text);
    expect(words).toMatch(/BODY_LEFT_OUT It fits the request without its body: sign the bytes/);
    expect(words).toMatch(/POST\\n \/api\/v1\/partner\/webhooks\\n \d{10}\\n [0-9a-f-]{36}\\n/);
    expect(words).toContain(`SHA-256 of the body${sha256(BODY)}`);
    expect(plain(/href="(\/workbench\/signature[^"]+)"/.exec(text)![1])).toBe(
      `${PAGE}?request=${id}`,
    );
    const call = await filledFrom(id);
    expect(call.target).toBe('/api/v1/partner/webhooks');
    const signature = sign(key.apiSecret, { ...call, body: '' });
    const same = await submitted(call, signature);
    expect(same).toContain('What differs: the body BODY_LEFT_OUT');
    expect(same).toContain('What you pasted matches what arrived');
    const changed = { ...call, body: `${BODY} `, nonce: randomUUID() };
    const other = await submitted(changed, signature);
    expect(other).toContain('What you pasted differs from what arrived: nonce, body.');
    expect(other).toContain(`The body that arrived has ${BODY.length} bytes`);
  });
});

describe('a call that was refused for its timestamp', () => {
  it.each([
    [400, 'CLOCK_AHEAD', '400 seconds ahead of'],
    [-3_700, 'CLOCK_BEHIND', '3700 seconds (1 h 1 min) behind'],
  ])(
    'says by how much and to which side, however late the debugger is opened: %i seconds',
    async (...given) => {
      const [seconds, mistake, off] = given;
      const now = new Date();
      const clock = vi.spyOn(SystemClock.prototype, 'now').mockReturnValue(now);
      const timestamp = String(Math.floor(now.getTime() / 1_000) + seconds);
      const id = await refusedFor({ timestamp });
      const words = plain((await browser.open(`/workbench/requests/${id}`)).text);
      expect(words).toContain(`${mistake} The signature is right.`);
      const said = `The timestamp was ${off} the server’s time when the call arrived`;
      expect(words).toContain(`${said}, more than the allowed 300 seconds`);
      const list = plain((await browser.open(`/workbench/requests?request=${id}`)).text);
      expect(list).toContain(`401 invalid_signature ${mistake}`);
      clock.mockReturnValue(new Date(now.getTime() + seconds * 1_000));
      const call = await filledFrom(id);
      const later = await submitted(call, sign(key.apiSecret, call));
      expect(later).toContain(RIGHT);
      expect(later).toContain(said);
      expect(later).toContain('so the call was refused, even with a right signature');
    },
  );
});
