// Isolated: starts with configurations and keys that the service cannot serve.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { ConfigurationApplier } from '../../../src/admin/index.js';
import { runAdmin } from '../../support/admin-command.js';
import { configurationWith } from '../../support/configuration-with.js';
import { PRODUCTION_DEPLOYMENT, PRODUCTION_VARIABLES } from '../../support/deployments.js';
import { productionConfiguration } from '../../support/production-configuration.js';
import { startService } from '../../support/service.js';
import { shippedConfiguration } from '../../support/shipped-configuration.js';
import {
  createEmptyDatabase,
  createTestDatabase,
  type TestDatabase,
} from '../../support/test-database.js';

// What nobody serves is told when the file is checked and when the service starts, not found out by
// applicants.

const { lenders: LENDERS } = parse(shippedConfiguration()) as { lenders: object[] };
const folder = mkdtempSync(join(tmpdir(), 'rinpath-unserved-'));

afterAll(() => rmSync(folder, { recursive: true }));

describe('a sandbox', () => {
  let database: TestDatabase;

  beforeEach(async () => {
    database = await createTestDatabase();
  });

  afterEach(() => database.drop());

  it.each<[string, Record<string, unknown>, string]>([
    ['no lender', { lenders: [] }, 'products[4] is served by no lender'],
    [
      'a lender whose adapter nobody has',
      { lenders: LENDERS.map((lender) => ({ ...lender, adapter: 'nobody-has-it' })) },
      'lenders[0].adapter is not among the adapters that this build has for sandbox: sandbox, rlp',
    ],
  ])('does not start with %s, and `config check` says the same', async (_, sections, message) => {
    const configuration = configurationWith(sections);
    try {
      const started = startService({ databaseUrl: database.url, configFile: configuration.file });
      await expect(started).rejects.toThrow(message);
      const checked = await runAdmin(database.url, 'config', 'check', configuration.file);
      expect(checked.code).toBe(1);
      expect(checked.error).toContain(message);
    } finally {
      configuration.remove();
    }
  });

  it('does not start on what is in force from elsewhere and cannot be served here', async () => {
    await startService({ databaseUrl: database.url }).then((service) => service.close());
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    try {
      // A newer file of a build with another connector, so that this one's own is not applied.
      await client.query(`UPDATE configuration SET file_version = 1000`);
      await client.query(
        `UPDATE lenders SET adapter = 'another-build-has-it' WHERE code = 'navdhara'`,
      );
      await client.query(`UPDATE lenders SET terms = terms #- '{products,ONLINE_INSTANT}'`);
      await expect(startService({ databaseUrl: database.url })).rejects.toThrow(
        'The configuration in force is not right:\n' +
          '  - lenders.navdhara.adapter is not among the adapters that this build has for sandbox: sandbox, rlp\n' +
          '  - products.ONLINE_INSTANT is served by no lender',
      );
      const inForce = (remote: object | null) =>
        client.query(`UPDATE lenders SET adapter = 'rlp', remote = $1 WHERE code = 'navdhara'`, [
          remote && JSON.stringify(remote),
        ]);
      await inForce(null);
      await expect(startService({ databaseUrl: database.url })).rejects.toThrow(
        '  - lenders.navdhara.remote is required here\n',
      );
      const keys = { kind: 'JWKS', address: 'https://169.254.169.254/jwks.json' };
      await inForce({ address: 'https://10.0.0.7/rlp', keys });
      await expect(startService({ databaseUrl: database.url })).rejects.toThrow(
        /lenders\.navdhara\.remote\.address must be a public[^\n]+\n {2}- lenders\.navdhara\.remote\.jwks must be a public/,
      );
      // One that left the file is switched off, and is no hindrance.
      await client.query(`UPDATE lenders SET is_enabled = false WHERE code = 'navdhara'`);
      await client.query(`UPDATE products SET is_enabled = false WHERE code = 'ONLINE_INSTANT'`);
      await startService({ databaseUrl: database.url }).then((service) => service.close());
    } finally {
      await client.end();
    }
  });
});

describe('production', () => {
  let database: TestDatabase;
  const start = () =>
    startService({ databaseUrl: database.url, environment: PRODUCTION_VARIABLES });

  beforeEach(async () => {
    database = await createEmptyDatabase();
  });

  afterEach(() => database.drop());

  it('starts before its first configuration, and no more once that cannot be served', async () => {
    const service = await start();
    const file = join(folder, 'production.yaml');
    writeFileSync(file, productionConfiguration());
    // As a build would whose connector is called so; this one has none for production.
    await service
      .get<ConfigurationApplier>(ConfigurationApplier)
      .apply(file, PRODUCTION_DEPLOYMENT);
    await service.close();
    await expect(start()).rejects.toThrow(
      'lenders.navdhara.adapter is not among the adapters that this build has for production: rlp',
    );
  });
});
