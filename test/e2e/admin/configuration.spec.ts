import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { INestApplicationContext } from '@nestjs/common';
import pg from 'pg';
import type { QueryRunner } from 'typeorm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { AddressLimits1763800620000 } from '../../../migrations/1763800620000-address-limits.js';
import { SCHEMA } from '../../../src/schema.js';
import { withAdminContext } from '../../../src/admin/admin-context.js';
import {
  ConfigurationApplier,
  ConfigurationError,
  KeyAdministration,
  PartnerAdministration,
} from '../../../src/admin/index.js';
import { makeApiKey, makeApiSecret } from '../../../src/auth/index.js';
import { parseEnvironment, RandomSource } from '../../../src/platform/index.js';
import { SANDBOX_DEPLOYMENT } from '../../support/deployments.js';
import { TEST_MASTER_KEY } from '../../support/service.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';
import { shippedConfiguration } from '../../support/shipped-configuration.js';

interface KeyItem {
  name: string;
  apiKey: string;
  apiSecret: string;
  limits?: { perMinute?: number; perDay?: number };
  [field: string]: unknown;
}

interface File {
  version: number;
  brand: Record<string, unknown>;
  products: Record<string, unknown>[];
  lenders: Record<string, unknown>[];
  partners: { id: string; status?: string; keys: KeyItem[]; [field: string]: unknown }[];
}

interface KeyState {
  id: string;
  name: string;
  status: string;
  version: number;
  minute_limit: number;
}

const SHIPPED = shippedConfiguration();
const directory = mkdtempSync(join(tmpdir(), 'rinpath-configuration-'));
const path = join(directory, 'file.yaml');

let database: TestDatabase;
let client: pg.Client;
let context: INestApplicationContext;
let finish: () => void;
let finished: Promise<void>;
let file: File;

beforeAll(async () => {
  // One context for the whole file, held open until the end.
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const environment = parseEnvironment({
    DATABASE_URL: database.url,
    DATA_DIR: directory,
    MASTER_KEY: TEST_MASTER_KEY,
  });
  await new Promise<void>((ready, failed) => {
    const work = (opened: INestApplicationContext) => {
      context = opened;
      ready();
      return new Promise<void>((resolve) => (finish = resolve));
    };
    finished = withAdminContext(environment, SCHEMA, { kind: 'CHANGES', work });
    finished.catch(failed);
  });
});

afterAll(async () => {
  finish();
  await finished;
  await client.end();
  await database.drop();
  rmSync(directory, { recursive: true });
});

/** Every test begins with the shipped file in force, as on a new database. */
beforeEach(async () => {
  await client.query(
    'TRUNCATE configuration, products, lenders, partners, api_keys, api_key_windows CASCADE',
  );
  file = JSON.parse(JSON.stringify(parse(SHIPPED))) as File;
  await apply();
});

function apply() {
  writeFileSync(path, stringify(file));
  return context.get(ConfigurationApplier).apply(path, SANDBOX_DEPLOYMENT);
}

async function keys(): Promise<Record<string, KeyState>> {
  const { rows } = await client.query<KeyState>(
    'SELECT id, name, status, version, minute_limit FROM api_keys ORDER BY id',
  );
  return Object.fromEntries(rows.map((row) => [row.name, row]));
}

async function one<Value>(sql: string): Promise<Value> {
  const { rows } = await client.query<{ value: Value }>(sql);
  return rows[0].value;
}

async function everything(): Promise<unknown> {
  const tables = [
    'configuration',
    'products',
    'lenders',
    'partners',
    'api_keys',
    'api_key_windows',
  ];
  const contents = [];
  for (const table of tables) {
    contents.push((await client.query(`SELECT t.* FROM ${table} AS t ORDER BY t::text`)).rows);
  }
  return contents;
}

const revision = async () => Number(await one('SELECT revision AS value FROM configuration'));

