// Isolated: the service starts and stops its own PostgreSQL.
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startEmbeddedPostgres } from '../../../src/platform/database/embedded/embedded-postgres.js';
import { eventually } from '../../support/eventually.js';
import { readJourney, type StartedJourney, startJourney } from '../../support/journey-driver.js';
import { partnerClient } from '../../support/partner-client.js';
import {
  DataDir,
  isAlive,
  npmStart,
  ownerOf,
  parentOf,
  startEmbedded,
  startHost,
} from './embedded-service.js';

// Each of these makes or recovers a whole server.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 180_000 });

const RESTART_MS = 30_000;
const HAS_ENDED = 'The embedded PostgreSQL has ended';
const UNPRIVILEGED = 65_534;
const isRoot = process.getuid?.() === 0;

type Service = Awaited<ReturnType<typeof startEmbedded>>;

/** Shared: each test starts from the state that the test before left. */
let dataDir: DataDir;
const services: Service[] = [];
let running: Service;
let joined: Service;
const journeys: StartedJourney[] = [];

beforeAll(() => {
  dataDir = new DataDir();
});

afterAll(async () => {
  for (const service of services) await service.process.kill();
  await dataDir.remove();
});

async function start(): Promise<Service> {
  const service = await startEmbedded(dataDir.path);
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

it('one server, of a user who is not root, serves two processes that start in a fresh folder at the same moment, and runs on when the second leaves it', async () => {
  const both = await Promise.all([start(), start()]);
  const postmaster = dataDir.postmasterPid()!;
  expect(isAlive(postmaster)).toBe(true);
  expect(ownerOf(postmaster)).not.toBe(0);
  // Its PostgreSQL is a grandchild of the process that started it.
  running = both.find((one) => one.process.pid === parentOf(parentOf(postmaster)))!;
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
  await running.process.kill();
  expect(await joined.process.exitCode()).toBe(1);
  expect(joined.process.output).toContain(HAS_ENDED);
  const startedAt = performance.now();
  running = await start();
  expect(performance.now() - startedAt).toBeLessThan(RESTART_MS);
  expect(isAlive(postmaster)).toBe(false);
  await expectData(running);
});

it('when its PostgreSQL is killed the service ends with an error, and a restart finds the data, by npm start without a build; SIGTERM to npm ends the service and its database', async () => {
  await addJourney();
  const postmaster = dataDir.postmasterPid()!;
  process.kill(postmaster, 'SIGKILL');
  expect(await running.process.exitCode()).toBe(1);
  expect(running.process.output).toContain(HAS_ENDED);
  expect(running.process.output).toContain(join(dataDir.path, 'postgres.log'));
  // As after a power cut, the dead server's file is still there.
  expect(dataDir.postmasterPid()).toBe(postmaster);
  const again = await npmStart(dataDir.path);
  try {
    await expectData(again);
    const next = dataDir.postmasterPid()!;
    await again.process.terminate();
    await eventually(() =>
      fetch(`${again.baseUrl}/health/live`).then(
        () => false,
        () => true,
      ),
    );
    await dataDir.untilStopped();
    expect(isAlive(next)).toBe(false);
  } finally {
    again.end();
  }
});

describe.runIf(isRoot)('under root', () => {
  it('a folder that the user postgres cannot enter is refused, with what to do', async () => {
    const closed = new DataDir({ mode: 0o700 });
    const refused = startEmbeddedPostgres({ dataDir: closed.path });
    await expect(refused).rejects.toThrow(
      new RegExp(`the user postgres cannot enter ${closed.path}[^]*set DATABASE_URL`),
    );
    expect(closed.postmasterPid()).toBeNull();
    await closed.remove();
  });

  it('an ordinary user starts it in a folder of their own, which no other user may enter', async () => {
    const home = new DataDir({ uid: UNPRIVILEGED, mode: 0o700 });
    const host = await startHost(home.path, UNPRIVILEGED);
    try {
      expect(ownerOf(host.pid)).toBe(UNPRIVILEGED);
      expect(ownerOf(home.postmasterPid()!)).toBe(UNPRIVILEGED);
      await host.stop();
      await home.untilStopped();
    } finally {
      await host.kill();
      await home.remove();
    }
  });
});
