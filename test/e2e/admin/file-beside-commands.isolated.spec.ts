// Isolated: applies other configurations.
import { describe, expect, it } from 'vitest';
import { KeyAdministration, PartnerAdministration } from '../../../src/admin/index.js';
import { type ConfigurationBench, configurationTests } from './configuration-bench.js';

let bench: ConfigurationBench;

configurationTests((opened) => {
  bench = opened;
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
