/**
 * The long fault run: journeys over real HTTP against replicas on one database that are killed with
 * SIGKILL at random moments and started again. Run by plain `node` on a built service; exits with 1
 * when anything was lost, doubled or left behind. The second form drives journeys and publishes events by
 * themselves, to receivers of every kind, while the senders are killed at chosen lines and PostgreSQL is
 * crashed.
 *
 *     node test/faults/run.ts [--seconds 120] [--journeys 400] [--seed <number>] [--replicas 3]
 *     node test/faults/run.ts webhooks [--seconds 120] [--events 3000] [--journeys 400] [--seed <number>]
 *         [--senders 4]
 */
import { parseArgs } from 'node:util';
import { printReport, wholeNumber } from './command-line.ts';
import { type FaultReport, type FaultRunOptions, runFaults } from './fault-run.ts';
import { openRunDatabase, type RunDatabase } from './run-database.ts';
import { runWebhookFaults, type WebhookFaultOptions } from './webhooks/webhook-fault-run.ts';

type Journeys = Pick<FaultRunOptions, 'seconds' | 'journeys' | 'seed' | 'replicas'>;
type Webhooks = Pick<WebhookFaultOptions, 'seconds' | 'events' | 'journeys' | 'seed' | 'senders'>;
type Run = (database: RunDatabase) => Promise<FaultReport>;

/** The run that the command line asks for. */
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
    },
  });
  const [what = 'journeys'] = positionals;
  const seconds = wholeNumber('seconds', values.seconds, 5, 3_600);
  const seed = wholeNumber('seed', values.seed, 0, 2 ** 31);
  const journeys = wholeNumber('journeys', values.journeys, 1, 5_000);
  if (what === 'journeys') {
    const replicas = wholeNumber('replicas', values.replicas, 2, 3);
    return journeyRun({ seconds, seed, journeys, replicas });
  }
  if (what === 'webhooks') {
    const events = wholeNumber('events', values.events, 1, 100_000);
    const senders = wholeNumber('senders', values.senders, 2, 8);
    return webhookRun({ seconds, seed, events, journeys, senders });
  }
  throw new Error(`There is no fault run of ${what}; there are journeys and webhooks`);
}

function journeyRun(options: Journeys): Run {
  return ({ url }) => runFaults({ ...options, databaseUrl: url, tell: console.log });
}

function webhookRun(options: Webhooks): Run {
  return ({ url, isOurs }) =>
    runWebhookFaults({ ...options, databaseUrl: url, crashes: isOurs, tell: console.log });
}

async function main(): Promise<number> {
  const run = readRun();
  const database = await openRunDatabase();
  try {
    const report = await run(database);
    printReport(report, 'Nothing was lost.');
    return report.findings.length === 0 ? 0 : 1;
  } finally {
    await database.drop();
  }
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(error);
  process.exitCode = 1;
}
