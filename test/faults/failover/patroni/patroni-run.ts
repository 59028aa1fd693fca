import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FaultReport } from '../../run-parts.ts';
import { type FailoverOptions, runFailovers } from '../failovers.ts';
import { FAKETIME } from './clock-off.ts';
import { databaseClockOff, serviceClockOff } from './clocks.ts';
import { BINARIES } from './example.ts';
import { diskFull, etcdLost, standbyLost } from './losses.ts';
import { PatroniCluster } from './patroni-cluster.ts';

const NEEDED = [
  `${BINARIES}/postgres`,
  '/usr/bin/patroni',
  '/usr/bin/etcd',
  '/usr/sbin/haproxy',
  '/usr/sbin/pgbouncer',
  '/usr/bin/openssl',
  FAKETIME,
];
const INSTALL = 'test/faults/failover/patroni/install-packages';
const EACH_MS = 45_000;
const EXIT_LISTENERS = 50;

/** Other losses, by their command line names. */
const TRIALS = {
  standby: standbyLost,
  etcd: etcdLost,
  disk: diskFull,
  'service-clock': serviceClockOff,
  'database-clock': databaseClockOff,
} as const;

type TrialName = keyof typeof TRIALS;

/** @throws Error that names the option */
export function trialNames(text: string): TrialName[] {
  const known = Object.keys(TRIALS) as TrialName[];
  if (text === 'all') return known;
  if (text === 'none') return [];
  const names = text.split(',');
  const unknown = names.filter((name) => !known.some((one) => one === name));
  if (unknown.length > 0) throw new Error(`--trials must be of ${known.join()}, or all or none`);
  return names as TrialName[];
}

/** The short form's run on the cluster of `deploy/`, with the chosen other losses. */
export async function runPatroniFailovers(
  options: FailoverOptions,
  names: readonly TrialName[],
): Promise<FaultReport> {
  refuseWithout(NEEDED);
  process.setMaxListeners(EXIT_LISTENERS);
  // Started processes end with the run, however it ends.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  let cluster: PatroniCluster | undefined;
  const logs = mkdtempSync(join(tmpdir(), 'rinpath-patroni-logs-'));
  options.tell(
    `what the cluster's processes write is in ${logs}, and stays when something is found`,
  );
  const start = async () => (cluster = await PatroniCluster.start(logs));
  const trials = names.map((name) => TRIALS[name](() => cluster!));
  const report = await runFailovers({ ...options, start, eachMs: EACH_MS, trials });
  if (report.findings.length === 0) rmSync(logs, { recursive: true });
  return report;
}

function refuseWithout(files: readonly string[]): void {
  if (process.getuid?.() !== 0)
    throw new Error('The long form runs as root: it mounts, and runs as others');
  const missing = files.filter((file) => !existsSync(file));
  if (missing.length > 0) throw new Error(`${missing.join(', ')}: run ${INSTALL} first`);
}
