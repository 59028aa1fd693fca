import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { KeyAdministration } from '../../../src/admin/index.js';
import { makeApiKey } from '../../../src/auth/index.js';
import { RandomSource, sha256 } from '../../../src/platform/index.js';
import { type HostedClient, type HostedPage, plain } from '../../support/hosted-client.js';
import { sign } from '../../support/partner-client.js';
import type { TestService } from '../../support/service.js';
import { sharedService } from '../../support/shared-service.js';
import { issueKey, type TestKey } from '../auth/auth-harness.js';
import { entered } from './workbench-browser.js';

const PAGE = '/workbench/signature';
const TARGET = '/api/v1/partner/webhooks?x=%20y';
const BODY = '{"url":"https://partner.example/hook","events":["journey.completed"]}';

let service: TestService;
let key: TestKey;
let second: TestKey;
let browser: HostedClient;

beforeAll(async () => {
  service = await sharedService();
  key = await issueKey(service, { partnerId: 'limited' });
  second = await issueKey(service, { partnerId: 'limited' });
  browser = await entered(service, key);
});

interface Parts {
  method: string;
  target: string;
  timestamp: string;
  nonce: string;
  body: string;
}

function parts(changes: Partial<Parts> = {}): Parts {
  const timestamp = String(Math.floor(Date.now() / 1000));
  return { method: 'POST', target: TARGET, timestamp, nonce: randomUUID(), body: BODY, ...changes };
}

/** The page's explanation of a call that was sent like this. */
async function explained(
  call: Parts,
  signature: string,
  more: Record<string, string> = {},
): Promise<HostedPage> {
  await browser.open(PAGE);
  const page = await browser.submit({ ...call, key: key.id, signature, ...more });
  expect(page.status).toBe(200);
  return page;
}

describe('the signature debugger', () => {
  it('names the mistake, and shows no signature that is right', async () => {
    const call = parts();
    for (const [finding, part, signature] of [
      ['BODY_LEFT_OUT', 'the body', sign(key.apiSecret, { ...call, body: '' })],
      ['OTHER_SECRET', 'the secret', sign(second.apiSecret, call)],
    ] as const) {
      const { text } = await explained(call, signature, { apiKey: key.apiKey });
      expect(plain(text)).toContain(`What differs: ${part} ${finding}: `);
      expect(text).not.toContain(sign(key.apiSecret, call));
    }
  });

  it('shows what the server signs, with the body’s length and SHA-256, and never the signature', async () => {
    const call = parts();
    const { text } = await explained(call, 'a'.repeat(64));
    expect(plain(text)).toContain('The signature is wrong UNKNOWN: ');
    expect(plain(text)).toContain(
      `POST\\n ${TARGET}\\n ${call.timestamp}\\n ${call.nonce}\\n Length of the body${BODY.length} bytes SHA-256 of the body${sha256(BODY)}`,
    );
    const shown = `POST\\n\n${TARGET}\\n\n${call.timestamp}\\n\n${call.nonce}\\n`;
    expect(text).toContain(`>${shown.replace('=', '&#x3D;')}</pre>`);
    const right = Buffer.from(sign(key.apiSecret, call), 'hex');
    for (const form of ['hex', 'base64', 'base64url'] as const) {
      expect(text).not.toContain(right.toString(form).slice(0, 20));
    }
    expect(text).not.toContain(key.apiSecret.slice(-20));
  });

  it('says that a signature is right, and how far the clock is off', async () => {
    const call = parts({ timestamp: String(Math.floor(Date.now() / 1000) + 19_830) });
    const { text } = await explained(call, sign(key.apiSecret, call));
    expect(plain(text)).toContain('The signature is right RIGHT: ');
    expect(plain(text)).toMatch(
      /198[0-3]\d seconds \(5 h 30 min\) ahead of the server’s time now, more than the allowed 300 seconds/,
    );
  });

  it.each(['{\n  "a": 1\n}', '{\r\n  "a": 1\r\n}'])(
    'takes the line breaks of a form for those that were signed: %j',
    async (body) => {
      const call = parts({ body });
      const pasted = { ...call, body: body.replaceAll(/\r?\n/g, '\r\n') };
      const { text } = await explained(pasted, sign(key.apiSecret, call));
      expect(plain(text)).toContain('The signature is right RIGHT: ');
      expect(text).toContain(sha256(body));
    },
  );

  it('says what is wrong with the form of a field', async () => {
    const call = parts();
    for (const [name, value, words] of [
      ['timestamp', '1700000000123', 'These are milliseconds'],
      ['nonce', 'not-a-uuid', 'x-nonce must be a UUID v4'],
      ['signature', 'abc', 'x-signature must be 64 hexadecimal characters'],
      ['target', 'https://loans.example/api/v1/partner/products', 'without scheme and host'],
      ['target', '/api/v1/partner/leads?status=…', 'Replace …'],
      ['method', 'PATCH', 'Choose the method'],
    ]) {
      const { text } = await explained(call, sign(key.apiSecret, call), { [name]: value });
      expect(plain(text)).toContain(words);
      expect(text).not.toContain('id="finding"');
    }
  });

  it('explains nothing that is signed with another partner key', async () => {
    const foreign = await issueKey(service, { partnerId: 'demo' });
    const call = parts();
    const signature = sign(foreign.apiSecret, call);
    const { text } = await explained(call, signature, { key: foreign.id });
    expect(plain(text)).toContain('Choose the key of the call');
    expect(text).not.toContain('id="finding"');
    expect(plain((await explained(call, signature)).text)).toContain('UNKNOWN: ');
  });

  it('with the API key that was sent, names its partner; another partner’s key looks like an unknown one', async () => {
    const foreign = await issueKey(service, { partnerId: 'demo' });
    const revoked = await issueKey(service, { partnerId: 'limited' });
    await service.get<KeyAdministration>(KeyAdministration).revoke(revoked.id);
    const unknown =
      'This is not one of your API keys: the sandbox does not know it, or it belongs to another partner';
    const call = parts();
    for (const [apiKey, words] of [
      [key.apiKey, 'This is the chosen key.'],
      [makeApiKey('rinpath', 'test', new RandomSource()), unknown],
      [foreign.apiKey, unknown],
      [second.apiKey, 'This is another of your keys than the chosen one'],
      [revoked.apiKey, 'This key is revoked.'],
      [key.apiSecret, 'This is an API secret: send the API key in x-api-key'],
    ]) {
      const { text } = await explained(call, sign(key.apiSecret, call), { apiKey });
      expect(plain(text)).toContain(`x-api-key: ${words}`);
      expect(text).not.toContain(apiKey);
    }
  });

  it('takes no form that did not come from its page', async () => {
    const call = parts();
    const fields = { ...call, key: key.id, signature: sign(key.apiSecret, call) };
    expect((await browser.post(PAGE, fields)).status).toBe(403);
  });
});
