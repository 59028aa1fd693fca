/**
 * The long fault run on the built service (docs/contributors/testing.md): journeys over HTTP against replicas that are
 * killed at random moments and started again. Exits with 1 if anything was lost, doubled or left behind.
 *
 * `webhooks` publishes events to receivers of every kind while senders are killed at chosen lines and PostgreSQL
 * crashes. `failover` loses one primary after the other; with --patroni on the cluster of deploy/.
 *
 *     node test/faults/run.ts [--seconds 120] [--journeys 400] [--seed <number>] [--replicas 3]
 *     node test/faults/run.ts webhooks [--seconds 120] [--events 3000] [--journeys 400] [--seed <number>]
 *         [--senders 4]
 *     node test/faults/run.ts failover [--failovers 10] [--journeys 400] [--loans 60] [--seed <number>]
 *         [--replicas 3] [--patroni [--trials standby,etcd,disk,service-clock,database-clock]]
 */
import { parseArgs } from 'node:util';
import { printReport, wholeNumber } from './command-line.ts';
import { runFailovers } from './failover/failover-run.ts';
import { runPatroniFailovers, trialNames } from './failover/patroni/patroni-run.ts';
import { runFaults } from './fault-run.ts';
import { openRunDatabase, type RunDatabase } from './run-database.ts';
import type { FaultReport } from './run-parts.ts';
import { KILL_POINTS } from './webhooks/kill-points.ts';
import { runWebhookFaults } from './webhooks/webhook-fault-run.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: 'string', default: '120' },
    journeys: { type: 'string', default: '400' },
    events: { type: 'string', default: '3000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    replicas: { type: 'string', default: '3' },
    senders: { type: 'string', default: '4' },
    failovers: { type: 'string', default: '10' },
    loans: { type: 'string', default: '60' },
    patroni: { type: 'boolean', default: false },
    trials: { type: 'string', default: 'all' },
  },
});

function run(): Promise<FaultReport> {
  const { patroni: isPatroni, trials } = values;
  const given = {
    seconds: wholeNumber('seconds', values.seconds, 5, 3_600),
    journeys: wholeNumber('journeys', values.journeys, 1, 5_000),
    events: wholeNumber('events', values.events, 1, 100_000),
    seed: wholeNumber('seed', values.seed, 0, 2 ** 31),
    replicas: wholeNumber('replicas', values.replicas, 2, 3),
    senders: wholeNumber('senders', values.senders, 2, 8),
    failovers: wholeNumber('failovers', values.failovers, isPatroni ? 0 : 1, 100),
    loans: wholeNumber('loans', values.loans, 1, 5_000),
    tell: console.log,
  };
  const [what = 'journeys'] = positionals;
  switch (what) {
    case 'journeys':
      return onRunDatabase(({ url }) => runFaults({ ...given, databaseUrl: url }));
    case 'webhooks':
      return onRunDatabase(({ url, isOurs }) => {
        const points = { points: KILL_POINTS, hangsForMs: null, crashes: isOurs };
        return runWebhookFaults({ ...given, ...points, databaseUrl: url });
      });
    case 'failover':
      return isPatroni ? runPatroniFailovers(given, trialNames(trials)) : runFailovers(given);
    default:
      throw new Error(`There is no fault run of ${what}: journeys, webhooks or failover`);
  }
}

async function onRunDatabase(
  runOn: (database: RunDatabase) => Promise<FaultReport>,
): Promise<FaultReport> {
  const database = await openRunDatabase();
  try {
    return await runOn(database);
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
