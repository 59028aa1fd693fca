import { beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { makeApiKey } from '../../../src/auth/key-format.js';
import { Database, RandomSource } from '../../../src/platform/index.js';
import type { TestService } from '../../support/service.js';
import { sharedService } from '../../support/shared-service.js';
import { clientOf, issueKey } from './auth-harness.js';

// Keys are kept in memory; these hold who can have a hand in what is kept.

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

/** How often the database was asked about keys while `work` was done. */
async function readsDuring(work: () => Promise<unknown>): Promise<number> {
  const before = reads();
  await work();
  return reads() - before;
}

it('a key that is not rightly signed for is not kept, so its holder’s first request looks it up; the next ones do not, however many unknown keys come between', async () => {
  const { apiKey, client } = await issueKey(service);
  const unknown = () => makeApiKey('rinpath', 'test', new RandomSource());
  const refused = async (key: string) => {
    const forger = clientOf(service, { apiKey: key, apiSecret: 'rinpath_secret_test_wrong' });
    expect((await forger.get('/products')).status).toBe(401);
  };
  await refused(apiKey);
  expect(await readsDuring(() => client.get('/products'))).toBe(1);
  for (let count = 0; count < 20; count += 1) await refused(unknown());
  expect(await readsDuring(() => client.get('/products'))).toBe(0);
});
