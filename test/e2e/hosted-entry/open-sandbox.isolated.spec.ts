// Isolated: a sandbox at an address of the internet, which its environment says.
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HostedClient, startHosted } from '../../support/hosted-client.js';
import { partnerClient } from '../../support/partner-client.js';
import { type OwnService, startService, type TestService } from '../../support/service.js';

let service: OwnService;
/** At the address at which it really is. */
let reached: TestService;

beforeAll(async () => {
  service = await startService({
    environment: { BASE_URL: 'https://loans.example.test', SANDBOX_OPEN: 'true' },
  });
  const { port } = service.app.getHttpServer().address() as AddressInfo;
  reached = { ...service, baseUrl: `http://127.0.0.1:${port}` };
});

afterAll(() => service?.close());

describe('over https', () => {
  it('the cookies are Secure, with the __Host- prefix, and go with the browser’s session', async () => {
    const client = new HostedClient(reached.baseUrl);
    const shown = await client.get((await startHosted(reached)).link);
    const entered = await client.submit();
    for (const cookie of [...shown.headers.getSetCookie(), ...entered.headers.getSetCookie()]) {
      expect(cookie).toMatch(
        /^__Host-(csrf|session)=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
      );
    }
    expect(client.cookies.get('__Host-session')).toBeDefined();
  });
});

describe('a service that is not on a developer’s machine', () => {
  it('takes neither plain http nor this machine', async () => {
    const remote = partnerClient(reached);
    const statusOf = async (url: string) => (await remote.post('/webhooks', { url })).status;
    expect(await statusOf('https://partner.example/hooks')).toBe(200);
    expect(await statusOf('http://partner.example/hooks')).toBe(400);
    expect(await statusOf('https://localhost/hooks')).toBe(400);
    expect(await statusOf('https://127.0.0.1/hooks')).toBe(400);
    expect(await statusOf('https://[::1]/hooks')).toBe(400);
  });
});
