import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { built, MASTER_KEY } from '../support/built-service.ts';
import { connected, createDatabase } from '../support/create-database.ts';
import { table } from '../support/report.ts';
import { serviceParts } from '../support/service-parts.ts';

type Roots = typeof import('../../src/audit/roots/audit-roots.service.js');
type Sandbox = typeof import('../../src/sandbox/sandbox-clock-news.js');

const ROWS_A_JOURNEY = 10;
const JOURNEYS_A_STATEMENT = 10_000;
const JOURNEYS_THE_NEXT_DAY = 1_000;
const DAY_MS = 86_400_000;

/** Number of trees verified, and seconds taken. */
interface Night {
  readonly trees: number;
  readonly seconds: number;
  readonly longest: number;
}

interface Verified {
  readonly rows: number;
  readonly madeSeconds: number;
  readonly nights: readonly Night[];
  readonly seconds: number;
}

/** The time to verify these rows against their chains, and to make a day's roots. */
export async function verificationSection(serverUrl: string, rows: number): Promise<string> {
  const { madeSeconds, nights, seconds } = await measureVerification(serverUrl, rows);
  const count = (value: number) => Math.round(value).toLocaleString('en');
  return [
    '### Verification',
    '',
    `\`admin audit verify\` held ${count(rows)} rows in ${count(rows / ROWS_A_JOURNEY)} chains against the table in`,
    `${seconds.toFixed(1)} s: ${count(rows / seconds)} rows a second. They were written and chained in ${madeSeconds.toFixed()} s:`,
    `${count(rows / madeSeconds)} a second.`,
    '',
    `Their roots, of at most 50,000 heads each: the first night with every chain, the second with those of`,
    `${count(JOURNEYS_THE_NEXT_DAY)} journeys that had grown, and with a day of which nothing came.`,
    '',
    table(
      ['Night', 'trees', 'seconds', 'the longest'],
      nights.map(({ trees, seconds: all, longest }, index) => [
        index === 0 ? 'first' : 'second',
        `${trees}`,
        all.toFixed(1),
        longest.toFixed(1),
      ]),
    ),
  ].join('\n');
}

async function measureVerification(serverUrl: string, rows: number): Promise<Verified> {
  const url = await createDatabase(serverUrl, 'audit_rows');
  // Creates the schema.
  await (await serviceParts(url)).close();
  const client = await connected(url);
  process.stdout.write(`Making ${rows.toLocaleString('en')} rows… `);
  let startedAt = performance.now();
  for (let first = 0; first < rows / ROWS_A_JOURNEY; first += JOURNEYS_A_STATEMENT) {
    const last = Math.min(rows / ROWS_A_JOURNEY, first + JOURNEYS_A_STATEMENT) - 1;
    await client.query(FILL, [first, last, ROWS_A_JOURNEY]);
  }
  await client.query(CURRENT_ROWS, [rows / ROWS_A_JOURNEY]);
  await client.query('VACUUM ANALYZE');
  await client.end();
  const madeSeconds = (performance.now() - startedAt) / 1_000;
  process.stdout.write(`in ${madeSeconds.toFixed()} s\n`);
  const nights = await closeTwoDays(url);
  startedAt = performance.now();
  await verify(url);
  return { rows, madeSeconds, nights, seconds: (performance.now() - startedAt) / 1_000 };
}

/** The first night covers every chain, the second only another thousand journeys. */
async function closeTwoDays(url: string): Promise<Night[]> {
  const { AuditRoots } = await built<Roots>('src/audit/roots/audit-roots.service.js');
  const { SandboxTime } = await built<Sandbox>('src/sandbox/sandbox-clock-news.js');
  const parts = await serviceParts(url);
  const client = await connected(url);
  try {
    const first = await closeDays(parts.get(AuditRoots));
    await parts.get(SandboxTime).travel(DAY_MS);
    await client.query(FILL, [0, JOURNEYS_THE_NEXT_DAY - 1, 1]);
    await parts.get(SandboxTime).travel(DAY_MS);
    return [first, await closeDays(parts.get(AuditRoots))];
  } finally {
    await client.end();
    await parts.close();
  }
}

async function closeDays(roots: InstanceType<Roots['AuditRoots']>): Promise<Night> {
  const times: number[] = [];
  for (;;) {
    const startedAt = performance.now();
    if (!(await roots.closeDay())) break;
    times.push((performance.now() - startedAt) / 1_000);
  }
  const seconds = times.reduce((sum, time) => sum + time, 0);
  return { trees: times.length, seconds, longest: Math.max(...times) };
}

const FILL = `
  INSERT INTO journey_audit (partner_id, journey_id, trigger, from_state, to_state, detail)
  SELECT 'demo', 'jrn_' || lpad(to_hex(n), 32, '0'), 'KYC_PASSED', 'KYC_PENDING',
    'BANK_ACCOUNT_PENDING', jsonb_build_object('applicationId', 'app_' || lpad(to_hex(n), 32, '0'),
      'loanAmount', 10000000, 'offerRound', 1, 'outcomeReason', NULL,
      'selectedOfferId', 'off_' || lpad(to_hex(n), 32, '0'), 'selectedBranchId', NULL,
      'eventId', 'evt_' || lpad(to_hex(n), 28, '0') || lpad(to_hex(k), 4, '0'),
      'eventHash', encode(sha256('{}'), 'hex'))
  FROM generate_series($1::int, $2::int) AS n, generate_series(1, $3::int) AS k ORDER BY n, k
`;

/** The journeys, leads and events that match the audit rows of FILL. */
const CURRENT_ROWS = `
  WITH n AS (SELECT lpad(to_hex(n), 32, '0') AS id, n FROM generate_series(0, $1::int - 1) AS n),
  leads AS (
    INSERT INTO applications (id, partner_id, loan_type, loan_amount, loan_amount_source, status, journey_id, submitted_at)
    SELECT 'app_' || id, 'demo', 'ONLINE_PERSONAL', 10000000, 'PARTNER', 'BANK_ACCOUNT_PENDING', 'jrn_' || id, app_now()
    FROM n
  ),
  events AS (
    INSERT INTO webhook_events (id, partner_id, journey_id, name, sequence, body, created_at)
    SELECT 'evt_' || lpad(to_hex(n), 28, '0') || lpad(to_hex(k), 4, '0'), 'demo', 'jrn_' || id, 'journey.initiated',
      k, '{}', app_now()
    FROM n, generate_series(1, ${ROWS_A_JOURNEY}) AS k
  )
  INSERT INTO journeys (id, partner_id, key_id, application_id, product_code, channel, state, steps, loan_amount,
    loan_amount_source, selected_offer_id, last_activity_at, created_at, updated_at)
  SELECT 'jrn_' || id, 'demo', 'key', 'app_' || id, 'ONLINE_PERSONAL', 'API_HEADLESS', 'BANK_ACCOUNT_PENDING', '{}',
    10000000, 'PARTNER', 'off_' || id, app_now(), app_now(), app_now()
  FROM n
`;

/** Runs the operator's command in a separate process. */
async function verify(databaseUrl: string): Promise<void> {
  const main = fileURLToPath(new URL('../../dist/bundle/admin-main.js', import.meta.url));
  const child = spawn(process.execPath, [main, 'audit', 'verify'], {
    stdio: 'inherit',
    env: { PATH: process.env.PATH, DATABASE_URL: databaseUrl, MASTER_KEY },
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`audit verify ended with ${code}`);
}
