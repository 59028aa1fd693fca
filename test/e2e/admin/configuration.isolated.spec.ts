// Isolated: applies other configurations.
import { describe, expect, it } from 'vitest';
import {
  ConfigurationError,
  KeyAdministration,
  PartnerAdministration,
} from '../../../src/admin/index.js';
import { makeApiKey, makeApiSecret } from '../../../src/auth/index.js';
import { RandomSource } from '../../../src/platform/index.js';
import {
  type ConfigurationBench,
  configurationTests,
  type KeyState,
} from './configuration-bench.js';

let bench: ConfigurationBench;

configurationTests((opened) => {
  bench = opened;
});

/** Applies a file that is rejected, and checks that nothing changed. */
async function expectRefused(problem: string | typeof ConfigurationError): Promise<void> {
  const before = await bench.everything();
  bench.file.products[0].displayName = 'Changed';
  await expect(bench.apply()).rejects.toThrow(problem);
  expect(await bench.everything()).toEqual(before);
}

describe('applying a file', () => {
  it('to a database without a configuration puts all of it into force; a second time changes nothing', async () => {
    expect(await bench.revision()).toBe(1);
    const counts = `SELECT concat_ws(' ', (SELECT count(*) FROM products), (SELECT count(*) FROM lenders),
      (SELECT count(*) FROM partners), (SELECT count(*) FROM api_keys), (SELECT count(*) FROM api_key_windows)) AS value`;
    expect(await bench.one(counts)).toBe('6 3 3 4 4');
    const amounts = `SELECT minimum_amount || ' ' || maximum_amount AS value FROM products WHERE code = 'ONLINE_GOLD'`;
    expect(await bench.one(amounts)).toBe('100000 1000000000');
    const terms = `SELECT terms #> '{products,ONLINE_GOLD}' AS value FROM lenders WHERE code = 'kaverisetu'`;
    expect(await bench.one(terms)).toMatchObject({
      minimumAmount: 1_000_00,
      gold: { pricePerGram: 8_975_00 },
      fees: [{ name: 'Processing fee', payee: 'LENDER', flat: 150_00, gstPercent: 18 }, {}],
    });
    const before = await bench.everything();
    expect((await bench.apply()).outcome).toBe('UNCHANGED');
    expect(await bench.everything()).toEqual(before);
    // The database contains neither keys nor secrets.
    for (const { apiKey, apiSecret } of bench.file.partners.flatMap(({ keys }) => keys)) {
      expect(JSON.stringify(before)).not.toContain(apiKey);
      expect(JSON.stringify(before)).not.toContain(apiSecret);
    }
  });

  it('by two replicas at once is done once, and moves the revision once, whatever changes', async () => {
    const before = await bench.revision();
    bench.file.products[0].displayName = 'Personal loan, new';
    bench.file.lenders[0].mayBeTransferred = false;
    bench.file.brand.displayName = 'New name';
    const results = await Promise.all([bench.apply(), bench.apply()]);
    expect(results.map(({ outcome }) => outcome).toSorted()).toEqual(['APPLIED', 'UNCHANGED']);
    expect(await bench.revision()).toBe(before + 1);
  });

  it('switches off a product and a lender that left it, and on again when they are back', async () => {
    const [product] = bench.file.products.splice(5, 1);
    const [lender] = bench.file.lenders.splice(2, 1);
    for (const { keys: items } of bench.file.partners) {
      for (const item of items) {
        item.products = (item.products as string[]).filter((code) => code !== product.code);
      }
    }
    await bench.apply();
    const disabled = `SELECT string_agg(code, ' ' ORDER BY code) AS value FROM
      (SELECT code, is_enabled FROM products UNION SELECT code, is_enabled FROM lenders) AS t
      WHERE NOT is_enabled`;
    expect(await bench.one(disabled)).toBe('OFFLINE_LAP tarangudyam');
    bench.file.products.push(product);
    bench.file.lenders.push(lender);
    await bench.apply();
    expect(await bench.one(disabled)).toBeNull();
  });

  it('that is older than what is in force does nothing', async () => {
    const { version } = bench.file;
    bench.file.version = version + 1;
    expect((await bench.apply()).outcome).toBe('APPLIED');
    const before = await bench.everything();
    bench.file.version = version;
    bench.file.products = bench.file.products.toReversed();
    expect(await bench.apply()).toMatchObject({
      outcome: 'OLDER',
      fileVersion: version,
      versionInForce: version + 1,
    });
    expect(await bench.everything()).toEqual(before);
  });

  it('with errors does nothing', async () => {
    bench.file.partners[0].keys[0].apiSecret = 'short';
    await expectRefused(ConfigurationError);
  });
});

