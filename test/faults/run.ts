/**
 * The long fault runs: journeys and instant loans over real HTTP on replicas of one database, with remote lenders that
 * answer at random (at once, late, twice, out of order, by callback or when asked again), a gateway, and receivers of
 * every kind. `kills` kills replicas at chosen lines and crashes PostgreSQL; `walks` leaves them alone; `failover` loses
 * one primary after the other, with --patroni on the cluster of deploy/ (docs/contributors/testing.md). Run by plain
 * `node` on a built service; exits with 1 when anything was lost, doubled or left behind, or did not end as the lenders'
 * and the gateway's books say.
 *
 *     node test/faults/run.ts [kills] [--seconds 120] [--journeys 400] [--loans 60] [--seed <number>] [--replicas 3]
 *     node test/faults/run.ts walks [--seconds 600] …
 *     node test/faults/run.ts failover [--failovers 10] [--patroni [--trials standby,etcd,disk,…]] …
 */
import { parseArgs } from 'node:util';
import { printReport, wholeNumber } from './command-line.ts';
import { runPatroniFailovers, trialNames } from './failover/patroni/patroni-run.ts';
import { runFailovers } from './failover/failovers.ts';
import { ENDPOINTS } from './endpoints.ts';
import { DELETED, runFaults, type RunOptions, type Trouble } from './fault-run.ts';
import { KILL_POINTS, KillPoints } from './kill-points.ts';
import { openRunDatabase } from './run-database.ts';
import type { FaultReport } from './run-parts.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: 'string', default: '120' },
    journeys: { type: 'string', default: '400' },
    loans: { type: 'string', default: '60' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    replicas: { type: 'string', default: '3' },
    failovers: { type: 'string', default: '10' },
    patroni: { type: 'boolean', default: false },
    trials: { type: 'string', default: 'all' },
  },
});

function run(): Promise<FaultReport> {
  const { patroni: isPatroni, trials } = values;
  const given = {
    seconds: wholeNumber('seconds', values.seconds, 5, 7_200),
    journeys: wholeNumber('journeys', values.journeys, 1, 10_000),
    loans: wholeNumber('loans', values.loans, 1, 5_000),
    seed: wholeNumber('seed', values.seed, 0, 2 ** 31),
    replicas: wholeNumber('replicas', values.replicas, 2, 8),
    failovers: wholeNumber('failovers', values.failovers, isPatroni ? 0 : 1, 100),
    randomAnswers: null,
    endpoints: ['healthy'],
    pace: 0.3,
    tell: console.log,
  };
  const [what = 'kills'] = positionals;
  switch (what) {
    case 'kills':
      return onRunDatabase(
        { ...given, endpoints: [...Object.keys(ENDPOINTS), DELETED] },
        (options, crashes) => new KillPoints({ ...options, points: KILL_POINTS, crashes }),
      );
    case 'walks':
      // No process is killed, so no lease must expire.
      return onRunDatabase({ ...given, pace: 1, stillMs: Infinity }, () => ({
        carryOut: () => Promise.resolve(),
      }));
    case 'failover':
      return isPatroni ? runPatroniFailovers(given, trialNames(trials)) : runFailovers(given);
    default:
      throw new Error(`There is no fault run of ${what}: kills, walks or failover`);
  }
}

async function onRunDatabase(
  given: Omit<RunOptions, 'databaseUrl'>,
  troubleOf: (options: RunOptions, isOurs: boolean) => Trouble,
): Promise<FaultReport> {
  const database = await openRunDatabase();
  const options = { ...given, databaseUrl: database.url };
  try {
    return await runFaults(options, troubleOf(options, database.isOurs));
  } finally {
    await database.drop();
  }
}

try {
  const report = await run();
  printReport(report, 'Nothing was lost.');
  process.exitCode = report.findings.length === 0 ? 0 : 1;
} catch (error) {
  console.error(error);
  process.exitCode = 1;
}
