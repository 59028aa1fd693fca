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

describe('applying a file', () => {
  it('to a database without a configuration puts all of it into force', async () => {
    expect(await bench.revision()).toBe(1);
    const counts = `SELECT (SELECT count(*) FROM products) || ' ' || (SELECT count(*) FROM lenders)
      || ' ' || (SELECT count(*) FROM partners) || ' ' || (SELECT count(*) FROM api_keys) AS value`;
    expect(await bench.one(counts)).toBe('6 3 3 4');
  });

  it('a second time changes nothing at all', async () => {
    const before = await bench.everything();
    expect((await bench.apply()).outcome).toBe('UNCHANGED');
    expect(await bench.everything()).toEqual(before);
  });

  it('moves the revision once, whatever changes', async () => {
    const before = await bench.revision();
    bench.file.products[0].displayName = 'Personal loan, new';
    bench.file.lenders[0].mayBeTransferred = false;
    bench.file.brand.displayName = 'New name';
    expect((await bench.apply()).outcome).toBe('APPLIED');
    expect(await bench.revision()).toBe(before + 1);
  });

  it('keeps money in paise and terms without what was left out', async () => {
    const amounts =
      await bench.one(`SELECT minimum_amount || ' ' || maximum_amount AS value FROM products
      WHERE code = 'ONLINE_GOLD'`);
    expect(amounts).toBe('100000 1000000000');
    const terms = await bench.one(`SELECT terms #> '{products,ONLINE_GOLD}' AS value FROM lenders
      WHERE code = 'kaverisetu'`);
    expect(terms).toMatchObject({
      minimumAmount: 1_000_00,
      gold: { pricePerGram: 8_975_00 },
      fees: [{ name: 'Processing fee', payee: 'LENDER', flat: 150_00, gstPercent: 18 }, {}],
    });
  });

  it('takes the mode’s settings for those that are left out', async () => {
    bench.file.version += 1;
    delete (bench.file as { settings?: unknown }).settings;
    await bench.apply();
    expect(await bench.one('SELECT settings AS value FROM configuration')).toEqual({
      pollIntervalSeconds: 2,
      lenderDeadlineSeconds: 120,
      lenderGiveUpSeconds: 1_800,
      abandonAfterDays: 7,
      pendingAnswerHours: 24,
      webhookSubscriptionsPerPartner: 200,
      codesPerAddressPerHour: 600,
      wrongCodesPerAddressPerHour: 300,
      linksPerAddressPerHour: 200,
      textsPerMobilePerDay: 10_000,
      branchNearKm: 50,
      goldOrnamentGrams: 1_000,
      goldCoinGrams: 50,
    });
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

  it('by two replicas at once is done once', async () => {
    bench.file.products[0].displayName = 'Changed';
    const before = await bench.revision();
    const outcomes = (await Promise.all([bench.apply(), bench.apply()])).map(
      ({ outcome }) => outcome,
    );
    expect(outcomes.toSorted()).toEqual(['APPLIED', 'UNCHANGED']);
    expect(await bench.revision()).toBe(before + 1);
  });

  it('with mistakes does nothing', async () => {
    const before = await bench.everything();
    bench.file.products[0].displayName = 'Changed';
    bench.file.partners[0].keys[0].apiSecret = 'short';
    await expect(bench.apply()).rejects.toThrow(ConfigurationError);
    expect(await bench.everything()).toEqual(before);
  });
});

describe('what commands have done', () => {
  const order = { scopes: [], products: [], limits: { perMinute: 1, perDay: 1 } };

  it('a key issued by command is left alone', async () => {
    await bench.context
      .get(KeyAdministration)
      .issue({ ...order, partnerId: 'demo', name: 'by hand' });
    const before = (await bench.keys())['by hand'];
    bench.file.products[0].displayName = 'Changed';
    await bench.apply();
    expect((await bench.keys())['by hand']).toEqual(before);
  });

  it('its name cannot be taken by the file, and nothing of that file is done', async () => {
    await bench.context
      .get(KeyAdministration)
      .issue({ ...order, partnerId: 'demo', name: 'by hand' });
    const before = await bench.everything();
    bench.file.products[0].displayName = 'Changed';
    bench.file.partners[0].keys[0].name = 'by hand';
    await expect(bench.apply()).rejects.toThrow(
      'partners[0].keys[0].name is the name of a key that was issued by command',
    );
    expect(await bench.everything()).toEqual(before);
  });

  it('a suspension of a key stays until it is lifted by command', async () => {
    const { id } = (await bench.keys()).demo;
    await bench.context.get(KeyAdministration).suspend(id);
    bench.file.partners[0].keys[0].limits = { perMinute: 7 };
    await bench.apply();
    expect((await bench.keys()).demo).toMatchObject({ status: 'SUSPENDED', minute_limit: 7 });
    await bench.context.get(KeyAdministration).resume(id);
    await bench.apply();
    expect((await bench.keys()).demo.status).toBe('ACTIVE');
  });

  it('a revocation of a key stays for good', async () => {
    await bench.context.get(KeyAdministration).revoke((await bench.keys()).demo.id);
    await bench.apply();
    expect((await bench.keys()).demo.status).toBe('REVOKED');
  });

  it('a suspension of a partner stays until it is lifted by command', async () => {
    const status = () => bench.one(`SELECT status AS value FROM partners WHERE id = 'demo'`);
    await bench.context.get(PartnerAdministration).suspend('demo');
    expect((await bench.keys()).demo.version).toBe(2);
    await bench.apply();
    expect(await status()).toBe('SUSPENDED');
    await bench.context.get(PartnerAdministration).resume('demo');
    await bench.apply();
    expect(await status()).toBe('ACTIVE');
    expect((await bench.keys()).demo.version).toBe(3);
  });

  it('what the file suspends is not resumed by command', async () => {
    await expect(bench.context.get(PartnerAdministration).resume('suspended')).rejects.toThrow(
      'The configuration file suspends the partner suspended: resume it there.',
    );
  });

  it('the limits of the file’s keys are not changed by command', async () => {
    const { id } = (await bench.keys()).demo;
    await expect(bench.context.get(KeyAdministration).limit(id, { perDay: 5 })).rejects.toThrow(
      `The limits of the key ${id} stand in the configuration file.`,
    );
  });
});

describe('keys of the file', () => {
  it('are kept as a hash and sealed: neither they nor their secrets are in the database', async () => {
    const text = JSON.stringify(await bench.everything());
    for (const { apiKey, apiSecret } of bench.file.partners.flatMap(({ keys: items }) => items)) {
      expect(text).not.toContain(apiKey);
      expect(text).not.toContain(apiSecret);
    }
  });

  it('each have the row of their windows', async () => {
    expect(await bench.one('SELECT count(*)::integer AS value FROM api_key_windows')).toBe(4);
  });

  it('get a new version each when they change, and the others do not', async () => {
    const before = await bench.keys();
    bench.file.partners[0].keys[0].limits = { perMinute: 7 };
    await bench.apply();
    const after = await bench.keys();
    expect(after.demo).toMatchObject({ version: before.demo.version + 1, minute_limit: 7 });
    expect({ ...after, demo: null }).toEqual({ ...before, demo: null });
  });

  it('all get a new version when their partner is suspended or let in', async () => {
    const before = await bench.keys();
    bench.file.partners[0].status = 'SUSPENDED';
    await bench.apply();
    const after = await bench.keys();
    expect(after.demo.version).toBe(before.demo.version + 1);
    expect(after['demo-load'].version).toBe(before['demo-load'].version + 1);
    expect(after.limited).toEqual(before.limited);
  });

  it('are revoked when they leave it, and can be used again when they are back', async () => {
    const [gone] = bench.file.partners[0].keys.splice(0, 1);
    await bench.apply();
    expect((await bench.keys()).demo).toMatchObject({ status: 'REVOKED', version: 2 });
    bench.file.partners[0].keys.unshift(gone);
    await bench.apply();
    expect((await bench.keys()).demo).toMatchObject({ status: 'ACTIVE', version: 3 });
  });

  it('are revoked when their partner leaves it; the partner stays', async () => {
    bench.file.partners.splice(1, 1);
    await bench.apply();
    expect((await bench.keys()).limited.status).toBe('REVOKED');
    expect(await bench.one(`SELECT status AS value FROM partners WHERE id = 'limited'`)).toBe(
      'ACTIVE',
    );
  });

  it('can be replaced under the same name', async () => {
    const random = new RandomSource();
    const old = (await bench.keys()).demo.id;
    Object.assign(bench.file.partners[0].keys[0], {
      apiKey: makeApiKey('rinpath', 'test', random),
      apiSecret: makeApiSecret('rinpath', 'test', random),
    });
    await bench.apply();
    const { rows } = await bench.client.query<KeyState>(
      `SELECT id, status FROM api_keys WHERE name = 'demo' ORDER BY id`,
    );
    expect(rows.map(({ status }) => status)).toEqual(['REVOKED', 'ACTIVE']);
    expect(rows[0].id).toBe(old);
  });

  it('can swap their names', async () => {
    const before = await bench.keys();
    const [first, second] = bench.file.partners[0].keys;
    [first.name, second.name] = [second.name, first.name];
    await bench.apply();
    const after = await bench.keys();
    expect(after.demo.id).toBe(before['demo-load'].id);
    expect(after['demo-load'].id).toBe(before.demo.id);
  });
});
