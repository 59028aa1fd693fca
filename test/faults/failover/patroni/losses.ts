import { setTimeout as sleep } from 'node:timers/promises';
import type { Stage, Trial } from '../trial.ts';
import type { DatabaseNode } from './database-node.ts';
import type { PatroniCluster } from './patroni-cluster.ts';

const TTL_MS = 20_000;
const PAUSE_MS = 10_000;
const ON_ITS_WAY_MS = 2_000;
const NOBODY_MS = 12_000;
const BACK_WITHIN_MS = 10_000;
const DISK_FULL_MS = 60_000;

type Cluster = () => PatroniCluster;

/** Kills the standby that each commit waits for; another replaces it. */
export function standbyLost(cluster: Cluster): Trial {
  return {
    name: 'standby lost',
    takesMs: 60_000,
    run: async (stage) => {
      const from = performance.now();
      const lost = await cluster().synchronousStandby();
      await lost.kill();
      const other = await cluster().synchronousStandby(lost);
      await stage.untilServed();
      await sleep(2_000);
      pauses(stage, 'one standby is lost', stage.load.nonces.longestGapMs(from));

      await other.kill();
      await sleep(ON_ITS_WAY_MS);
      await noneIsServed(stage, 'no standby is there');

      lost.startPatroni();
      await cluster().synchronousStandby();
      await isBack(stage, 'a standby is back');
      other.startPatroni();
      await cluster().untilWhole();
    },
  };
}

/** The primary continues while it reaches another etcd member, and stops without one. */
export function etcdLost(cluster: Cluster): Trial {
  return {
    name: 'etcd lost',
    takesMs: 120_000,
    run: async (stage) => {
      const from = performance.now();
      const primary = await cluster().primary();
      const [first, second] = cluster().nodesBeside(primary);
      await Promise.all([first.killEtcd(), second.killEtcd()]);
      await sleep(2 * TTL_MS);
      if (!(await primary.isPrimary())) stage.found('the primary did not go on');
      pauses(stage, 'etcd has no majority', stage.load.nonces.longestGapMs(from));

      await first.kill();
      await untilNone(cluster());
      stage.tell('one node is lost, too: the primary steps down');
      await sleep(ON_ITS_WAY_MS);
      await noneIsServed(stage, 'no node is primary');

      first.startEtcd();
      second.startEtcd();
      first.startPatroni();
      await cluster().primary();
      await isBack(stage, 'etcd is back');
      await cluster().untilWhole();
    },
  };
}

/** Fills the primary's disk for a minute. */
export function diskFull(cluster: Cluster): Trial {
  return {
    name: 'disk full on the primary',
    takesMs: 120_000,
    run: async (stage) => {
      const full = await cluster().primary();
      const from = performance.now();
      await full.disk.fill();
      await sleep(DISK_FULL_MS);
      const [now] = await whoIsPrimary(cluster());
      const gap = stage.load.nonces.longestGapMs(from);
      const who = now === undefined ? 'no node' : now === full ? 'the same' : 'another';
      stage.tell(
        `after ${DISK_FULL_MS / 1_000} s ${who} is primary; no call was served for ${gap} ms`,
      );
      full.disk.clear();
      await cluster().primary();
      await isBack(stage, 'there is room');
      await cluster().untilWhole();
    },
  };
}

function pauses(stage: Stage, when: string, gapMs: number): void {
  stage.tell(`${when}: no call was served for at most ${gapMs} ms`);
  if (gapMs > PAUSE_MS) stage.found(`${when}: no call was served for ${gapMs} ms`);
}

async function noneIsServed(stage: Stage, when: string): Promise<void> {
  const from = performance.now();
  await sleep(NOBODY_MS);
  const served = stage.load.nonces.servedSince(from);
  stage.tell(`${when}: ${served} calls were served in ${NOBODY_MS / 1_000} s`);
  if (served > 0) stage.found(`${when}, and ${served} calls were served`);
}

async function isBack(stage: Stage, when: string): Promise<void> {
  const ms = await stage.untilServed();
  stage.tell(`${when}: every replica serves ${ms} ms later`);
  if (ms > BACK_WITHIN_MS) stage.found(`${when}, and the service is not for ${ms} ms`);
  await stage.load.nonces.replay();
}

async function untilNone(cluster: PatroniCluster): Promise<void> {
  const deadline = performance.now() + 4 * TTL_MS;
  while ((await whoIsPrimary(cluster)).length > 0) {
    if (performance.now() > deadline) throw new Error('a primary goes on without etcd and a node');
    await sleep(500);
  }
}

async function whoIsPrimary(cluster: PatroniCluster): Promise<DatabaseNode[]> {
  const nodes = cluster.nodesBeside();
  const isPrimary = await Promise.all(nodes.map((node) => node.isPrimary()));
  return nodes.filter((_, index) => isPrimary[index]);
}
