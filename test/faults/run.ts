/**
 * The long fault run: journeys over real HTTP against replicas on one database that are killed with
 * SIGKILL at random moments and started again. Run by plain `node` on a built service; exits with 1
 * when anything was lost, doubled or left behind. The second form drives journeys and publishes events by
 * themselves, to receivers of every kind, while the senders are killed at chosen lines and PostgreSQL is
 * crashed. The third drives journeys and instant loans while one primary after the other is lost, and its synchronous
 * standby takes its place.
 *
 *     node test/faults/run.ts [--seconds 120] [--journeys 400] [--seed <number>] [--replicas 3]
 *     node test/faults/run.ts webhooks [--seconds 120] [--events 3000] [--journeys 400] [--seed <number>]
 *         [--senders 4]
 *     node test/faults/run.ts failover [--failovers 10] [--journeys 400] [--loans 60] [--seed <number>]
 *         [--replicas 3] [--patroni [--trials standby,etcd,disk,service-clock,database-clock]]
 *
 * With --patroni the last is on the cluster of deploy/, made of Debian's packages, which loses more than its primary
 * (docs/contributors/testing.md).
 */
import { parseArgs } from 'node:util';
import { printReport, wholeNumber } from './command-line.ts';
import { runFailovers } from './failover/failover-run.ts';
import { runPatroniFailovers, trialNames } from './failover/patroni/patroni-run.ts';
import { type FaultRunOptions, runFaults } from './fault-run.ts';
import { openRunDatabase, type RunDatabase } from './run-database.ts';
import type { FaultReport } from './run-parts.ts';
import { KILL_POINTS } from './webhooks/kill-points.ts';
import { runWebhookFaults, type WebhookFaultOptions } from './webhooks/webhook-fault-run.ts';

type Journeys = Pick<FaultRunOptions, 'seconds' | 'journeys' | 'seed' | 'replicas'>;
type Webhooks = Pick<WebhookFaultOptions, 'seconds' | 'events' | 'journeys' | 'seed' | 'senders'>;
type Run = () => Promise<FaultReport>;

function readRun(): Run {
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
  const [what = 'journeys'] = positionals;
  const seconds = wholeNumber('seconds', values.seconds, 5, 3_600);
  const seed = wholeNumber('seed', values.seed, 0, 2 ** 31);
  const journeys = wholeNumber('journeys', values.journeys, 1, 5_000);
  const replicas = wholeNumber('replicas', values.replicas, 2, 3);
  if (what === 'journeys') return journeyRun({ seconds, seed, journeys, replicas });
  if (what === 'webhooks') {
    const events = wholeNumber('events', values.events, 1, 100_000);
    const senders = wholeNumber('senders', values.senders, 2, 8);
    return webhookRun({ seconds, seed, events, journeys, senders });
  }
  if (what === 'failover') {
    const failovers = wholeNumber('failovers', values.failovers, values.patroni ? 0 : 1, 100);
    const loans = wholeNumber('loans', values.loans, 1, 5_000);
    const options = { failovers, journeys, loans, seed, replicas, tell: console.log };
    if (!values.patroni) return () => runFailovers(options);
    const trials = trialNames(values.trials);
    return () => runPatroniFailovers(options, trials);
  }
  throw new Error(`There is no fault run of ${what}: journeys, webhooks or failover`);
}

function journeyRun(options: Journeys): Run {
  return () =>
    onRunDatabase(({ url }) => runFaults({ ...options, databaseUrl: url, tell: console.log }));
}

function webhookRun(options: Webhooks): Run {
  return () =>
    onRunDatabase(({ url, isOurs }) =>
      runWebhookFaults({
        ...options,
        points: KILL_POINTS,
        hangsForMs: null,
        databaseUrl: url,
        crashes: isOurs,
        tell: console.log,
      }),
    );
}

async function onRunDatabase(
  run: (database: RunDatabase) => Promise<FaultReport>,
): Promise<FaultReport> {
  const database = await openRunDatabase();
  try {
    return await run(database);
  } finally {
    await database.drop();
  }
}

async function main(): Promise<number> {
  const report = await readRun()();
  printReport(report, 'Nothing was lost.');
  return report.findings.length === 0 ? 0 : 1;
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(error);
  process.exitCode = 1;
}
