/**
 * Drives every product and outcome of the sandbox on the built service, and records what partners and applicants see.
 * It exits with 1 if a scenario stops early and, with `--compare`, on any difference.
 *
 *     node test/drive/run.ts --into DIR | --compare DIR [--only PATTERN]
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { startBuiltService } from '../../bench/support/built-service.ts';
import { openRunDatabase } from '../faults/run-database.ts';
import { configurationWith } from '../support/configuration-with.ts';
import { MailServer } from '../support/mail-server.ts';
import { WebhookReceiver } from '../support/webhook-receiver.ts';
import { differences, type ScenarioRecord } from './comparison.ts';
import { Drive, type Scenario, type Stage } from './drive.ts';
import { SCENARIOS } from './scenarios/index.ts';

const DAY_MS = 86_400_000;
const FIRST_MOBILE = 9_800_000_000;
const MOBILES_EACH = 10;
/** One minute after a time to which all times are rounded down. */
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
  const database = await openRunDatabase();
  const receiver = await WebhookReceiver.start();
  const mails = new MailServer();
  const configuration = configurationWith(({ partners }) => ({
    partners: (partners as object[]).map((one) => ({
      ...one,
      alertEmails: ['alerts@partner.example'],
    })),
  }));
  let count = 0;
  const found: string[] = [];
  try {
    const service = await startBuiltService(database.url, {
      CONFIG_FILE: configuration.file,
      SANDBOX_LATENCY_PERCENT: '10',
      SMTP_URL: await mails.start(),
      MAIL_FROM: 'alerts@rinpath.example',
    });
    const stage = { baseUrl: service.baseUrl, receiver, mails };
    try {
      for (const { scenario, startsAt, mobile } of timetable()) {
        if (!new RegExp(only).test(scenario.name)) continue;
        const record = await play(stage, scenario, startsAt, mobile);
        count += 1;
        if (record.steps.some(({ what }) => what === 'stopped')) {
          found.push(`${scenario.name}: stopped before its end`);
        }
        if (into !== undefined) write(fileOf(into, scenario), record);
        else found.push(...compared(fileOf(compare!, scenario), record));
      }
    } finally {
      await service.stop();
    }
  } finally {
    configuration.remove();
    await Promise.all([receiver.stop(), mails.stop()]);
    await database.drop();
  }
  for (const line of found) process.stdout.write(`${line}\n`);
  if (count === 0) throw new Error(`No scenario has ${only} in its name.`);
  const result = into === undefined ? `${found.length} differences` : `recorded in ${into}`;
  process.stdout.write(`${count} scenarios: ${result}\n`);
  return found.length > 0 ? 1 : 0;
}

function timetable(): { scenario: Scenario; startsAt: Date; mobile: number }[] {
  let day = new Date(`${new Date().getFullYear() + 1}-01-01${HOUR_OF_DAY}`).getTime();
  return SCENARIOS.map((scenario, index) => {
    const startsAt = new Date(day);
    day += (scenario.days ?? 1) * DAY_MS;
    return { scenario, startsAt, mobile: FIRST_MOBILE + index * MOBILES_EACH };
  });
}

async function play(
  stage: Stage,
  scenario: Scenario,
  startsAt: Date,
  mobile: number,
): Promise<ScenarioRecord> {
  const from = performance.now();
  const drive = new Drive(stage, startsAt, mobile);
  await drive.begin();
  try {
    await scenario.play(drive);
  } catch (error) {
    drive.note({ what: 'stopped', error: error instanceof Error ? error.message : String(error) });
  }
  const record = await drive.end(scenario.name);
  const seconds = ((performance.now() - from) / 1_000).toFixed(1);
  process.stdout.write(`${scenario.name}: ${record.steps.length} steps, ${seconds} s\n`);
  return record;
}

function fileOf(folder: string, { name }: Scenario): string {
  return join(folder, `${name}.json`);
}

function write(file: string, record: ScenarioRecord): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(record, null, 2)}\n`);
}

function compared(file: string, record: ScenarioRecord): string[] {
  if (!existsSync(file)) return [`${record.scenario}: is not in the record`];
  const before = JSON.parse(readFileSync(file, 'utf8')) as ScenarioRecord;
  // As if read from a file: undefined values are dropped.
  return differences(before, JSON.parse(JSON.stringify(record)) as ScenarioRecord);
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(error);
  process.exitCode = 1;
}
