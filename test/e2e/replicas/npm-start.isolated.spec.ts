// Isolated: the service is started from its own folder by npm.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { eventually } from '../../support/eventually.js';
import { createTestDatabase } from '../../support/test-database.js';
import { DataDir, isAlive } from './embedded-service.js';
import { ProjectTree } from './project-tree.js';

// `npm` itself, on copies of the project: what a person types, and what a service manager runs.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 60_000 });

let tree: ProjectTree;
let dataDir: DataDir;

beforeEach(() => {
  dataDir = new DataDir();
});

afterEach(async () => {
  await tree.remove();
  await dataDir.remove();
});

it('npm start builds what npm ci has fetched; SIGTERM to npm ends the service and its database', async () => {
  tree = ProjectTree.asFetched();
  const service = await tree.start({ DATA_DIR: dataDir.path });
  const postmaster = dataDir.postmasterPid()!;
  expect(isAlive(postmaster)).toBe(true);
  await service.signal('SIGTERM');
  await eventually(() => service.isGone(), { withinMs: 20_000 });
  await dataDir.untilStopped();
  expect(isAlive(postmaster)).toBe(false);
});

it('npm start and npm run admin need none of the dev dependencies once it is built', async () => {
  const database = await createTestDatabase();
  try {
    tree = ProjectTree.asPruned();
    const variables = { DATA_DIR: dataDir.path, DATABASE_URL: database.url };
    const service = await tree.start(variables);
    expect(tree.run(['run', 'admin', '--', 'keys', 'list'], variables)).toContain('demo-load');
    await service.signal('SIGTERM');
    await eventually(() => service.isGone(), { withinMs: 20_000 });
  } finally {
    await database.drop();
  }
});
