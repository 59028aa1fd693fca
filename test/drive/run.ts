/**
 * The recorded drive: drives every product and outcome of the sandbox on the built service, and records what partners
 * and applicants see. Run by plain `node` on a built service. It exits with 1 when a scenario stops before its
 * end, and, with `--compare`, on any difference, as `git diff` shows it.
 *
 *     node test/drive/run.ts --into DIR | --compare DIR [--only PATTERN]
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { startBuiltService } from '../../bench/support/built-service.ts';
import { openRunDatabase } from '../faults/run-database.ts';
import { configurationWith } from '../support/configuration-with.ts';
import { MailServer } from '../support/mail-server.ts';
import { scratchFolder } from '../support/scratch-folder.ts';
import { WebhookReceiver } from '../support/webhook-receiver.ts';
import { Drive, type Scenario, type Stage } from './drive.ts';
import { SCENARIOS } from './scenarios/index.ts';

const DAY_MS = 86_400_000;
const FIRST_MOBILE = 9_800_000_000;
const MOBILES_EACH = 10;
/** One minute past a rounded time, so that short delays do not change the rounding. */
const HOUR_OF_DAY = 'T10:01:00+05:30';

const { values: options } = parseArgs({
  options: {
    into: { type: 'string' },
    compare: { type: 'string' },
    only: { type: 'string', default: '' },
  },
});

async function main(): Promise<number> {
  const { into, compare, only } = options;
  if ((into === undefined) === (compare === undefined)) {
    throw new Error('Give either --into DIR or --compare DIR.');
  }
  const played = timetable().filter(({ scenario }) => new RegExp(only).test(scenario.name));
  if (played.length === 0) throw new Error(`No scenario has ${only} in its name.`);
  await using ending = new AsyncDisposableStack();
  const folder = into ?? scratchFolder('rinpath-drive-');
  if (into === undefined) ending.defer(() => rmSync(folder, { recursive: true }));
  let failures = 0;
  const stage = await openStage(ending);
  for (const { scenario, startsAt, mobile } of played) {
    const file = join(folder, `${scenario.name}.json`);
    const isWhole = await record(file, scenario, new Drive(stage, startsAt, mobile));
    const isSame = compare === undefined || isSameIn(compare, folder, scenario);
    if (!isWhole || !isSame) failures += 1;
  }
  process.stdout.write(`${played.length} scenarios, ${failures} stopped or different\n`);
  return failures > 0 ? 1 : 0;
}

async function openStage(ending: AsyncDisposableStack): Promise<Stage> {
  const database = await openRunDatabase();
  ending.defer(() => database.drop());
  const [receiver, mails] = [await WebhookReceiver.start(), new MailServer()];
  ending.defer(() => receiver.stop());
  const smtpUrl = await mails.start();
  ending.defer(() => mails.stop());
  const alertEmails = ['alerts@partner.example'];
  const configuration = configurationWith(({ partners }) => ({
    partners: (partners as object[]).map((one) => ({ ...one, alertEmails })),
  }));
  ending.defer(() => configuration.remove());
  const service = await startBuiltService(database.url, {
    CONFIG_FILE: configuration.file,
    SANDBOX_LATENCY_PERCENT: '10',
    SMTP_URL: smtpUrl,
    MAIL_FROM: 'alerts@rinpath.example',
  });
  ending.defer(async () => void (await service.stop()));
  return { baseUrl: service.baseUrl, receiver, mails };
}

function timetable(): { scenario: Scenario; startsAt: Date; mobile: number }[] {
  let day = new Date(`${new Date().getFullYear() + 1}-01-01${HOUR_OF_DAY}`).getTime();
  return SCENARIOS.map((scenario, index) => {
    const startsAt = new Date(day);
    day += (scenario.days ?? 1) * DAY_MS;
    return { scenario, startsAt, mobile: FIRST_MOBILE + index * MOBILES_EACH };
  });
}

/** Plays a scenario and writes what was seen. @returns whether it came to its end */
async function record(file: string, scenario: Scenario, drive: Drive): Promise<boolean> {
  const from = performance.now();
  await drive.begin();
  let isWhole = true;
  try {
    await scenario.play(drive);
  } catch (error) {
    isWhole = false;
    drive.note({ what: 'stopped', error: error instanceof Error ? error.message : String(error) });
  }
  const steps = await drive.end();
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify({ scenario: scenario.name, steps }, null, 2)}\n`);
  const seconds = ((performance.now() - from) / 1_000).toFixed(1);
  const end = isWhole ? '' : ', stopped before its end';
  process.stdout.write(`${scenario.name}: ${steps.length} steps, ${seconds} s${end}\n`);
  return isWhole;
}

function isSameIn(before: string, after: string, { name }: Scenario): boolean {
  const files = [before, after].map((folder) => join(folder, `${name}.json`));
  const command = ['diff', '--no-index', '--no-prefix', '--', ...files];
  return spawnSync('git', command, { stdio: 'inherit' }).status === 0;
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(error);
  process.exitCode = 1;
}
