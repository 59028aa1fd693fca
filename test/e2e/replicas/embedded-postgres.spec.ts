import { spawnSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { eventually } from '../../support/eventually.js';
import { readJourney, type StartedJourney, startJourney } from '../../support/journey-driver.js';
import { partnerClient } from '../../support/partner-client.js';
import { DataDir, EmbeddedService, isAlive, ownerOf, parentOf } from './embedded-service.js';

const RESTART_MS = 30_000;
const isRoot = process.getuid?.() === 0;
const NOBODY = 65_534;

// Each of these makes or recovers a whole server, some of them several times.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 90_000 });

/** As a first start and a stop leave it. */
let used: DataDir;
let dataDir: DataDir;
let services: EmbeddedService[];

beforeAll(async () => {
  used = new DataDir();
  const service = await EmbeddedService.start({ dataDir: used.path });
  expect(await service.stop()).toBe(0);
  await used.untilStopped();
});

afterAll(() => used.remove());

beforeEach(() => {
  dataDir = used.copy();
  services = [];
});

afterEach(async () => {
  for (const service of services) await service.kill();
  await dataDir.remove();
});

async function start(): Promise<EmbeddedService> {
  const service = await EmbeddedService.start({ dataDir: dataDir.path });
  services.push(service);
  return service;
}

/** The ids of those of the journeys that the service knows. */
async function found(service: EmbeddedService, ...journeys: StartedJourney[]): Promise<string[]> {
  const partner = partnerClient(service);
  const seen = await Promise.all(journeys.map((journey) => readJourney(partner, journey)));
  return seen.map(({ journeyId }) => journeyId);
}

describe('a fresh data folder', () => {
  beforeEach(async () => {
    await dataDir.remove();
    dataDir = new DataDir();
  });

  it('is all that a first start needs; told to stop, it stops its PostgreSQL too', async () => {
    const service = await start();
    const journey = await startJourney(partnerClient(service));
    const postmaster = dataDir.postmasterPid()!;
    expect(isAlive(postmaster)).toBe(true);
    expect(await service.stop()).toBe(0);
    await eventually(() => !isAlive(postmaster));
    expect(dataDir.postmasterPid()).toBeNull();

    const again = await start();
    expect(await found(again, journey)).toEqual([journey.id]);
  });

  it('serves two processes that start in it at the same moment, on one server', async () => {
    const both = await Promise.all([start(), start()]);
    const journey = await startJourney(partnerClient(both[0]));
    expect(await found(both[1], journey)).toEqual([journey.id]);
  });
});

describe('a second process on the same data folder', () => {
  it('joins the running server, and leaves it running when it ends', async () => {
    const first = await start();
    const journey = await startJourney(partnerClient(first));
    const postmaster = dataDir.postmasterPid();
    const second = await start();
    expect(await found(second, journey)).toEqual([journey.id]);
    expect(dataDir.postmasterPid()).toBe(postmaster);

    expect(await second.stop()).toBe(0);
    expect(await found(first, journey)).toEqual([journey.id]);
    expect(dataDir.postmasterPid()).toBe(postmaster);
    expect(await first.stop()).toBe(0);
    await dataDir.untilStopped();
  });
});

describe('killed without a word', () => {
  it('takes its PostgreSQL with it, and a restart at once finds the data', async () => {
    const service = await start();
    const journey = await startJourney(partnerClient(service));
    const postmaster = dataDir.postmasterPid()!;
    await service.kill();
    const startedAt = performance.now();
    const again = await start();
    expect(performance.now() - startedAt).toBeLessThan(RESTART_MS);
    expect(isAlive(postmaster)).toBe(false);
    expect(await found(again, journey)).toEqual([journey.id]);
    // The server that it runs on is there to stay.
    await startJourney(partnerClient(again));
    expect(await again.stop()).toBe(0);
  });

  it('three times in a row, it comes back each time', async () => {
    const journeys: StartedJourney[] = [];
    for (let round = 0; round < 3; round += 1) {
      const service = await start();
      expect(await found(service, ...journeys)).toEqual(journeys.map(({ id }) => id));
      journeys.push(await startJourney(partnerClient(service)));
      await service.kill();
    }
    const last = await start();
    expect(await found(last, ...journeys)).toEqual(journeys.map(({ id }) => id));
  });

  it('together with its PostgreSQL, as a power cut would, it recovers what was committed', async () => {
    const service = await start();
    const journey = await startJourney(partnerClient(service));
    const postmaster = dataDir.postmasterPid()!;
    const host = parentOf(postmaster);
    process.kill(host, 'SIGKILL');
    process.kill(postmaster, 'SIGKILL');
    await service.kill();
    await eventually(() => !isAlive(postmaster));
    // The dead server's file is still there.
    expect(dataDir.postmasterPid()).toBe(postmaster);
    const startedAt = performance.now();
    const again = await start();
    expect(performance.now() - startedAt).toBeLessThan(RESTART_MS);
    expect(dataDir.postmasterPid()).not.toBe(postmaster);
    expect(await found(again, journey)).toEqual([journey.id]);
  });

  it('long ago, it is not kept from starting by a file that names a dead server', async () => {
    const service = await start();
    const journey = await startJourney(partnerClient(service));
    expect(await service.stop()).toBe(0);
    await dataDir.untilStopped();
    const { pid } = spawnSync('true');
    expect(isAlive(pid)).toBe(false);
    const lines = [pid, join(dataDir.path, 'postgres'), 1_700_000_000, 5_432, '', '127.0.0.1', ''];
    writeFileSync(dataDir.pidFile, `${lines.join('\n')}\n`);
    // As PostgreSQL leaves it, whoever it runs as.
    chmodSync(dataDir.pidFile, 0o666);
    const again = await start();
    expect(dataDir.postmasterPid()).not.toBe(pid);
    expect(await found(again, journey)).toEqual([journey.id]);
  });
});

describe('when its PostgreSQL is killed', () => {
  it('the service ends with an error, and a restart finds the data', async () => {
    const service = await start();
    const journey = await startJourney(partnerClient(service));
    process.kill(dataDir.postmasterPid()!, 'SIGKILL');
    expect(await service.exitCode()).toBe(1);
    expect(service.output()).toContain('The embedded PostgreSQL has ended');
    expect(service.output()).toContain(join(dataDir.path, 'postgres.log'));

    const again = await start();
    expect(await found(again, journey)).toEqual([journey.id]);
    expect(await again.stop()).toBe(0);
  });

  it('so does a second process on the same data folder, which had joined it', async () => {
    const first = await start();
    const second = await start();
    process.kill(dataDir.postmasterPid()!, 'SIGKILL');
    expect(await Promise.all([first.exitCode(), second.exitCode()])).toEqual([1, 1]);
    expect(second.output()).toContain('The embedded PostgreSQL has ended');
  });

  it('and a second process whose first one is gone', async () => {
    const first = await start();
    const second = await start();
    await first.kill();
    expect(await second.exitCode()).toBe(1);
    expect(second.output()).toContain('The embedded PostgreSQL has ended');
  });
});

describe.runIf(isRoot)('under root', () => {
  it('runs PostgreSQL as another user', async () => {
    await start();
    expect(ownerOf(dataDir.postmasterPid()!)).not.toBe(0);
  });

  it('ends and says what to do when the user postgres may not enter the data folder', async () => {
    chmodSync(dataDir.path, 0o700);
    const service = await EmbeddedService.launch({ dataDir: dataDir.path });
    services.push(service);
    expect(await service.exitCode()).toBe(1);
    expect(service.output()).toContain(`the user postgres may not enter ${dataDir.path}`);
    expect(service.output()).toContain('set DATABASE_URL');
    expect(dataDir.postmasterPid()).toBeNull();
  });
});

describe.runIf(isRoot)('an ordinary user', () => {
  it('starts it in a folder of their own, which nobody else may enter', async () => {
    const home = new DataDir({ uid: NOBODY, mode: 0o700 });
    const service = await EmbeddedService.start({ dataDir: home.path, uid: NOBODY });
    try {
      expect(ownerOf(service.pid)).toBe(NOBODY);
      expect(ownerOf(home.postmasterPid()!)).toBe(NOBODY);
      const journey = await startJourney(partnerClient(service));
      expect(await service.stop()).toBe(0);
      await home.untilStopped();
      const again = await EmbeddedService.start({ dataDir: home.path, uid: NOBODY });
      services.push(again);
      expect(await found(again, journey)).toEqual([journey.id]);
      expect(await again.stop()).toBe(0);
    } finally {
      await service.kill();
      await home.remove();
    }
  });
});
