import { beforeAll, describe, expect, it } from 'vitest';
import { sandboxCredentials } from '../../support/sandbox-credentials.js';
import type { TestService } from '../../support/service.js';
import { sharedService } from '../../support/shared-service.js';
import { sendBytes } from '../../support/wire.js';

// DNS rebinding: a web page can resolve its own name to 127.0.0.1 after it loads. The browser then sends it our
// responses, with the page's name in the Host header.

const DEMO = sandboxCredentials('demo');

let local: TestService;

beforeAll(async () => {
  local = await sharedService();
});

async function ask(address: string, host: string, path: string) {
  const { status, headers, body } = await sendBytes(
    address,
    `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nAccept: application/json\r\n\r\n`,
  );
  return { status, headers, text: body.toString() };
}

const PATHS = ['/sandbox/inbox', '/docs/quick-start', '/metrics', '/assets/favicon.svg', '/x'];

describe('a sandbox on a developer’s machine', () => {
  it.each([
    'rebound.example',
    'localhost.rebound.example',
    '127.0.0.1.rebound.example',
    '192.168.0.7',
    '',
  ])('answers nothing to a caller who names the host %j', async (host) => {
    for (const path of PATHS) {
      const { status, headers, text } = await ask(local.baseUrl, host, path);
      expect([path, status]).toEqual([path, 400]);
      expect(text).not.toContain(DEMO.apiSecret);
      expect(headers['x-request-id']).toBeDefined();
      expect(JSON.parse(text)).toMatchObject({
        success: false,
        code: 'malformed_request',
        error:
          'The Host header must name this machine, such as localhost. Set BASE_URL for a sandbox ' +
          'that other machines reach',
      });
    }
  });

  it.each(['localhost', 'LOCALHOST:8080', '127.0.0.1:3000', '[::1]:3000'])(
    'answers to the host %s, also on a port that is forwarded to it',
    async (host) => {
      const { status, text } = await ask(local.baseUrl, host, '/docs/quick-start');
      expect(status).toBe(200);
      expect(text).toContain(DEMO.apiSecret);
    },
  );

  it('tells a prober under its number that it is well, and no more', async () => {
    expect((await ask(local.baseUrl, '10.1.2.3:3000', '/health/ready')).status).toBe(200);
    expect((await ask(local.baseUrl, '10.1.2.3:3000', '/health/../docs')).status).toBe(400);
  });
});

describe('Strict-Transport-Security', () => {
  it('is on none of the sandbox, which plain http may serve', async () => {
    const { headers } = await ask(local.baseUrl, 'localhost', '/returned');
    expect(headers).not.toHaveProperty('strict-transport-security');
  });
});
