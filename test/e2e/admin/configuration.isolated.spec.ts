// Isolated: applies other configurations.
import { describe, expect, it } from 'vitest';
import { ConfigurationError } from '../../../src/admin/index.js';
import { type ConfigurationBench, configurationTests } from './configuration-bench.js';

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
