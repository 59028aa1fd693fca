import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { makeApiKey } from '../../../src/auth/key-format.js';
import { Database, RandomSource } from '../../../src/platform/index.js';
import type { TestService } from '../../support/service.js';
import { sharedService } from '../../support/shared-service.js';
import { clientOf, issueKey } from './auth-harness.js';

// Keys are cached in memory. These tests check what can change the cache.

let service: TestService;
let reads: () => number;

beforeAll(async () => {
  service = await sharedService();
});

beforeEach(() => {
  const prepared = vi.spyOn(service.get<Database>(Database), 'prepared');
  reads = () => prepared.mock.calls.filter(([name]) => name === 'key-by-hash').length;
  return () => prepared.mockRestore();
});

/** How often the database was queried for keys during `work`. */
async function readsDuring(work: () => Promise<unknown>): Promise<number> {
  const before = reads();
  await work();
  return reads() - before;
}

async function keyInUse() {
  const key = await issueKey(service);
  expect((await key.client.get('/products')).status).toBe(200);
  const forger = clientOf(service, { ...key, apiSecret: 'rinpath_secret_test_wrong' });
  return { ...key, forger };
}

describe('a key in use costs no look-up', () => {
  it('however many unknown keys are asked for meanwhile', async () => {
    const { client } = await keyInUse();
    const random = new RandomSource();
    for (let count = 0; count < 20; count += 1) {
      const unknown = { apiKey: makeApiKey('rinpath', 'test', random), apiSecret: 'none' };
      expect((await clientOf(service, unknown).get('/products')).status).toBe(401);
    }
    expect(await readsDuring(() => client.get('/products'))).toBe(0);
  });
});

describe('a key that is not rightly signed for is not kept', () => {
  it('so the first request of its holder looks it up, and the second does not', async () => {
    const { apiKey, client } = await issueKey(service);
    const forger = clientOf(service, { apiKey, apiSecret: 'rinpath_secret_test_wrong' });
    expect((await forger.get('/products')).status).toBe(401);
    expect(await readsDuring(() => client.get('/products'))).toBe(1);
    expect(await readsDuring(() => client.get('/products'))).toBe(0);
  });
});
