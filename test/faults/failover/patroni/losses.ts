import { setTimeout as sleep } from 'node:timers/promises';
import type { Failovers, Trial } from '../failovers.ts';
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
    run: async (failovers) => {
      const from = performance.now();
      const lost = await cluster().synchronousStandby();
      await lost.kill();
      const other = await cluster().synchronousStandby(lost);
      await failovers.untilServed();
      await sleep(2_000);
      pauses(failovers, 'one standby is lost', failovers.nonces.longestGapMs(from));

      await other.kill();
      await sleep(ON_ITS_WAY_MS);
      await noneIsServed(failovers, 'no standby is there');

      lost.startPatroni();
      await cluster().synchronousStandby();
      await isBack(failovers, 'a standby is back');
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
    run: async (failovers) => {
      const from = performance.now();
      const primary = await cluster().primary();
      const [first, second] = cluster().nodesBeside(primary);
      await Promise.all([first.killEtcd(), second.killEtcd()]);
      await sleep(2 * TTL_MS);
      if (!(await primary.isPrimary())) failovers.found('the primary did not go on');
      pauses(failovers, 'etcd has no majority', failovers.nonces.longestGapMs(from));

      await first.kill();
      await untilNone(cluster());
      failovers.tell('one node is lost, too: the primary steps down');
      await sleep(ON_ITS_WAY_MS);
      await noneIsServed(failovers, 'no node is primary');

      first.startEtcd();
      second.startEtcd();
      first.startPatroni();
      await cluster().primary();
      await isBack(failovers, 'etcd is back');
      await cluster().untilWhole();
    },
  };
}

/** Fills the primary's disk for a minute. */
export function diskFull(cluster: Cluster): Trial {
  return {
    name: 'disk full on the primary',
    takesMs: 120_000,
    run: async (failovers) => {
      const full = await cluster().primary();
      const from = performance.now();
      await full.disk.fill();
      await sleep(DISK_FULL_MS);
      const [now] = await whoIsPrimary(cluster());
      const gap = failovers.nonces.longestGapMs(from);
      const who = now === undefined ? 'no node' : now === full ? 'the same' : 'another';
      failovers.tell(
        `after ${DISK_FULL_MS / 1_000} s ${who} is primary; no call was served for ${gap} ms`,
      );
      full.disk.clear();
      await cluster().primary();
      await isBack(failovers, 'there is room');
      await cluster().untilWhole();
    },
  };
}

function pauses(failovers: Failovers, when: string, gapMs: number): void {
  failovers.tell(`${when}: no call was served for at most ${gapMs} ms`);
  if (gapMs > PAUSE_MS) failovers.found(`${when}: no call was served for ${gapMs} ms`);
}

async function noneIsServed(failovers: Failovers, when: string): Promise<void> {
  const from = performance.now();
  await sleep(NOBODY_MS);
  const served = failovers.nonces.servedSince(from);
  failovers.tell(`${when}: ${served} calls were served in ${NOBODY_MS / 1_000} s`);
  if (served > 0) failovers.found(`${when}, and ${served} calls were served`);
}

async function isBack(failovers: Failovers, when: string): Promise<void> {
  const ms = await failovers.untilServed();
  failovers.tell(`${when}: every replica serves ${ms} ms later`);
  if (ms > BACK_WITHIN_MS) failovers.found(`${when}, and the service is not for ${ms} ms`);
  await failovers.nonces.replay();
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