describe('applying a file', () => {
  it('to a database without a configuration puts all of it into force', async () => {
    expect(await revision()).toBe(1);
    const counts = `SELECT (SELECT count(*) FROM products) || ' ' || (SELECT count(*) FROM lenders)
      || ' ' || (SELECT count(*) FROM partners) || ' ' || (SELECT count(*) FROM api_keys) AS value`;
    expect(await one(counts)).toBe('6 3 3 4');
  });

  it('a second time changes nothing at all', async () => {
    const before = await everything();
    expect((await apply()).outcome).toBe('UNCHANGED');
    expect(await everything()).toEqual(before);
  });

  it('moves the revision once, whatever changes', async () => {
    const before = await revision();
    file.products[0].displayName = 'Personal loan, new';
    file.lenders[0].mayBeTransferred = false;
    file.brand.displayName = 'New name';
    expect((await apply()).outcome).toBe('APPLIED');
    expect(await revision()).toBe(before + 1);
  });

  it('keeps money in paise and terms without what was left out', async () => {
    const amounts = await one(`SELECT minimum_amount || ' ' || maximum_amount AS value FROM products
      WHERE code = 'ONLINE_GOLD'`);
    expect(amounts).toBe('100000 1000000000');
    const terms = await one(`SELECT terms #> '{products,ONLINE_GOLD}' AS value FROM lenders
      WHERE code = 'kaverisetu'`);
    expect(terms).toMatchObject({
      minimumAmount: 1_000_00,
      gold: { pricePerGram: 8_975_00 },
      fees: [{ name: 'Processing fee', payee: 'LENDER', flat: 150_00, gstPercent: 18 }, {}],
    });
  });

  it('takes the mode’s settings for those that are left out', async () => {
    file.version = 2;
    delete (file as { settings?: unknown }).settings;
    await apply();
    expect(await one('SELECT settings AS value FROM configuration')).toEqual({
      pollIntervalSeconds: 2,
      lenderDeadlineSeconds: 120,
      lenderGiveUpSeconds: 1_800,
      abandonAfterDays: 7,
      webhookSubscriptionsPerPartner: 200,
      codesPerAddressPerHour: 600,
      wrongCodesPerAddressPerHour: 300,
      linksPerAddressPerHour: 200,
      textsPerMobilePerDay: 10_000,
    });
  });

  it('from before the limits per client address has their defaults in force, and keeps what it set', async () => {
    await client.query(`UPDATE configuration SET settings = settings - 'codesPerAddressPerHour'
      - 'wrongCodesPerAddressPerHour' || '{"linksPerAddressPerHour": 7}'`);
    const before = await revision();
    const runner = { query: (sql: string) => client.query(sql) } as unknown as QueryRunner;
    await new AddressLimits1763800620000().up(runner);
    expect(await one('SELECT settings AS value FROM configuration')).toMatchObject({
      pollIntervalSeconds: 2,
      codesPerAddressPerHour: 600,
      wrongCodesPerAddressPerHour: 300,
      linksPerAddressPerHour: 7,
    });
    expect(await revision()).toBe(before + 1);
  });

  it('switches off a product and a lender that left it, and on again when they are back', async () => {
    const [product] = file.products.splice(5, 1);
    const [lender] = file.lenders.splice(2, 1);
    for (const { keys: items } of file.partners) {
      for (const item of items) {
        item.products = (item.products as string[]).filter((code) => code !== product.code);
      }
    }
    await apply();
    const disabled = `SELECT string_agg(code, ' ' ORDER BY code) AS value FROM
      (SELECT code, is_enabled FROM products UNION SELECT code, is_enabled FROM lenders) AS t
      WHERE NOT is_enabled`;
    expect(await one(disabled)).toBe('OFFLINE_LAP tarangudyam');
    file.products.push(product);
    file.lenders.push(lender);
    await apply();
    expect(await one(disabled)).toBeNull();
  });

  it('that is older than what is in force does nothing', async () => {
    file.version = 3;
    expect((await apply()).outcome).toBe('APPLIED');
    const before = await everything();
    file.version = 2;
    file.products = file.products.toReversed();
    expect(await apply()).toMatchObject({ outcome: 'OLDER', fileVersion: 2, versionInForce: 3 });
    expect(await everything()).toEqual(before);
  });

  it('by two replicas at once is done once', async () => {
    file.products[0].displayName = 'Changed';
    const before = await revision();
    const outcomes = (await Promise.all([apply(), apply()])).map(({ outcome }) => outcome);
    expect(outcomes.toSorted()).toEqual(['APPLIED', 'UNCHANGED']);
    expect(await revision()).toBe(before + 1);
  });

  it('with mistakes does nothing', async () => {
    const before = await everything();
    file.products[0].displayName = 'Changed';
    file.partners[0].keys[0].apiSecret = 'short';
    await expect(apply()).rejects.toThrow(ConfigurationError);
    expect(await everything()).toEqual(before);
  });
});

