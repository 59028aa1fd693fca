// Isolated: starts production without a configuration.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ConfigurationApplier } from '../../../src/admin/index.js';
import { PRODUCTION_DEPLOYMENT, PRODUCTION_VARIABLES } from '../../support/deployments.js';
import { productionConfiguration } from '../../support/production-configuration.js';
import { routesWithoutKey } from '../../support/served-routes.js';
import { startService, type OwnService } from '../../support/service.js';
import { createEmptyDatabase, type TestDatabase } from '../../support/test-database.js';
import { addressOf } from '../contract/production-service.js';

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

/** Whatever a program or a browser asks for, and a lender or a gateway sends, before there is a configuration. */
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

it('a production on a database without a configuration is not ready until one is applied', async () => {
  const before = await readiness();
  expect(before.status).toBe(503);
  const file = join(folder, 'production.yaml');
  writeFileSync(file, productionConfiguration());
  await service.get<ConfigurationApplier>(ConfigurationApplier).apply(file, PRODUCTION_DEPLOYMENT);
  expect(await readiness()).toMatchObject({
    status: 200,
    text: expect.stringContaining('"configuration":{"status":"up"}') as string,
  });
});
