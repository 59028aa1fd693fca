// Isolated: two replicas, restarts, and another configuration.
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
import { FORGET_NONCES } from '../../../src/auth/store/admissions.repository.js';
import { Database, RandomSource } from '../../../src/platform/index.js';
import { SANDBOX_DEPLOYMENT } from '../../support/deployments.js';
import { sandboxCredentials } from '../../support/sandbox-credentials.js';
import { startService, startTwoReplicas, type TwoReplicas } from '../../support/service.js';
import { shippedConfiguration } from '../../support/shipped-configuration.js';
import {
  clientOf,
  expectNoTrace,
  issueKey,
  remainingOf,
  statusesOf,
  type TestKey,
} from './auth-harness.js';

let replicas: TwoReplicas;
let key: TestKey;

beforeAll(async () => {
  replicas = await startTwoReplicas();
  key = await issueKey(replicas.first);
});

afterAll(() => replicas.close());

describe('a nonce', () => {
  // Check 4 of decisions §2: a key can use a nonce once.

  describe('401: a nonce that the key has used', () => {
    it('the same request again is refused, also by a service that has just started, counts nothing and changes nothing', async () => {
      const overrides = { nonce: randomUUID() };
      expect((await key.client.get('/products', { overrides })).status).toBe(200);
      const after = await startService({ databaseUrl: replicas.first.databaseUrl });
      await expectNoTrace(replicas.first, async () => {
        for (const client of [key.client, clientOf(after, key)]) {
          expect(await client.get('/products', { overrides })).toBeRefused('nonce_reused');
        }
      });
      await after.close();
    });

    it('with another method, path, body and time, signed again, it is refused all the same', async () => {
      const nonce = randomUUID();
      await key.client.get('/products', { overrides: { nonce } });
      const timestamp = String(Math.floor(replicas.first.now().getTime() / 1000) + 60);
      const overrides = { nonce, timestamp };
      expect(
        await key.client.post('/webhooks', { url: 'https://x.example/' }, { overrides }),
      ).toBeRefused('nonce_reused');
    });

    it('sent twenty times at the same moment to two replicas, is served once', async () => {
      const overrides = { nonce: randomUUID() };
      const clients = [key.client, clientOf(replicas.second, key)];
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, n) => clients[n % 2].get('/products', { overrides })),
      );
      expect(statusesOf(answers)).toEqual({ 200: 1, 401: 19 });
    });

    it('two replicas serve exactly the limit of one key between them, however many ask at once', async () => {
      const limited = await issueKey(replicas.first, { perMinute: 120 });
      const clients = [limited.client, clientOf(replicas.second, limited)];
      const answers = await Promise.all(
        Array.from({ length: 300 }, (_, n) => clients[n % 2].get('/products')),
      );
      expect(statusesOf(answers)).toEqual({ 200: 120, 429: 180 });
      const served = answers.filter(({ status }) => status === 200);
      // Every remaining count appears once: no two requests were counted as one.
      expect(served.map(remainingOf).toSorted((a, b) => b - a)).toEqual(
        Array.from({ length: 120 }, (_, n) => 119 - n),
      );
    });
  });

  describe('a nonce is not used up', () => {
    it('by another key, or by a caller who saw it but cannot sign', async () => {
      const nonce = randomUUID();
      const other = await issueKey(replicas.first);
      expect((await other.client.get('/products', { overrides: { nonce } })).status).toBe(200);
      const forged = { nonce, signature: 'f'.repeat(64) };
      expect(await key.client.get('/products', { overrides: forged })).toBeRefused(
        'invalid_signature',
      );
      expect((await key.client.get('/products', { overrides: { nonce } })).status).toBe(200);
    });
  });

  it('and forgetting them asks the time once, not once a nonce', async () => {
    const plan = await replicas.first
      .get<Database>(Database)
      .query<{ 'QUERY PLAN': string }>(`EXPLAIN (VERBOSE) ${FORGET_NONCES.replace('$1', '5000')}`);
    const lines = plan.map((row) => row['QUERY PLAN']);
    const conditions = lines.filter((line) => line.includes('seen_at <'));
    expect(conditions).not.toHaveLength(0);
    expect(conditions.filter((line) => /real_now|clock_timestamp/.test(line))).toEqual([]);
    expect(lines.some((line) => /Output: .*(real_now|clock_timestamp)\(\)/.test(line))).toBe(true);
  });
});

describe('a key', () => {
  // Check 3 of decisions §2: the key and its partner are active. Both replicas have cached each key before it changes,
  // so the cache is out of date.

  let keys: KeyAdministration;
  let partners: PartnerAdministration;

  beforeAll(() => {
    keys = replicas.first.get<KeyAdministration>(KeyAdministration);
    partners = replicas.first.get<PartnerAdministration>(PartnerAdministration);
  });

  async function knownEverywhere(partnerId = 'demo') {
    const own = await issueKey(replicas.first, { partnerId });
    const clients = [own.client, clientOf(replicas.second, own)];
    for (const client of clients) expect((await client.get('/products')).status).toBe(200);
    return { ...own, clients };
  }

  describe('403: a key or its partner is barred', () => {
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
});
