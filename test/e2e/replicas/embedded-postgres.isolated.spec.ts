// Isolated: the service starts and stops its own PostgreSQL.
import { spawnSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { eventually } from '../../support/eventually.js';
import { readJourney, type StartedJourney, startJourney } from '../../support/journey-driver.js';
import { inForm } from '../../support/long-form.js';
import { partnerClient } from '../../support/partner-client.js';
import { DataDir, EmbeddedService, isAlive, ownerOf, parentOf } from './embedded-service.js';
import { ProjectTree } from './project-tree.js';

// Each of these makes or recovers a whole server, some of them several times.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 180_000 });

describe('the embedded PostgreSQL', () => {
  const RESTART_MS = 30_000;
  const isRoot = process.getuid?.() === 0;
  const NOBODY = 65_534;

  /** Two processes that start in a fresh folder at once, and their ends. */
  interface FirstRun {
    readonly journey: StartedJourney;
    readonly postmaster: number;
    readonly wasAlive: boolean;
    readonly owner: number;
    /** What the second process finds that started at the same moment. */
    readonly foundByOther: string[];
    readonly otherExitCode: number | null;
    readonly foundAfterwards: string[];
    readonly postmasterAfterwards: number | null;
    readonly exitCode: number | null;
    readonly isServerAlive: boolean;
    readonly postmasterAtTheEnd: number | null;
  }

  /** One folder for all: each part below starts in it as the part before has left it. */
  let dataDir: DataDir;
  let firstRun: FirstRun;
  let services: EmbeddedService[] = [];
  /** What the part before has left running. */
  let running: EmbeddedService;

  beforeAll(async () => {
    dataDir = new DataDir();
    const both = await Promise.all([start(), start()]);
    const journey = await startJourney(partnerClient(both[0]));
    const postmaster = dataDir.postmasterPid()!;
    const seen = { wasAlive: isAlive(postmaster), owner: ownerOf(postmaster) };
    const foundByOther = await found(both[1], journey);
    // Its PostgreSQL is a grandchild of the process that started it.
    const first = both.find(({ pid }) => pid === parentOf(parentOf(postmaster)))!;
    const otherExitCode = await both.find((one) => one !== first)!.stop();
    const foundAfterwards = await found(first, journey);
    const postmasterAfterwards = dataDir.postmasterPid();
    const exitCode = await first.stop();
    await dataDir.untilStopped();
    firstRun = {
      journey,
      postmaster,
      ...seen,
      foundByOther,
      otherExitCode,
      foundAfterwards,
      postmasterAfterwards,
      exitCode,
      isServerAlive: isAlive(postmaster),
      postmasterAtTheEnd: dataDir.postmasterPid(),
    };
  });

  afterAll(async () => {
    await killAll();
    await dataDir.remove();
  });

  async function start(): Promise<EmbeddedService> {
    const service = await EmbeddedService.start({ dataDir: dataDir.path });
    services.push(service);
    return service;
  }

  async function killAll(): Promise<void> {
    for (const service of services) await service.kill();
    services = [];
  }

  /** The ids of those of the journeys that the service knows. */
  async function found(service: EmbeddedService, ...journeys: StartedJourney[]): Promise<string[]> {
    const partner = partnerClient(service);
    const seen = await Promise.all(journeys.map((journey) => readJourney(partner, journey)));
    return seen.map(({ journeyId }) => journeyId);
  }

  describe('a fresh data folder', () => {
    it('is all that a first start needs; told to stop, it stops its PostgreSQL too', () => {
      const { wasAlive, exitCode, isServerAlive, postmasterAtTheEnd } = firstRun;
      expect([wasAlive, exitCode]).toEqual([true, 0]);
      expect(isServerAlive).toBe(false);
      expect(postmasterAtTheEnd).toBeNull();
    });

    it('serves two processes that start in it at the same moment, on one server, which runs on when the second ends', () => {
      const { journey, postmaster, foundByOther, otherExitCode, foundAfterwards } = firstRun;
      expect([foundByOther, otherExitCode]).toEqual([[journey.id], 0]);
      expect([foundAfterwards, firstRun.postmasterAfterwards]).toEqual([[journey.id], postmaster]);
    });
  });

  describe('killed without a word', () => {
    const ROUNDS = inForm({ short: 1, long: 3 });

    interface Restart {
      readonly ms: number;
      readonly wasServerAlive: boolean;
      readonly found: string[];
      readonly expected: string[];
    }
    let dead: number;
    let afterDeadFile: { readonly postmaster: number | null; readonly found: string[] };
    const restarts: Restart[] = [];
    let joined: { readonly exitCode: number | null; readonly output: string };
    let powerCut: Restart & { readonly left: number | null; readonly postmasters: number[] };
    /** A start beside a dead server's file; then journeys, kills and starts by turns; then a power cut. */
    beforeAll(async () => {
      dead = leaveDeadFile();
      let service = await start();
      const { journey: first } = firstRun;
      const known = { postmaster: dataDir.postmasterPid(), found: await found(service, first) };
      afterDeadFile = known;

      const journeys: StartedJourney[] = [];
      for (let round = 1; round <= ROUNDS; round += 1) {
        journeys.push(await startJourney(partnerClient(service)));
        const postmaster = dataDir.postmasterPid()!;
        // In the last round a second process has joined it.
        const second = round === ROUNDS ? await start() : null;
        await service.kill();
        if (second) joined = { exitCode: await second.exitCode(), output: second.output() };
        [service] = await restartInto(restarts, postmaster, journeys);
      }

      // The server that it runs on is there to stay.
      journeys.push(await startJourney(partnerClient(service)));
      const postmaster = dataDir.postmasterPid()!;
      process.kill(parentOf(postmaster), 'SIGKILL');
      process.kill(postmaster, 'SIGKILL');
      await service.kill();
      await eventually(() => !isAlive(postmaster));
      const left = dataDir.postmasterPid();
      const [again, restart] = await restartInto([], postmaster, journeys);
      const postmasters = [postmaster, dataDir.postmasterPid()!];
      powerCut = { ...restart, left, postmasters };
      running = again;
    });

    /** As PostgreSQL leaves it, for every user that it runs as. */
    function leaveDeadFile(): number {
      const { pid } = spawnSync('true');
      const folder = join(dataDir.path, 'postgres');
      const lines = [pid, folder, 1_700_000_000, 5_432, '', '127.0.0.1', ''];
      writeFileSync(dataDir.pidFile, `${lines.join('\n')}\n`);
      chmodSync(dataDir.pidFile, 0o666);
      return pid;
    }

    async function restartInto(
      list: Restart[],
      postmaster: number,
      journeys: readonly StartedJourney[],
    ): Promise<[EmbeddedService, Restart]> {
      const startedAt = performance.now();
      const service = await start();
      const restart = {
        ms: performance.now() - startedAt,
        wasServerAlive: isAlive(postmaster),
        found: await found(service, ...journeys),
        expected: journeys.map(({ id }) => id),
      };
      list.push(restart);
      return [service, restart];
    }

    it('takes its PostgreSQL with it, and a restart at once finds the data', () => {
      const [restart] = restarts;
      expect(restart.ms).toBeLessThan(RESTART_MS);
      expect(restart.wasServerAlive).toBe(false);
      expect(restart.found).toEqual(restart.expected);
    });

    it('again and again, it comes back each time', () => {
      for (const { found: ids, expected } of restarts) expect(ids).toEqual(expected);
      expect(restarts).toHaveLength(ROUNDS);
    });

    it('a second process whose first one is gone ends with an error, too', () => {
      expect(joined.exitCode).toBe(1);
      expect(joined.output).toContain('The embedded PostgreSQL has ended');
    });

    it('together with its PostgreSQL, as a power cut would, it recovers what was committed', () => {
      const [killed, afterwards] = powerCut.postmasters;
      // The dead server's file is still there.
      expect(powerCut.left).toBe(killed);
      expect(powerCut.ms).toBeLessThan(RESTART_MS);
      expect(afterwards).not.toBe(killed);
      expect(powerCut.found).toEqual(powerCut.expected);
    });

    it('long ago, it is not kept from starting by a file that names a dead server', () => {
      expect(isAlive(dead)).toBe(false);
      expect(afterDeadFile.postmaster).not.toBe(dead);
      expect(afterDeadFile.found).toEqual([firstRun.journey.id]);
    });
  });

  describe('when its PostgreSQL is killed', () => {
    /** One that started it, and one that had joined it. */
    const exitCodes: (number | null)[] = [];
    const outputs: string[] = [];
    let after: { readonly found: string[]; readonly expected: string[]; exitCode: number | null };

    beforeAll(async () => {
      const both = [running, await start()];
      const journey = await startJourney(partnerClient(both[0]));
      process.kill(dataDir.postmasterPid()!, 'SIGKILL');
      exitCodes.push(...(await Promise.all(both.map((service) => service.exitCode()))));
      outputs.push(...both.map((service) => service.output()));
      const again = await start();
      const seen = { found: await found(again, journey), expected: [journey.id] };
      after = { ...seen, exitCode: await again.stop() };
      await dataDir.untilStopped();
    });

    afterAll(killAll);

    it('the service ends with an error, and a restart finds the data', () => {
      expect(exitCodes[0]).toBe(1);
      expect(outputs[0]).toContain('The embedded PostgreSQL has ended');
      expect(outputs[0]).toContain(join(dataDir.path, 'postgres.log'));
      expect(after.found).toEqual(after.expected);
      expect(after.exitCode).toBe(0);
    });

    it('so does a second process on the same data folder, which had joined it', () => {
      expect(exitCodes[1]).toBe(1);
      expect(outputs[1]).toContain('The embedded PostgreSQL has ended');
    });
  });

  describe.runIf(isRoot)('under root', () => {
    it('runs PostgreSQL as another user', () => {
      expect(firstRun.owner).not.toBe(0);
    });

    it('ends and says what to do when the user postgres may not enter the data folder', async () => {
      const closed = new DataDir({ mode: 0o700 });
      const service = await EmbeddedService.launch({ dataDir: closed.path });
      try {
        expect(await service.exitCode()).toBe(1);
        expect(service.output()).toContain(`the user postgres may not enter ${closed.path}`);
        expect(service.output()).toContain('set DATABASE_URL');
        expect(closed.postmasterPid()).toBeNull();
      } finally {
        await service.kill();
        await closed.remove();
      }
    });
  });

  describe.runIf(isRoot)('an ordinary user', () => {
    it('starts it in a folder of their own, which nobody else may enter', async () => {
      const home = new DataDir({ uid: NOBODY, mode: 0o700 });
      const service = await EmbeddedService.start({ dataDir: home.path, uid: NOBODY });
      try {
        expect(ownerOf(service.pid)).toBe(NOBODY);
        expect(ownerOf(home.postmasterPid()!)).toBe(NOBODY);
        await startJourney(partnerClient(service));
        expect(await service.stop()).toBe(0);
        await home.untilStopped();
      } finally {
        await service.kill();
        await home.remove();
      }
    });
  });

  describe('npm start', () => {
    let tree: ProjectTree | undefined;

    afterEach(() => tree?.remove());

    const PRUNED = 'what is built, without the dev dependencies';
    const TREES: Record<string, () => ProjectTree> = {
      'what npm ci has fetched, which it builds': () => ProjectTree.asFetched(),
      [PRUNED]: () => ProjectTree.asPruned(),
    };

    it.each(inForm({ short: [PRUNED], long: Object.keys(TREES) }))(
      'runs %s; SIGTERM to npm ends the service and its database',
      async (which) => {
        tree = TREES[which]();
        const variables = { DATA_DIR: dataDir.path };
        const service = await tree.start(variables);
        const postmaster = dataDir.postmasterPid()!;
        expect(isAlive(postmaster)).toBe(true);
        expect(tree.run(['run', 'admin', '--', 'keys', 'list'], variables)).toContain('demo-load');
        await service.signal('SIGTERM');
        await eventually(() => service.isGone(), { withinMs: 20_000 });
        await dataDir.untilStopped();
        expect(isAlive(postmaster)).toBe(false);
      },
    );
  });
});
