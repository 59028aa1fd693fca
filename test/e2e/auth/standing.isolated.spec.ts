// Isolated: applies another configuration on two replicas.
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  ConfigurationApplier,
  KeyAdministration,
  PartnerAdministration,
} from '../../../src/admin/index.js';
import { makeApiSecret } from '../../../src/auth/index.js';
import { RandomSource } from '../../../src/platform/index.js';
import { SANDBOX_DEPLOYMENT } from '../../support/deployments.js';
import { partnerClient } from '../../support/partner-client.js';
import { sandboxCredentials } from '../../support/sandbox-credentials.js';
import { startTwoReplicas, type TwoReplicas } from '../../support/service.js';
import { shippedConfiguration } from '../../support/shipped-configuration.js';
import { clientOf, expectNoTrace, issueKey, statusesOf } from './auth-harness.js';

// Check 3 of decisions §2: the key and its partner are in good standing. Both replicas have seen a
// key before anything is decided about it, so that what they keep of it is out of date.

let replicas: TwoReplicas;
let keys: KeyAdministration;
let partners: PartnerAdministration;

beforeAll(async () => {
  replicas = await startTwoReplicas();
  keys = replicas.first.get<KeyAdministration>(KeyAdministration);
  partners = replicas.first.get<PartnerAdministration>(PartnerAdministration);
});

afterAll(() => replicas.close());

async function knownEverywhere(partnerId = 'demo') {
  const key = await issueKey(replicas.first, { partnerId });
  const clients = [key.client, clientOf(replicas.second, key)];
  for (const client of clients) expect((await client.get('/products')).status).toBe(200);
  return { ...key, clients };
}

describe('403: a key or its partner is barred', () => {
  it('a partner that the configuration file suspends is refused', async () => {
    const client = partnerClient(replicas.first, { partner: 'suspended' });
    await expectNoTrace(replicas.first, async () => {
      expect(await client.get('/products')).toBeRefused('partner_suspended');
      expect(await client.initiate({})).toBeRefused('partner_suspended');
    });
  });

  it('a key that is suspended is refused from the very next call on, on every replica', async () => {
    const { id, clients } = await knownEverywhere();
    await keys.suspend(id);
    for (const client of clients)
      expect(await client.get('/products')).toBeRefused('key_suspended');
    await keys.resume(id);
    for (const client of clients) expect((await client.get('/products')).status).toBe(200);
  });

  it('a key that is revoked is refused from the very next call on, on every replica', async () => {
    const { id, clients } = await knownEverywhere();
    await keys.revoke(id);
    for (const client of clients) {
      expect(await client.get('/products')).toBeRefused('key_revoked');
      expect(await client.get('/products')).toBeRefused('key_revoked');
    }
  });

  it('every key of a partner that is suspended is refused, until the partner is let in again', async () => {
    const own = [await knownEverywhere('limited'), await knownEverywhere('limited')];
    const other = await knownEverywhere('demo');
    await partners.suspend('limited');
    for (const { clients } of own) {
      for (const client of clients) {
        expect(await client.get('/products')).toBeRefused('partner_suspended');
      }
    }
    for (const client of other.clients) expect((await client.get('/products')).status).toBe(200);
    await partners.resume('limited');
    for (const client of own.flatMap(({ clients }) => clients)) {
      expect((await client.get('/products')).status).toBe(200);
    }
  });

  it('a key that is revoked stays so to its holder when the partner is suspended, too', async () => {
    const { id, clients } = await knownEverywhere('limited');
    await keys.revoke(id);
    await partners.suspend('limited');
    expect(await clients[1].get('/products')).toBeRefused('key_revoked');
    await partners.resume('limited');
  });

  it('a revocation in the midst of a stream of calls lets none pass after it', async () => {
    const { id, clients } = await knownEverywhere();
    const burst = () =>
      Promise.all(Array.from({ length: 60 }, (_, n) => clients[n % 2].get('/products')));
    const before = burst();
    await keys.revoke(id);
    expect(statusesOf(await burst())).toEqual({ 403: 60 });
    const { 200: passed = 0, 403: refused = 0 } = statusesOf(await before);
    expect(passed + refused).toBe(60);
  });

  it('refused calls use up neither their nonce nor the quota of the key', async () => {
    const { id, clients } = await knownEverywhere();
    await keys.suspend(id);
    const nonce = randomUUID();
    await expectNoTrace(replicas.first, async () => {
      for (const client of clients) {
        const answer = await client.get('/products', { overrides: { nonce } });
        expect(answer).toBeRefused('key_suspended');
      }
    });
    await keys.resume(id);
    const answers = [];
    for (const client of clients) {
      answers.push(await client.get('/products', { overrides: { nonce } }));
    }
    expect(answers.map(({ status }) => status)).toEqual([200, 401]);
  });
});

describe('a secret that the configuration file replaces', () => {
  const directory = mkdtempSync(join(tmpdir(), 'rinpath-secret-'));

  afterAll(() => rmSync(directory, { recursive: true }));

  it('counts from the next call on, and the old one no longer, on every replica', async () => {
    const before = sandboxCredentials('demo', 'demo');
    const apiSecret = makeApiSecret('rinpath', 'test', new RandomSource());
    const both = [replicas.first, replicas.second].map((replica) => ({
      old: clientOf(replica, before),
      fresh: clientOf(replica, { ...before, apiSecret }),
    }));
    for (const { old } of both) expect((await old.get('/products')).status).toBe(200);
    const file = join(directory, 'file.yaml');
    writeFileSync(file, shippedConfiguration().replace(before.apiSecret, apiSecret));
    const applier = replicas.first.get<ConfigurationApplier>(ConfigurationApplier);
    await applier.apply(file, SANDBOX_DEPLOYMENT);
    for (const { old, fresh } of both) {
      expect((await fresh.get('/products')).status).toBe(200);
      expect(await old.get('/products')).toBeRefused('invalid_signature');
      expect((await fresh.get('/products')).status).toBe(200);
    }
  });
});
