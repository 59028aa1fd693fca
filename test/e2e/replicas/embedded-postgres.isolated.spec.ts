// Isolated: the service starts and stops its own PostgreSQL.
import { spawnSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { eventually } from '../../support/eventually.js';
import { readJourney, type StartedJourney, startJourney } from '../../support/journey-driver.js';
import { partnerClient } from '../../support/partner-client.js';
import { createTestDatabase } from '../../support/test-database.js';
import { DataDir, EmbeddedService, isAlive, ownerOf, parentOf } from './embedded-service.js';
import { ProjectTree } from './project-tree.js';

// Each of these makes or recovers a whole server, some of them several times.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 180_000 });

describe('the embedded PostgreSQL', () => {
  const RESTART_MS = 30_000;
  const isRoot = process.getuid?.() === 0;
  const NOBODY = 65_534;

  /** A first start in a fresh folder, a journey, and a stop. */
  interface FirstRun {
    readonly journey: StartedJourney;
    readonly postmaster: number;
    readonly wasAlive: boolean;
    readonly owner: number;
    readonly exitCode: number | null;
  }

  /** As the first run leaves it. */
  let used: DataDir;
  let firstRun: FirstRun;
  let dataDir: DataDir;
  let services: EmbeddedService[];

  beforeAll(async () => {
    used = new DataDir();
    const service = await EmbeddedService.start({ dataDir: used.path });
    try {
      const journey = await startJourney(partnerClient(service));
      const postmaster = used.postmasterPid()!;
      const seen = { postmaster, wasAlive: isAlive(postmaster), owner: ownerOf(postmaster) };
      firstRun = { ...seen, journey, exitCode: await service.stop() };
      await used.untilStopped();
    } finally {
      await service.kill();
    }
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
    it('is all that a first start needs; told to stop, it stops its PostgreSQL too', async () => {
      const { journey, postmaster, wasAlive, exitCode } = firstRun;
      expect([wasAlive, exitCode]).toEqual([true, 0]);
      expect(isAlive(postmaster)).toBe(false);
      expect(used.postmasterPid()).toBeNull();

      const again = await start();
      expect(await found(again, journey)).toEqual([journey.id]);
    });

    it('serves two processes that start in it at the same moment, on one server', async () => {
      await dataDir.remove();
      dataDir = new DataDir();
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
    interface Restart {
      readonly ms: number;
      readonly wasServerAlive: boolean;
      readonly found: string[];
      readonly expected: string[];
    }
    const restarts: Restart[] = [];
    let lastExitCode: number | null;

    /** Three times: a journey, a kill, a start at once. */
    beforeAll(async () => {
      const folder = used.copy();
      const begin = () => EmbeddedService.start({ dataDir: folder.path });
      let service = await begin();
      try {
        const journeys: StartedJourney[] = [];
        for (let round = 0; round < 3; round += 1) {
          journeys.push(await startJourney(partnerClient(service)));
          const postmaster = folder.postmasterPid()!;
          await service.kill();
          const startedAt = performance.now();
          service = await begin();
          restarts.push({
            ms: performance.now() - startedAt,
            wasServerAlive: isAlive(postmaster),
            found: await found(service, ...journeys),
            expected: journeys.map(({ id }) => id),
          });
        }
        // The server that it runs on is there to stay.
        await startJourney(partnerClient(service));
        lastExitCode = await service.stop();
      } finally {
        await service.kill();
        await folder.remove();
      }
    });

    it('takes its PostgreSQL with it, and a restart at once finds the data', () => {
      const [restart] = restarts;
      expect(restart.ms).toBeLessThan(RESTART_MS);
      expect(restart.wasServerAlive).toBe(false);
      expect(restart.found).toEqual(restart.expected);
      expect(lastExitCode).toBe(0);
    });

    it('three times in a row, it comes back each time', () => {
      expect(restarts.map(({ found: ids }) => ids)).toEqual(
        restarts.map(({ expected }) => expected),
      );
      expect(restarts.map(({ expected }) => expected.length)).toEqual([1, 2, 3]);
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
      const { journey } = firstRun;
      const { pid } = spawnSync('true');
      expect(isAlive(pid)).toBe(false);
      const lines = [
        pid,
        join(dataDir.path, 'postgres'),
        1_700_000_000,
        5_432,
        '',
        '127.0.0.1',
        '',
      ];
      writeFileSync(dataDir.pidFile, `${lines.join('\n')}\n`);
      // As PostgreSQL leaves it, whoever it runs as.
      chmodSync(dataDir.pidFile, 0o666);
      const again = await start();
      expect(dataDir.postmasterPid()).not.toBe(pid);
      expect(await found(again, journey)).toEqual([journey.id]);
    });
  });

  describe('when its PostgreSQL is killed', () => {
    /** One that started it, and one that had joined it. */
    const exitCodes: (number | null)[] = [];
    const outputs: string[] = [];
    let after: { readonly found: string[]; readonly expected: string[]; exitCode: number | null };
    let logFile: string;

    beforeAll(async () => {
      const folder = used.copy();
      logFile = join(folder.path, 'postgres.log');
      const running: EmbeddedService[] = [];
      const begin = async () => {
        const service = await EmbeddedService.start({ dataDir: folder.path });
        running.push(service);
        return service;
      };
      try {
        const both = [await begin(), await begin()];
        const journey = await startJourney(partnerClient(both[0]));
        process.kill(folder.postmasterPid()!, 'SIGKILL');
        exitCodes.push(...(await Promise.all(both.map((service) => service.exitCode()))));
        outputs.push(...both.map((service) => service.output()));
        const again = await begin();
        const seen = { found: await found(again, journey), expected: [journey.id] };
        after = { ...seen, exitCode: await again.stop() };
      } finally {
        for (const service of running) await service.kill();
        await folder.remove();
      }
    });

    it('the service ends with an error, and a restart finds the data', () => {
      expect(exitCodes[0]).toBe(1);
      expect(outputs[0]).toContain('The embedded PostgreSQL has ended');
      expect(outputs[0]).toContain(logFile);
      expect(after.found).toEqual(after.expected);
      expect(after.exitCode).toBe(0);
    });

    it('so does a second process on the same data folder, which had joined it', () => {
      expect(exitCodes[1]).toBe(1);
      expect(outputs[1]).toContain('The embedded PostgreSQL has ended');
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
    it('runs PostgreSQL as another user', () => {
      expect(firstRun.owner).not.toBe(0);
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
});

describe('npm start', () => {
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
});