describe('what commands have done', () => {
  it('stays: keys that were issued, whose names are taken, and suspensions and revocations', async () => {
    const keys = bench.context.get(KeyAdministration);
    const order = { scopes: [], products: [], limits: { perMinute: 1, perDay: 1 } };
    await keys.issue({ ...order, partnerId: 'demo', name: 'by hand' });
    const before = await bench.keys();
    await keys.suspend(before.demo.id);
    await keys.revoke(before['demo-load'].id);
    bench.file.partners[0].keys[0].limits = { perMinute: 7 };
    await bench.apply();
    const after = await bench.keys();
    expect(after['by hand']).toEqual(before['by hand']);
    expect(after.demo).toMatchObject({ status: 'SUSPENDED', minute_limit: 7 });
    expect(after['demo-load'].status).toBe('REVOKED');
    await keys.resume(before.demo.id);
    await bench.apply();
    expect((await bench.keys()).demo.status).toBe('ACTIVE');
    bench.file.partners[0].keys[0].name = 'by hand';
    await expectRefused('partners[0].keys[0].name is already the name of a key issued by command');
  });

  it('a suspension of a partner stays until it is lifted by command', async () => {
    const status = () => bench.one(`SELECT status AS value FROM partners WHERE id = 'demo'`);
    const partners = bench.context.get(PartnerAdministration);
    await partners.suspend('demo');
    await bench.apply();
    expect([await status(), (await bench.keys()).demo.version]).toEqual(['SUSPENDED', 2]);
    await partners.resume('demo');
    await bench.apply();
    expect([await status(), (await bench.keys()).demo.version]).toEqual(['ACTIVE', 3]);
  });

  it('changes neither the file’s suspension nor its limits', async () => {
    await expect(bench.context.get(PartnerAdministration).resume('suspended')).rejects.toThrow(
      'The configuration file suspends partner suspended: resume it there.',
    );
    const { id } = (await bench.keys()).demo;
    await expect(bench.context.get(KeyAdministration).limit(id, { perDay: 5 })).rejects.toThrow(
      `The configuration file sets the limits of key ${id}: change them there.`,
    );
  });
});

describe('keys of the file', () => {
  it('get a new version when they or their partner change, and no others do, and are revoked when it leaves', async () => {
    const before = await bench.keys();
    const [demo] = bench.file.partners;
    demo.keys[0].limits = { perMinute: 7 };
    await bench.apply();
    const limited = await bench.keys();
    expect(limited.demo).toMatchObject({ version: before.demo.version + 1, minute_limit: 7 });
    expect({ ...limited, demo: null }).toEqual({ ...before, demo: null });
    demo.status = 'SUSPENDED';
    await bench.apply();
    const suspended = await bench.keys();
    for (const name of ['demo', 'demo-load']) {
      expect(suspended[name].version).toBe(limited[name].version + 1);
    }
    expect(suspended.limited).toEqual(before.limited);
    bench.file.partners.splice(1, 1);
    await bench.apply();
    expect((await bench.keys()).limited.status).toBe('REVOKED');
  });

  it('can swap their names, and be replaced under the same name', async () => {
    const before = await bench.keys();
    const [first, second] = bench.file.partners[0].keys;
    [first.name, second.name] = [second.name, first.name];
    await bench.apply();
    const after = await bench.keys();
    expect(after.demo.id).toBe(before['demo-load'].id);
    expect(after['demo-load'].id).toBe(before.demo.id);
    const random = new RandomSource();
    second.apiKey = makeApiKey('rinpath', 'test', random);
    second.apiSecret = makeApiSecret('rinpath', 'test', random);
    await bench.apply();
    const { rows } = await bench.client.query<KeyState>(
      `SELECT id, status FROM api_keys WHERE name = 'demo' ORDER BY id`,
    );
    expect(rows.map(({ status }) => status)).toEqual(['REVOKED', 'ACTIVE']);
    expect(rows[0].id).toBe(after.demo.id);
  });
});
