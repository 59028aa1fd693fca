// Isolated: applies other configurations.
import { describe, expect, it } from 'vitest';
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
