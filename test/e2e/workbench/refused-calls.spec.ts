import { randomUUID } from 'node:crypto';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { sha256, SystemClock } from '../../../src/platform/index.js';
import { type HostedClient, plain } from '../../support/hosted-client.js';
import { type Overrides, sign } from '../../support/partner-client.js';
import type { TestService } from '../../support/service.js';
import { sharedService } from '../../support/shared-service.js';
import { issueKey, type TestKey } from '../auth/auth-harness.js';
import { logged, named } from '../request-log/request-log-bench.js';
import { entered } from './workbench-browser.js';

const PAGE = '/workbench/signature';
const BODY = '{"url":"https://partner.example/hook","events":["journey.completed"]}';

let service: TestService;
let key: TestKey;
let browser: HostedClient;

beforeAll(async () => {
  service = await sharedService();
  key = await issueKey(service, { partnerId: 'limited' });
  browser = await entered(service, key);
});

afterEach(() => vi.restoreAllMocks());

/** Sends a call with a wrong signature; returns its id in the log. */
async function refusedFor(overrides: Overrides): Promise<string> {
  const { requestId, headers } = named();
  const answer = await key.client.call('POST', '/webhooks', { body: BODY, headers, overrides });
  expect(answer.status).toBe(401);
  return (await logged(service, { requestId }, 'limited')).id;
}

/** The debugger with the logged call; the sender pastes the body and the signature. */
async function filledFrom(id: string) {
  const { text } = await browser.open(`${PAGE}?request=${id}`);
  const value = (name: string) =>
    plain(new RegExp(`name="${name}" type="text" value="([^"]*)"`).exec(text)![1]);
  const call = {
    method: 'POST',
    target: value('target'),
    timestamp: value('timestamp'),
    nonce: value('nonce'),
    body: BODY,
  };
  return { ...call, key: key.id, signature: sign(key.apiSecret, call) };
}

/** A timestamp `seconds` from the server's time, to the second: the server's clock does not move. */
function timestampOff(seconds: number): string {
  const now = new Date();
  vi.spyOn(SystemClock.prototype, 'now').mockReturnValue(now);
  return String(Math.floor(now.getTime() / 1_000) + seconds);
}

describe('a call that was refused for its signature', () => {
  const refused = () => refusedFor({ signedBody: '' });

  it('names the mistake and what the server signed, and fills the debugger, which tells the body that arrived from the one that is pasted', async () => {
    const id = await refused();
    const { text } = await browser.open(`/workbench/requests/${id}`);
    const words = plain(text);
    expect(words).toMatch(/BODY_LEFT_OUT It fits the request without its body: sign the bytes/);
    expect(words).toMatch(/POST\\n \/api\/v1\/partner\/webhooks\\n \d{10}\\n [0-9a-f-]{36}\\n/);
    expect(words).toContain(`SHA-256 of the body${sha256(BODY)}`);
    const href = plain(/href="(\/workbench\/signature[^"]+)"/.exec(text)![1]);
    expect(href).toBe(`${PAGE}?request=${id}`);
    const call = await filledFrom(id);
    expect(call.target).toBe('/api/v1/partner/webhooks');
    const signature = sign(key.apiSecret, { ...call, body: '' });
    const pasted = { ...call, signature };
    const same = plain((await browser.submit(pasted)).text);
    expect(same).toContain('What differs: the body BODY_LEFT_OUT');
    expect(same).toContain('What you pasted matches what arrived');
    const nonce = randomUUID();
    const other = plain((await browser.submit({ ...pasted, body: `${BODY} `, nonce })).text);
    expect(other).toContain('What you pasted differs from what arrived: nonce, body.');
    expect(other).toContain(`The body that arrived has ${BODY.length} bytes`);
  });

  it('fills nothing from another partner’s call', async () => {
    const id = await refused();
    const foreign = await entered(service, await issueKey(service));
    const { text } = await foreign.open(`${PAGE}?request=${id}`);
    expect(text).toContain('name="target" type="text" value=""');
    expect(text).not.toContain(id);
  });
});

describe('a call that was refused for its timestamp', () => {
  it.each([
    [330, 'CLOCK_AHEAD', '330 seconds ahead of the server’s time when the call arrived'],
    [
      -3_700,
      'CLOCK_BEHIND',
      '3700 seconds (1 h 1 min) behind the server’s time when the call arrived',
    ],
  ])('says by how much, and to which side: %i seconds', async (seconds, mistake, words) => {
    const id = await refusedFor({ timestamp: timestampOff(seconds) });
    const text = plain((await browser.open(`/workbench/requests/${id}`)).text);
    expect(text).toContain(`${mistake} The signature is right.`);
    expect(text).toContain(`The timestamp was ${words}, more than the allowed 300 seconds`);
    const list = plain((await browser.open(`/workbench/requests?request=${id}`)).text);
    expect(list).toContain(`401 invalid_signature ${mistake}`);
  });

  it('is held against its arrival in the debugger, however late that is opened', async () => {
    const id = await refusedFor({ timestamp: timestampOff(400) });
    vi.spyOn(SystemClock.prototype, 'now').mockImplementation(() => new Date(Date.now() + 400_000));
    const call = await filledFrom(id);
    const text = plain((await browser.submit(call)).text);
    expect(text).toContain('The signature is right RIGHT: ');
    expect(text).toContain(
      'The timestamp was 400 seconds ahead of the server’s time when the call arrived',
    );
    expect(text).toContain('so the call was refused, even with a right signature');
  });
});
