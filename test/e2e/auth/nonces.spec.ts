import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { KeyAdministration, PartnerAdministration } from '../../../src/admin/index.js';
import { FORGET_NONCES } from '../../../src/auth/store/admissions.repository.js';
import { ApiKeysRepository } from '../../../src/auth/store/api-keys.repository.js';
import { Database } from '../../../src/platform/index.js';
import {
  sharedReplicas,
  type SharedReplicas,
  serviceOfFile,
} from '../../support/shared-service.js';
import type { Refusal } from './answer-matchers.js';
import { clientOf, expectNoTrace, issueKey, statusesOf, type TestKey } from './auth-harness.js';

/** A nonce that was used before the second replica started. */
const NONCE = randomUUID();

const service = serviceOfFile();
let replicas: SharedReplicas;
let key: TestKey;

beforeAll(async () => {
  key = await issueKey(service);
  const first = await key.client.get('/products', { overrides: { nonce: NONCE } });
  expect(first.status).toBe(200);
  replicas = await sharedReplicas();
});

// Check 4 of decisions §2: a key uses a nonce once.
describe('a nonce', () => {
  it('that the key has used is refused: the same request again, also by a service that has just started, and with another method, path, body and time', async () => {
    const timestamp = String(Math.floor(Date.now() / 1000) + 60);
    await expectNoTrace(service, async () => {
      for (const client of [key.client, clientOf(replicas.second, key)]) {
        const again = await client.get('/products', { overrides: { nonce: NONCE } });
        expect(again).toBeRefused('nonce_reused');
        const other = { overrides: { nonce: NONCE, timestamp } };
        const hook = await client.post('/webhooks', { url: 'https://x.example/' }, other);
        expect(hook).toBeRefused('nonce_reused');
      }
    });
  });

  it('is stored, as the counts of a key are, in a table that survives a crash of PostgreSQL', async () => {
    const kept = await replicas.first.get<Database>(Database).query(
      `SELECT relpersistence AS kept FROM pg_class
       WHERE relname IN ('request_nonces', 'api_key_windows')`,
    );
    expect(kept).toEqual([{ kept: 'p' }, { kept: 'p' }]);
  });

  it('is deleted by an index of the time, which is read once', async () => {
    const plan = await replicas.first.get<Database>(Database).transaction(async (tx) => {
      await tx.execute('SET LOCAL enable_seqscan = off');
      return tx.query(`EXPLAIN ${FORGET_NONCES.replace('$1', '5000')}`);
    });
    expect(JSON.stringify(plan)).toMatch(/Index Cond: \(seen_at < (?!.*(now|timestamp)\(\))/);
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
    const other = await issueKey(service);
    expect((await other.client.get('/products', { overrides: { nonce } })).status).toBe(200);
    const forged = { nonce, signature: 'f'.repeat(64) };
    const answer = await key.client.get('/products', { overrides: forged });
    expect(answer).toBeRefused('invalid_signature');
    expect((await key.client.get('/products', { overrides: { nonce } })).status).toBe(200);
  });
});

// Check 3 of decisions §2: the key and its partner are active. Both replicas cache the key before it changes, so that
// their caches are out of date.
describe('a key', () => {
  let keys: KeyAdministration;

  beforeAll(() => {
    keys = replicas.first.get<KeyAdministration>(KeyAdministration);
  });

  async function knownEverywhere(partnerId = service.partnerId) {
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
    await expectNoTrace(service, () => expectRefused('key_suspended', overrides));
    await keys.resume(id);
    expect((await clients[0].get('/products', { overrides })).status).toBe(200);
    await expectServed();
    await keys.revoke(id);
    await expectRefused('key_revoked');
    await expectRefused('key_revoked');
  });

  it('is looked up once for each version of it', async () => {
    const lookUps = vi.spyOn(service.get(ApiKeysRepository), 'findByHash');
    const { id, client } = await issueKey(service);
    for (const times of [1, 2]) {
      for (const _ of [1, 2, 3]) expect((await client.get('/products')).status).toBe(200);
      expect(lookUps).toHaveBeenCalledTimes(times);
      await keys.suspend(id);
      await keys.resume(id);
    }
  });

  it('of a partner that is suspended is refused, as every other of it, until the partner is resumed', async () => {
    const partners = replicas.first.get<PartnerAdministration>(PartnerAdministration);
    const own = [await knownEverywhere('limited'), await knownEverywhere('limited')];
    const other = await knownEverywhere();
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
});
