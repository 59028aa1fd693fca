import { describe, expect, it } from 'vitest';
import { SCOPES } from '../../../src/auth/index.js';
import { loanRequest, shortLoanRequest } from '../../support/loan-requests.js';
import type { PartnerClient } from '../../support/partner-client.js';
import { serviceOfFile } from '../../support/shared-service.js';
import {
  expectNoBusiness,
  issueKey,
  partnerRoutesOf,
  UNKNOWN_APPLICATION,
  UNKNOWN_DELIVERY,
  UNKNOWN_JOURNEY,
  UNKNOWN_SUBSCRIPTION,
} from './auth-harness.js';

// Check 6 of decisions §2, the scope, and check 9, the product.

const service = serviceOfFile();

const lacks = (scope: string) => ({
  status: 403,
  code: 'scope_missing',
  error: `This API key lacks the scope ${scope}`,
});

/** Each call with the scope it needs, and the status that a key with that scope gets. */
const CALLS: [string, string, string, number][] = [
  ['GET', '/products', 'products:read', 200],
  ['POST', '/eligibility', 'journeys:write', 400],
  ['POST', '/journey/initiate', 'journeys:write', 400],
  ['GET', `/journey/${UNKNOWN_JOURNEY}`, 'journeys:read', 404],
  ['POST', `/journey/${UNKNOWN_JOURNEY}/action`, 'journeys:write', 404],
  ['POST', `/journey/${UNKNOWN_JOURNEY}/redirect-returned`, 'journeys:write', 404],
  ['POST', '/instant-loans', 'instant-loans:write', 400],
  ['GET', '/leads', 'leads:read', 200],
  ['GET', `/leads/${UNKNOWN_APPLICATION}/status`, 'leads:read', 404],
  ['GET', '/events', 'events:read', 200],
  ['POST', '/webhooks', 'webhooks:manage', 400],
  ['GET', '/webhooks', 'webhooks:manage', 200],
  ['POST', `/webhooks/${UNKNOWN_SUBSCRIPTION}/rotate-secret`, 'webhooks:manage', 404],
  ['DELETE', `/webhooks/${UNKNOWN_SUBSCRIPTION}`, 'webhooks:manage', 404],
  ['POST', `/webhooks/${UNKNOWN_SUBSCRIPTION}/enable`, 'webhooks:manage', 404],
  ['POST', `/webhooks/${UNKNOWN_SUBSCRIPTION}/disable`, 'webhooks:manage', 404],
  ['POST', `/webhooks/${UNKNOWN_SUBSCRIPTION}/test`, 'webhooks:manage', 404],
  ['GET', `/webhooks/${UNKNOWN_SUBSCRIPTION}/deliveries`, 'webhooks:manage', 404],
  [
    'POST',
    `/webhooks/${UNKNOWN_SUBSCRIPTION}/deliveries/${UNKNOWN_DELIVERY}/redeliver`,
    'webhooks:manage',
    404,
  ],
  ['POST', `/webhooks/${UNKNOWN_SUBSCRIPTION}/recover`, 'webhooks:manage', 404],
  ['POST', '/sandbox/time', 'sandbox:travel', 400],
  ['POST', `/sandbox/instant-loans/${UNKNOWN_APPLICATION}/payment`, 'sandbox:travel', 404],
];

const keys = new Map<string, PartnerClient>();

/** One key for each set of scopes. */
async function keyWith(scopes: readonly string[]): Promise<PartnerClient> {
  const name = scopes.join();
  const client = keys.get(name) ?? (await issueKey(service, { scopes })).client;
  keys.set(name, client);
  return client;
}

describe('403: the key lacks the scope of the call', () => {
  it('each call needs its scope and no other', async () => {
    const without = (scope: string) => keyWith(SCOPES.filter((one) => one !== scope));
    for (const [, , scope] of CALLS) {
      await without(scope);
      await keyWith([scope]);
    }
    await expectNoBusiness(service, async () => {
      for (const [method, path, scope, status] of CALLS) {
        const body = method === 'POST' ? {} : undefined;
        const lacking = await without(scope);
        expect(await lacking.call(method, path, { body })).toBeFailure(lacks(scope));
        const unprefixed = await lacking.request(method, `/v1/partner${path}`, { body });
        expect(unprefixed).toBeFailure(lacks(scope));
        const answer = await (await keyWith([scope])).call(method, path, { body });
        expect([path, answer.status]).toEqual([path, status]);
      }
    });
  });

  it('a key without any scope is refused on every route that the service has', async () => {
    const { client } = await issueKey(service, { scopes: [] });
    const routes = partnerRoutesOf(service);
    expect(routes.length).toBeGreaterThanOrEqual(2 * CALLS.length);
    for (const { method, target } of routes) {
      const body = method === 'POST' ? {} : undefined;
      const { status, json } = await client.request(method, target, { body });
      expect({ target, status, code: json.code }).toEqual({
        target,
        status: 403,
        code: 'scope_missing',
      });
    }
  });
});

describe('403: the product is not assigned to the key', () => {
  it('in both variants of initiate, under its code and its alias or by default, and nothing is written', async () => {
    const { client } = await issueKey(service, { products: ['ONLINE_PERSONAL'] });
    const requests = [
      loanRequest({ productCode: 'ONLINE_GOLD' }),
      loanRequest({ productCode: 'ONLINE_BUSINESS', channel: 'API_HOSTED' }),
      { ...shortLoanRequest(), productCode: 'ONLINE_SHORT_TERM' },
      {
        ...shortLoanRequest(),
        productCode: 'GOLD_LOAN',
        goldLoanDetails: { jewellaryList: ['ring'], grams: '8' },
      },
    ];
    await expectNoBusiness(service, async () => {
      for (const body of requests) {
        expect(await client.initiate(body)).toBeRefused('product_not_assigned');
      }
    });
    expect((await client.initiate(loanRequest())).status).toBe(200);
    const gold = await issueKey(service, { products: ['ONLINE_GOLD'] });
    expect(await gold.client.initiate(shortLoanRequest())).toBeRefused('product_not_assigned');
  });
});
