import { beforeAll, describe, expect, it } from 'vitest';
import { KeyAdministration, PartnerAdministration } from '../../../src/admin/index.js';
import { PartnerClient } from '../../support/partner-client.js';
import { sharedReplicas, type SharedReplicas } from '../../support/shared-service.js';

let replicas: SharedReplicas;
let keys: KeyAdministration;

beforeAll(async () => {
  replicas = await sharedReplicas();
  keys = replicas.first.get(KeyAdministration);
});

async function issue(name: string, perMinute = 100) {
  const issued = await keys.issue({
    partnerId: replicas.first.partnerId,
    name,
    scopes: ['products:read'],
    products: ['ONLINE_GOLD'],
    limits: { perMinute, perDay: 1_000 },
  });
  // Commands run on the first replica; the second must apply them.
  const { second } = replicas;
  const client = new PartnerClient({
    ...issued,
    baseUrl: second.baseUrl,
  });
  const status = async () => (await client.get('/products')).status;
  return { id: issued.id, client, status };
}

describe('a command about a key counts on every replica at once', () => {
  it('a key that was in use is refused when suspended or revoked, and served when resumed', async () => {
    const { id, client, status } = await issue('in and out');
    expect(await status()).toBe(200);
    await keys.suspend(id);
    expect(await status()).toBe(403);
    await keys.resume(id);
    expect(await status()).toBe(200);
    await keys.revoke(id);
    expect((await client.get('/products')).json.code).toBe('key_revoked');
  });

  it('a new limit is the one that is shown and enforced', async () => {
    const { id, client, status } = await issue('lower', 50);
    expect(await status()).toBe(200);
    await keys.limit(id, { perMinute: 2 });
    expect((await client.get('/products')).headers['ratelimit-limit']).toBe('2');
    expect(await status()).toBe(429);
  });

  it('the keys of a suspended partner are refused, and served when it is resumed', async () => {
    const { client, status } = await issue('of the partner');
    expect(await status()).toBe(200);
    const partners = replicas.first.get(PartnerAdministration);
    await partners.suspend(replicas.first.partnerId);
    expect((await client.get('/products')).json.code).toBe('partner_suspended');
    await partners.resume(replicas.first.partnerId);
    expect(await status()).toBe(200);
  });
});
