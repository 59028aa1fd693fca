import { setTimeout as sleep } from 'node:timers/promises';
import type { Trial } from '../failovers.ts';
import { clockOff } from './clock-off.ts';
import type { PatroniCluster } from './patroni-cluster.ts';

const ONCE_IT_RUNS = { FAKETIME_START_AFTER_SECONDS: '3' };
const A_WHILE_MS = 20_000;

/** Adds two replicas of the service, one a minute ahead and one a minute behind; they stay. */
export function serviceClockOff(): Trial {
  return {
    name: 'clock of a replica off by a minute',
    takesMs: 60_000,
    run: async (failovers) => {
      await failovers.addReplica('the replica that is ahead', clockOff('+60s'));
      await failovers.addReplica('the replica that is behind', clockOff('-60s'));
      await sleep(A_WHILE_MS);
      await failovers.nonces.replay();
      failovers.tell('two replicas have joined, and each refuses the nonces of the others');
    },
  };
}

/** Promotes a node whose clock is a minute ahead, and then one whose clock is correct. */
export function databaseClockOff(cluster: () => PatroniCluster): Trial {
  return {
    name: 'clock of the primary off by a minute',
    takesMs: 150_000,
    run: async (failovers) => {
      const ahead = await cluster().synchronousStandby();
      await ahead.kill();
      const other = await cluster().synchronousStandby(ahead);
      ahead.startPatroni({ ...clockOff('+60s'), ...ONCE_IT_RUNS });
      await cluster().untilWhole();
      // Each commit waits for the standby that will take over.
      await other.kill();
      await cluster().synchronousStandby(other);
      other.startPatroni();
      await cluster().untilWhole();
      const failOver = () =>
        failovers.whileTimeLeaps(() => failovers.failOverAndAddStandby('KILLED'));
      await failOver();
      if (!(await ahead.isPrimary())) failovers.found('the node that is ahead is not primary');
      await sleep(A_WHILE_MS);
      await failOver();
    },
  };
}
