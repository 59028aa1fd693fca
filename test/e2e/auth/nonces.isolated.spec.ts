// Isolated: two replicas, a restart, and another configuration.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  ConfigurationApplier,
  KeyAdministration,
  PartnerAdministration,
} from '../../../src/admin/index.js';
import { makeApiSecret } from '../../../src/auth/index.js';
import { Database, RandomSource } from '../../../src/platform/index.js';
import { configurationWith } from '../../support/configuration-with.js';
import { SANDBOX_DEPLOYMENT } from '../../support/deployments.js';
import { sandboxCredentials } from '../../support/sandbox-credentials.js';
import { startService, startTwoReplicas, type TwoReplicas } from '../../support/service.js';
import type { Refusal } from './answer-matchers.js';
import { clientOf, expectNoTrace, issueKey, statusesOf, type TestKey } from './auth-harness.js';

let replicas: TwoReplicas;
let key: TestKey;

beforeAll(async () => {
  replicas = await startTwoReplicas();
  key = await issueKey(replicas.first);
});

afterAll(() => replicas.close());

// Check 4 of decisions §2: a key uses a nonce once.
describe('a nonce', () => {
  it('that the key has used is refused: the same request again, also by a service that has just started, and with another method, path, body and time', async () => {
    const nonce = randomUUID();
    expect((await key.client.get('/products', { overrides: { nonce } })).status).toBe(200);
    const after = await startService({ databaseUrl: replicas.first.databaseUrl });
    const timestamp = String(Math.floor(replicas.first.now().getTime() / 1000) + 60);
    await expectNoTrace(replicas.first, async () => {
      for (const client of [key.client, clientOf(after, key)]) {
        const again = await client.get('/products', { overrides: { nonce } });
        expect(again).toBeRefused('nonce_reused');
        const other = { overrides: { nonce, timestamp } };
        const hook = await client.post('/webhooks', { url: 'https://x.example/' }, other);
        expect(hook).toBeRefused('nonce_reused');
      }
    });
    await after.close();
  });

  it('is stored, as the counts of a key are, in a table that survives a crash of PostgreSQL', async () => {
    const kept = await replicas.first.get<Database>(Database).query(
      `SELECT relpersistence AS kept FROM pg_class
       WHERE relname IN ('request_nonces', 'api_key_windows')`,
    );
    expect(kept).toEqual([{ kept: 'p' }, { kept: 'p' }]);
  });

  it('sent twenty times at the same moment to two replicas, is served once', async () => {
    const overrides = { nonce: randomUUID() };
    const clients = [key.client, clientOf(replicas.second, key)];
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => clients[n % 2].get('/products', { overrides })),
    );
    expect(statusesOf(answers)).toEqual({ 200: 1, 401: 19 });
  });

  it('is not used up by another key, or by a caller who saw it but cannot sign', async () => {
    const nonce = randomUUID();
    const other = await issueKey(replicas.first);
    expect((await other.client.get('/products', { overrides: { nonce } })).status).toBe(200);
    const forged = { nonce, signature: 'f'.repeat(64) };
    const answer = await key.client.get('/products', { overrides: forged });
    expect(answer).toBeRefused('invalid_signature');
    expect((await key.client.get('/products', { overrides: { nonce } })).status).toBe(200);
  });
});

// Check 3 of decisions §2: the key and its partner are in good standing. Both replicas have seen a
// key before anything is decided about it, so that what they keep of it is out of date.
describe('a key', () => {
  let keys: KeyAdministration;

  beforeAll(() => {
    keys = replicas.first.get<KeyAdministration>(KeyAdministration);
  });

  async function knownEverywhere(partnerId = 'demo') {
    const own = await issueKey(replicas.first, { partnerId });
    const clients = [own.client, clientOf(replicas.second, own)];
    const expectServed = async () => {
      for (const client of clients) expect((await client.get('/products')).status).toBe(200);
    };
    const expectRefused = async (code: Refusal, overrides = {}) => {
      for (const client of clients)
        expect(await client.get('/products', { overrides })).toBeRefused(code);
    };
    await expectServed();
    return { id: own.id, clients, expectServed, expectRefused };
  }

  it('that is suspended is refused from the very next call on, on every replica, without using up nonce or quota, until it is resumed; one that is revoked for good', async () => {
    const { id, clients, expectServed, expectRefused } = await knownEverywhere();
    await keys.suspend(id);
    const overrides = { nonce: randomUUID() };
    await expectNoTrace(replicas.first, () => expectRefused('key_suspended', overrides));
    await keys.resume(id);
    expect((await clients[0].get('/products', { overrides })).status).toBe(200);
    await expectServed();
    await keys.revoke(id);
    await expectRefused('key_revoked');
    await expectRefused('key_revoked');
  });

  it('of a partner that is suspended is refused, as every other of it, until the partner is resumed', async () => {
    const partners = replicas.first.get<PartnerAdministration>(PartnerAdministration);
    const own = [await knownEverywhere('limited'), await knownEverywhere('limited')];
    const other = await knownEverywhere('demo');
    await partners.suspend('limited');
    for (const { expectRefused } of own) await expectRefused('partner_suspended');
    await other.expectServed();
    await partners.resume('limited');
    for (const { expectServed } of own) await expectServed();
  });

  it('that is revoked in the midst of a stream of calls lets none pass after it', async () => {
    const { id, clients } = await knownEverywhere();
    const burst = () =>
      Promise.all(Array.from({ length: 60 }, (_, n) => clients[n % 2].get('/products')));
    const before = burst();
    await keys.revoke(id);
    expect(statusesOf(await burst())).toEqual({ 403: 60 });
    const { 200: passed = 0, 403: refused = 0 } = statusesOf(await before);
    expect(passed + refused).toBe(60);
  });

  it('whose secret the configuration file replaces takes the new one from the next call on, on every replica, and the old one no longer', async () => {
    const before = sandboxCredentials('demo', 'demo');
    const apiSecret = makeApiSecret('rinpath', 'test', new RandomSource());
    const both = [replicas.first, replicas.second].map((replica) => ({
      old: clientOf(replica, before),
      fresh: clientOf(replica, { ...before, apiSecret }),
    }));
    for (const { old } of both) expect((await old.get('/products')).status).toBe(200);
    const changed = configurationWith(({ partners }) => ({
      partners: JSON.parse(
        JSON.stringify(partners).replace(before.apiSecret, apiSecret),
      ) as object[],
    }));
    const applier = replicas.first.get<ConfigurationApplier>(ConfigurationApplier);
    await applier.apply(changed.file, SANDBOX_DEPLOYMENT);
    changed.remove();
    for (const { old, fresh } of both) {
      expect((await fresh.get('/products')).status).toBe(200);
      expect(await old.get('/products')).toBeRefused('invalid_signature');
      expect((await fresh.get('/products')).status).toBe(200);
    }
  });
});