describe('keys of the file', () => {
  it('are kept as a hash and sealed: neither they nor their secrets are in the database', async () => {
    const text = JSON.stringify(await everything());
    for (const { apiKey, apiSecret } of file.partners.flatMap(({ keys: items }) => items)) {
      expect(text).not.toContain(apiKey);
      expect(text).not.toContain(apiSecret);
    }
  });

  it('each have the row of their windows', async () => {
    expect(await one('SELECT count(*)::integer AS value FROM api_key_windows')).toBe(4);
  });

  it('get a new version each when they change, and the others do not', async () => {
    const before = await keys();
    file.partners[0].keys[0].limits = { perMinute: 7 };
    await apply();
    const after = await keys();
    expect(after.demo).toMatchObject({ version: before.demo.version + 1, minute_limit: 7 });
    expect({ ...after, demo: null }).toEqual({ ...before, demo: null });
  });

  it('all get a new version when their partner is suspended or let in', async () => {
    const before = await keys();
    file.partners[0].status = 'SUSPENDED';
    await apply();
    const after = await keys();
    expect(after.demo.version).toBe(before.demo.version + 1);
    expect(after['demo-load'].version).toBe(before['demo-load'].version + 1);
    expect(after.limited).toEqual(before.limited);
  });

  it('are revoked when they leave it, and can be used again when they are back', async () => {
    const [gone] = file.partners[0].keys.splice(0, 1);
    await apply();
    expect((await keys()).demo).toMatchObject({ status: 'REVOKED', version: 2 });
    file.partners[0].keys.unshift(gone);
    await apply();
    expect((await keys()).demo).toMatchObject({ status: 'ACTIVE', version: 3 });
  });

  it('are revoked when their partner leaves it; the partner stays', async () => {
    file.partners.splice(1, 1);
    await apply();
    expect((await keys()).limited.status).toBe('REVOKED');
    expect(await one(`SELECT status AS value FROM partners WHERE id = 'limited'`)).toBe('ACTIVE');
  });

  it('can be replaced under the same name', async () => {
    const random = new RandomSource();
    const old = (await keys()).demo.id;
    Object.assign(file.partners[0].keys[0], {
      apiKey: makeApiKey('rinpath', 'test', random),
      apiSecret: makeApiSecret('rinpath', 'test', random),
    });
    await apply();
    const { rows } = await client.query<KeyState>(
      `SELECT id, status FROM api_keys WHERE name = 'demo' ORDER BY id`,
    );
    expect(rows.map(({ status }) => status)).toEqual(['REVOKED', 'ACTIVE']);
    expect(rows[0].id).toBe(old);
  });

  it('can swap their names', async () => {
    const before = await keys();
    const [first, second] = file.partners[0].keys;
    [first.name, second.name] = [second.name, first.name];
    await apply();
    const after = await keys();
    expect(after.demo.id).toBe(before['demo-load'].id);
    expect(after['demo-load'].id).toBe(before.demo.id);
  });
});

describe('what commands have done', () => {
  const order = { scopes: [], products: [], limits: { perMinute: 1, perDay: 1 } };

  it('a key issued by command is left alone', async () => {
    await context.get(KeyAdministration).issue({ ...order, partnerId: 'demo', name: 'by hand' });
    const before = (await keys())['by hand'];
    file.products[0].displayName = 'Changed';
    await apply();
    expect((await keys())['by hand']).toEqual(before);
  });

  it('its name cannot be taken by the file, and nothing of that file is done', async () => {
    await context.get(KeyAdministration).issue({ ...order, partnerId: 'demo', name: 'by hand' });
    const before = await everything();
    file.products[0].displayName = 'Changed';
    file.partners[0].keys[0].name = 'by hand';
    await expect(apply()).rejects.toThrow(
      'partners[0].keys[0].name is the name of a key that was issued by command',
    );
    expect(await everything()).toEqual(before);
  });

  it('a suspension of a key stays until it is lifted by command', async () => {
    const { id } = (await keys()).demo;
    await context.get(KeyAdministration).suspend(id);
    file.partners[0].keys[0].limits = { perMinute: 7 };
    await apply();
    expect((await keys()).demo).toMatchObject({ status: 'SUSPENDED', minute_limit: 7 });
    await context.get(KeyAdministration).resume(id);
    await apply();
    expect((await keys()).demo.status).toBe('ACTIVE');
  });

  it('a revocation of a key stays for good', async () => {
    await context.get(KeyAdministration).revoke((await keys()).demo.id);
    await apply();
    expect((await keys()).demo.status).toBe('REVOKED');
  });

  it('a suspension of a partner stays until it is lifted by command', async () => {
    const status = () => one(`SELECT status AS value FROM partners WHERE id = 'demo'`);
    await context.get(PartnerAdministration).suspend('demo');
    expect((await keys()).demo.version).toBe(2);
    await apply();
    expect(await status()).toBe('SUSPENDED');
    await context.get(PartnerAdministration).resume('demo');
    await apply();
    expect(await status()).toBe('ACTIVE');
    expect((await keys()).demo.version).toBe(3);
  });

  it('what the file suspends is not resumed by command', async () => {
    await expect(context.get(PartnerAdministration).resume('suspended')).rejects.toThrow(
      'The configuration file suspends the partner suspended: resume it there.',
    );
  });

  it('the limits of the file’s keys are not changed by command', async () => {
    const { id } = (await keys()).demo;
    await expect(context.get(KeyAdministration).limit(id, { perDay: 5 })).rejects.toThrow(
      `The limits of the key ${id} stand in the configuration file.`,
    );
  });
});
