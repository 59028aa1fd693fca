// Isolated: starts with configurations and keys that the service cannot serve, or without any.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConfigurationApplier } from '../../../src/admin/index.js';
import { projectPath } from '../../../src/platform/index.js';
import { type CommandOutcome, runAdmin } from '../../support/admin-command.js';
import { configurationWith } from '../../support/configuration-with.js';
import { PRODUCTION_DEPLOYMENT, PRODUCTION_VARIABLES } from '../../support/deployments.js';
import { productionConfiguration } from '../../support/production-configuration.js';
import { routesWithoutKey } from '../../support/served-routes.js';
import { type OwnService, startService } from '../../support/service.js';
import {
  createEmptyDatabase,
  createTestDatabase,
  type TestDatabase,
} from '../../support/test-database.js';
import { addressOf } from '../contract/production-service.js';

describe('the first key', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase();
  });

  afterAll(() => database.drop());

  const admin = (...parameters: string[]) => runAdmin(database.url, ...parameters);

  function kidsIn({ out }: CommandOutcome): unknown[] {
    const { keys } = JSON.parse(out) as { keys: { kid: string }[] };
    return keys.map(({ kid }) => kid);
  }

  it('is made by the first command that lists the keys, and the same for all that come at once', async () => {
    const [one, other, list] = await Promise.all([
      admin('audit', 'keys'),
      admin('audit', 'keys'),
      admin('lender-keys', 'list'),
    ]);
    expect([one, other, list]).toEqual(
      Array(3).fill(expect.objectContaining({ code: 0, error: '' })),
    );
    const [kid] = kidsIn(one);
    expect(kidsIn(one)).toEqual([expect.stringMatching(/^rinpath-/)]);
    expect(kidsIn(other)).toEqual([kid]);
    expect(list.out).toMatch(new RegExp(`^${String(kid)} +SIGNS`, 'm'));
    expect(kidsIn(await admin('audit', 'keys'))).toEqual([kid]);
    // An empty list is printed as `(none)`.
    for (const of of ['partners', 'keys', 'deliveries']) {
      expect((await admin(of, 'list')).out).toBe('(none)');
    }
  });
});

describe('without a configuration', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rinpath-no-configuration-'));
  let database: TestDatabase;
  let service: OwnService;

  beforeAll(async () => {
    database = await createEmptyDatabase();
    service = await startService({ databaseUrl: database.url, environment: PRODUCTION_VARIABLES });
  });

  afterAll(async () => {
    await service.close();
    await database.drop();
    rmSync(folder, { recursive: true });
  });

  async function readiness() {
    const answer = await fetch(`${addressOf(service)}/health/ready`);
    return { status: answer.status, text: await answer.text() };
  }

  /** Requests of programs, browsers, lenders and gateways before there is a configuration. */
  it('no route without a key answers 500 in a production without a configuration', async () => {
    const routes = routesWithoutKey(service);
    expect(routes.length).toBeGreaterThan(90);
    const statuses = new Map<string, number>();
    for (const { method, path } of [...routes, { method: 'GET', path: '/nothing' }]) {
      for (const accept of ['application/json', 'text/html']) {
        const answer = await fetch(addressOf(service) + path.replaceAll(/:\w+/g, 'abc'), {
          method,
          headers: { accept },
          redirect: 'manual',
          ...(method === 'POST' && { body: new URLSearchParams({ mobile: '9876543210' }) }),
        });
        await answer.arrayBuffer();
        statuses.set(`${method} ${path} ${accept}`, answer.status);
      }
    }
    expect([...statuses].filter(([, status]) => status >= 500 && status !== 503)).toEqual([]);
    const documents = ['/docs', '/docs/try', '/openapi.json', '/lender-api/openapi.json'];
    for (const path of documents) {
      const answer = await fetch(addressOf(service) + path);
      await answer.arrayBuffer();
      expect([path, answer.status, answer.headers.get('retry-after')]).toEqual([path, 503, '5']);
    }
  });

  it('a production on a database without a configuration is not ready until one is applied, and starts no more once that cannot be served', async () => {
    const before = await readiness();
    expect(before.status).toBe(503);
    const file = join(folder, 'production.yaml');
    writeFileSync(file, productionConfiguration());
    await service
      .get<ConfigurationApplier>(ConfigurationApplier)
      .apply(file, PRODUCTION_DEPLOYMENT);
    expect(await readiness()).toMatchObject({
      status: 200,
      text: expect.stringContaining('"configuration":{"status":"up"}') as string,
    });
    // This build has no such connector for production.
    const again = startService({ databaseUrl: database.url, environment: PRODUCTION_VARIABLES });
    await expect(again).rejects.toThrow(
      'lenders.navdhara.adapter must be an adapter that this build has for production: rlp',
    );
  });
});

describe('a sandbox that cannot be served', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase();
  });

  afterAll(() => database.drop());

  it('does not start, and `config check` says the same', async () => {
    const configuration = configurationWith({ lenders: [] });
    const message = 'products[4] has no lender';
    try {
      const started = startService({ databaseUrl: database.url, configFile: configuration.file });
      await expect(started).rejects.toThrow(message);
      const checked = await runAdmin(database.url, 'config', 'check', configuration.file);
      expect([checked.code, checked.error]).toEqual([1, expect.stringContaining(message)]);
    } finally {
      configuration.remove();
    }
  });

  it('does not start on what is in force from elsewhere and cannot be served here', async () => {
    const shipped = projectPath('config/sandbox.yaml');
    expect((await runAdmin(database.url, 'config', 'apply', shipped)).code).toBe(0);
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    try {
      // A newer file of a build with another connector, so that this build does not apply its own.
      await client.query('UPDATE configuration SET file_version = 1000');
      await client.query(
        `UPDATE lenders SET adapter = 'another-build-has-it' WHERE code = 'navdhara'`,
      );
      await client.query(`UPDATE lenders SET terms = terms #- '{products,ONLINE_INSTANT}'`);
      await expect(startService({ databaseUrl: database.url })).rejects.toThrow(
        'The configuration in force is not valid:\n' +
          '  - lenders.navdhara.adapter must be an adapter that this build has for sandbox: sandbox, rlp\n' +
          '  - products.ONLINE_INSTANT has no lender',
      );
      // A lender that left the file is switched off, and does not prevent the start.
      await client.query(`UPDATE lenders SET is_enabled = false WHERE code = 'navdhara'`);
      await client.query(`UPDATE products SET is_enabled = false WHERE code = 'ONLINE_INSTANT'`);
      await startService({ databaseUrl: database.url }).then((service) => service.close());
    } finally {
      await client.end();
    }
  });
});
