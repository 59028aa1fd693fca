// Isolated: the service starts and stops its own PostgreSQL.
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startEmbeddedPostgres } from '../../../src/platform/database/embedded/embedded-postgres.js';
import { eventually } from '../../support/eventually.js';
import { readJourney, type StartedJourney, startJourney } from '../../support/journey-driver.js';
import { partnerClient } from '../../support/partner-client.js';
import {
  DataDir,
  EmbeddedService,
  isAlive,
  ownerOf,
  parentOf,
  PostgresHost,
} from './embedded-service.js';
import { ProjectTree } from './project-tree.js';

// Each test creates or recovers a whole server.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 180_000 });

const RESTART_MS = 30_000;
const HAS_ENDED = 'The embedded PostgreSQL has ended';
const UNPRIVILEGED = 65_534;
const isRoot = process.getuid?.() === 0;

/** One folder for all: each test continues with what the one before left. */
let dataDir: DataDir;
const services: EmbeddedService[] = [];
let running: EmbeddedService;
let joined: EmbeddedService;
let owner: number;
const journeys: StartedJourney[] = [];

beforeAll(() => {
  dataDir = new DataDir();
});

afterAll(async () => {
  for (const service of services) await service.kill();
  await dataDir.remove();
});

async function start(): Promise<EmbeddedService> {
  const service = await EmbeddedService.start({ dataDir: dataDir.path });
  services.push(service);
  return service;
}

async function expectData(service: { readonly baseUrl: string }): Promise<void> {
  const partner = partnerClient(service);
  for (const journey of journeys)
    expect((await readJourney(partner, journey)).journeyId).toBe(journey.id);
}

async function addJourney(): Promise<void> {
  journeys.push(await startJourney(partnerClient(running)));
}

it('one server serves two processes that start in a fresh folder at the same moment, and runs on when the second leaves it', async () => {
  const both = await Promise.all([start(), start()]);
  const postmaster = dataDir.postmasterPid()!;
  expect(isAlive(postmaster)).toBe(true);
  owner = ownerOf(postmaster);
  // Its PostgreSQL is a grandchild of the process that started it.
  running = both.find(({ pid }) => pid === parentOf(parentOf(postmaster)))!;
  joined = both.find((one) => one !== running)!;
  await addJourney();
  await expectData(joined);
  const third = await startEmbeddedPostgres({ dataDir: dataDir.path });
  await third.stop();
  await expectData(running);
  expect(dataDir.postmasterPid()).toBe(postmaster);
});

it('a killed service takes its PostgreSQL with it: a second process ends with an error, and a restart at once finds the data', async () => {
  const postmaster = dataDir.postmasterPid()!;
  await running.kill();
  expect(await joined.exitCode()).toBe(1);
  expect(joined.output()).toContain(HAS_ENDED);
  const startedAt = performance.now();
  running = await start();
  expect(performance.now() - startedAt).toBeLessThan(RESTART_MS);
  expect(isAlive(postmaster)).toBe(false);
  await expectData(running);
});

it('when its PostgreSQL is killed the service ends with an error, and a restart finds the data, by npm start without the dev dependencies; SIGTERM to npm ends the service and its database', async () => {
  await addJourney();
  const postmaster = dataDir.postmasterPid()!;
  process.kill(postmaster, 'SIGKILL');
  expect(await running.exitCode()).toBe(1);
  expect(running.output()).toContain(HAS_ENDED);
  expect(running.output()).toContain(join(dataDir.path, 'postgres.log'));
  // As after a power cut, the dead server's file still exists.
  expect(dataDir.postmasterPid()).toBe(postmaster);
  const tree = ProjectTree.asPruned();
  try {
    const variables = { DATA_DIR: dataDir.path };
    const again = await tree.start(variables);
    await expectData(again);
    const next = dataDir.postmasterPid()!;
    expect(tree.run(['run', 'admin', '--', 'keys', 'list'], variables)).toContain('demo-load');
    await again.signal('SIGTERM');
    await eventually(() => again.isGone(), { withinMs: 20_000 });
    await dataDir.untilStopped();
    expect(isAlive(next)).toBe(false);
  } finally {
    await tree.remove();
  }
});

describe.runIf(isRoot)('under root', () => {
  it('PostgreSQL runs as another user', () => {
    expect(owner).not.toBe(0);
  });

  it('the service ends and says what to do when the user postgres cannot enter the data folder', async () => {
    const closed = new DataDir({ mode: 0o700 });
    const service = await EmbeddedService.launch({ dataDir: closed.path });
    try {
      expect(await service.exitCode()).toBe(1);
      expect(service.output()).toContain(`the user postgres cannot enter ${closed.path}`);
      expect(service.output()).toContain('set DATABASE_URL');
      expect(closed.postmasterPid()).toBeNull();
    } finally {
      await service.kill();
      await closed.remove();
    }
  });

  it('an ordinary user starts it in a folder of their own, which no other user may enter', async () => {
    const home = new DataDir({ uid: UNPRIVILEGED, mode: 0o700 });
    const host = await PostgresHost.start({ dataDir: home.path, uid: UNPRIVILEGED });
    try {
      expect(ownerOf(host.pid)).toBe(UNPRIVILEGED);
      expect(ownerOf(home.postmasterPid()!)).toBe(UNPRIVILEGED);
      expect(await host.stop()).toBe(0);
      await home.untilStopped();
    } finally {
      await host.kill();
      await home.remove();
    }
  });
});
