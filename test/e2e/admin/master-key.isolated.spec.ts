// Isolated: changes the master key.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Client } from 'pg';
import { runAdminWith } from '../../support/admin-command.js';
import { NEW_KEY, OLD_KEY, OTHER_NEW_KEY, ring } from '../../support/master-keys.js';
import { startService, type OwnService } from '../../support/service.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';

const WRONG = `k1:${NEW_KEY.slice(3)}`;

let database: TestDatabase;
let running: OwnService[];

beforeEach(async () => {
  database = await createTestDatabase();
  running = [];
});

afterEach(async () => {
  for (const service of running) await service.close();
  await database.drop();
});

async function boot(masterKey: string): Promise<void> {
  const environment = { MASTER_KEY: masterKey };
  running.push(await startService({ databaseUrl: database.url, environment }));
}

/** What a boot is refused with. */
async function refusalOf(masterKey: string): Promise<string> {
  const refusal = await boot(masterKey).then(
    () => 'it was not refused',
    (error: Error) => error.message,
  );
  for (const key of masterKey.split(',')) expect(refusal).not.toContain(key.split(':')[1]);
  return refusal;
}

async function admin(masterKey: string, ...parameters: string[]) {
  const { code, error } = await runAdminWith(
    { MASTER_KEY: masterKey },
    database.url,
    ...parameters,
  );
  return { code, error };
}

async function run(sql: string): Promise<void> {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  await client.query(sql);
  await client.end();
}

describe('a boot is refused by the name of the key', () => {
  it('when another key is known by that name', async () => {
    await boot(OLD_KEY);
    expect(await refusalOf(WRONG)).toContain(
      'k1 is another key than the one that is known by this name',
    );
  });

  it('when it lacks a key that values are sealed with', async () => {
    await boot(OLD_KEY);
    expect(await refusalOf(NEW_KEY)).toContain('values are sealed with k1, which it lacks');
    await boot(ring(OLD_KEY, NEW_KEY));
    await boot(ring(NEW_KEY, OLD_KEY));
    expect(await refusalOf(OLD_KEY)).toContain('values are sealed with k2, which it lacks');
  });

  it('when a key would seal that the other replicas may not have', async () => {
    await boot(OLD_KEY);
    expect(await refusalOf(ring(NEW_KEY, OLD_KEY))).toContain('k2 is new and stands first');
    // Nothing was written by the boot that was refused.
    await boot(OLD_KEY);
  });

  it('when two replicas were given different keys of one name for the change', async () => {
    await boot(ring(OLD_KEY, NEW_KEY));
    expect(await refusalOf(ring(OLD_KEY, OTHER_NEW_KEY))).toContain('k2 is another key');
  });

  it('on a database that is older than its check values, too', async () => {
    await boot(OLD_KEY);
    await run('DELETE FROM master_keys');
    expect(await refusalOf(WRONG)).toContain('k1 is another key');
    expect(await refusalOf(NEW_KEY)).toContain('values are sealed with k1, which it lacks');
    await boot(OLD_KEY);
  });

  it('on such a database whose key was changed before: partners’ secrets are sealed with the old one', async () => {
    await boot(OLD_KEY);
    await boot(ring(OLD_KEY, NEW_KEY));
    await boot(ring(NEW_KEY, OLD_KEY));
    await run('DELETE FROM master_keys; UPDATE configuration SET gateways_sealed = NULL');
    expect(await refusalOf(NEW_KEY)).toContain('values are sealed with k1, which it lacks');
    expect(await refusalOf(ring(NEW_KEY, `k1:${OTHER_NEW_KEY.slice(3)}`))).toContain(
      'k1 is another key',
    );
    await boot(ring(OLD_KEY, NEW_KEY));
  });
});

describe('a boot is taken', () => {
  it('of a replica that does not have the new key yet, while that only opens', async () => {
    await boot(OLD_KEY);
    await boot(ring(OLD_KEY, NEW_KEY));
    await boot(OLD_KEY);
    expect(running).toHaveLength(3);
  });

  it('of two replicas at once; of two with different keys of one name, of one', async () => {
    await Promise.all([boot(OLD_KEY), boot(OLD_KEY)]);
    expect(running).toHaveLength(2);
    const both = await Promise.allSettled([
      boot(ring(OLD_KEY, NEW_KEY)),
      boot(ring(OLD_KEY, OTHER_NEW_KEY)),
    ]);
    const taken = both.map(({ status }) => status);
    expect(taken.filter((status) => status === 'rejected')).toHaveLength(1);
    expect(running).toHaveLength(3);
  });
});

describe('the administrator’s command line', () => {
  it.each([
    ['that reads', ['keys', 'list']],
    ['that changes something', ['keys', 'suspend', 'key_none']],
  ])('refuses a command %s under a wrong key', async (_, parameters) => {
    await boot(OLD_KEY);
    const refused = await admin(WRONG, ...parameters);
    expect(refused.code).toBe(1);
    expect(refused.error).toContain('k1 is another key than the one that is known by this name');
    expect(refused.error).not.toContain(WRONG.slice(3));
    expect((await admin(OLD_KEY, 'keys', 'list')).code).toBe(0);
  });
});
