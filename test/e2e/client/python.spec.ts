import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TestService } from '../../support/service.js';
import { sharedService } from '../../support/shared-service.js';
import { Relay } from './relay.js';

const FOLDER = fileURLToPath(new URL('../../../examples/python/', import.meta.url));

let service: TestService;
let relay: Relay;

/** What a program prints; its error output when it fails. */
async function python(...args: string[]): Promise<string> {
  const { apiKey, apiSecret } = service.credentials;
  const child = spawn('python3', ['-B', ...args], {
    cwd: FOLDER,
    env: {
      ...process.env,
      RINPATH_BASE_URL: relay.url,
      RINPATH_API_KEY: apiKey,
      RINPATH_API_SECRET: apiSecret,
    },
  });
  let printed = '';
  child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  await new Promise((resolve, reject) => child.once('close', resolve).once('error', reject));
  return printed.trim();
}

function call(...args: string[]): Promise<string> {
  return python(
    '-c',
    `import os, time
from rinpath import NoAnswer, Refused, Rinpath
time.sleep = lambda seconds: print("waits", round(seconds, 1))
client = Rinpath(os.environ["RINPATH_BASE_URL"], os.environ["RINPATH_API_KEY"], os.environ["RINPATH_API_SECRET"])
try:
    print(sorted(client.call(${args.join(', ')})))
except (NoAnswer, Refused) as error:
    print(type(error).__name__, getattr(error, "code", error))
`,
  );
}

beforeAll(async () => {
  service = await sharedService();
  relay = await Relay.before(service.baseUrl);
});

beforeEach(() => relay.forget());

afterAll(() => relay.stop());

describe('the Python example', () => {
  it('takes a headless loan to the payout', async () => {
    const steps = (await python('loan.py')).split('\n');
    expect(steps.filter((step) => /^(SELECT|SUBMIT|REDIRECT)/.test(step))).toEqual([
      'SELECT_OFFER',
      'REDIRECT_TO_KYC',
      'SUBMIT_BANK_ACCOUNT',
      'REDIRECT_TO_MANDATE',
      'REDIRECT_TO_ESIGN',
    ]);
    expect(steps.at(-1)).toBe('SANCTIONED');
  });

  it('sends a read again when its answer is lost, and signs its query', async () => {
    relay.next('LOSE_ANSWER');
    const printed = await call('"GET"', '"/leads"', 'query={"status": "SANCTIONED", "limit": 1}');
    expect(printed).toMatch(/^waits 0\.[2-5]\n\['leads', 'limit', 'page', 'total'\]$/);
    const request = 'GET /api/v1/partner/leads?status=SANCTIONED&limit=1';
    expect(relay.seen).toEqual([request, request]);
  });

  it('sends a call that starts something again only under an idempotency key', async () => {
    const body = 'body={"url": "http://127.0.0.1:9/"}';
    relay.next('LOSE_ANSWER');
    expect(await call('"POST"', '"/webhooks"', body)).toMatch(/^NoAnswer No answer to POST .*: \S/);
    expect(relay.seen).toHaveLength(1);
    relay.forget();
    relay.next('LOSE_ANSWER');
    const printed = await call('"POST"', '"/instant-loans"', 'body={}', 'idempotency_key="a"');
    expect(printed).toMatch(/^waits 0\.[2-5]\nRefused validation_failed$/);
    expect(relay.seen).toHaveLength(2);
  });

  it('waits as long as it is told, and not longer than half a minute', async () => {
    const limited = (seconds: string) => ({
      status: 429,
      headers: { 'retry-after': seconds },
      body: '{"success":false,"error":"Too many requests","code":"rate_limited"}',
    });
    relay.next(limited('7'));
    expect(await call('"GET"', '"/products"')).toBe("waits 7.0\n['products']");
    relay.next(limited('31'));
    expect(await call('"GET"', '"/products"')).toBe('Refused rate_limited');
  });

  it('takes neither a proxy’s page nor a redirect for an answer', async () => {
    relay.next(...Array.from({ length: 4 }, () => ({ status: 502, body: '<h1>Bad gateway</h1>' })));
    expect(await call('"GET"', '"/products"')).toMatch(/\nRefused unreadable_answer$/);
    relay.next({ status: 307, headers: { location: '/api/v1/partner/products' } });
    expect(await call('"GET"', '"/products"')).toBe('Refused unreadable_answer');
  });
});
