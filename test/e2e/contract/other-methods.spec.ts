import { beforeAll, describe, expect, it } from 'vitest';
import { type PartnerClient, partnerClient } from '../../support/partner-client.js';
import { serviceOfFile } from '../../support/shared-service.js';
import { issueKey, partnerRoutesOf } from '../auth/auth-harness.js';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'QUERY'];

const service = serviceOfFile();
let demo: PartnerClient;
/** The methods of each path that the routes declare. */
let allowed: Map<string, string[]>;

beforeAll(() => {
  demo = partnerClient(service);
  allowed = new Map();
  for (const { method, target } of partnerRoutesOf(service)) {
    const more = method === 'GET' ? ['GET', 'HEAD'] : [method];
    allowed.set(target, [...(allowed.get(target) ?? []), ...more]);
  }
});

const methodsIn = (allow: string | undefined) => allow?.split(', ').toSorted();

describe('another method at the path of a call', () => {
  it('is 405 with the methods that are allowed, at every path, with and without /api', async () => {
    expect(allowed.size).toBeGreaterThan(30);
    for (const [target, methods] of allowed) {
      for (const method of METHODS.filter((name) => !methods.includes(name))) {
        const { status, headers, body, json } = await demo.request(method, target);
        const code = method === 'HEAD' ? body.toString() : json.code;
        expect([method, target, status, methodsIn(headers.allow), code]).toEqual([
          method,
          target,
          405,
          methods.toSorted(),
          method === 'HEAD' ? '' : 'method_not_allowed',
        ]);
      }
    }
  });

  it('is answered after authentication', async () => {
    const overrides = { signature: 'a'.repeat(64) };
    const { status, headers } = await demo.call('PATCH', '/products', { overrides });
    expect([status, headers.allow]).toEqual([401, undefined]);
  });

  it('counts against the limits of the key, and needs no scope', async () => {
    const { client } = await issueKey(service, { scopes: [], perMinute: 1 });
    expect((await client.call('PATCH', '/products')).status).toBe(405);
    expect((await client.call('PATCH', '/products')).status).toBe(429);
  });
});
