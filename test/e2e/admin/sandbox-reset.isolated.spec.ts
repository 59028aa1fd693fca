// Isolated: empties the database of two replicas.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { LENDER_CALL_MS } from '../../../src/lenders/index.js';
import { PAYMENT_CALL_MS } from '../../../src/payments/index.js';
import { Tx } from '../../../src/platform/database/tx.js';
import { Database } from '../../../src/platform/index.js';
import { SCHEMA } from '../../../src/schema.js';
import {
  type CommandOutcome,
  runAdmin,
  runCommand,
  runInProduction,
} from '../../support/admin-command.js';
import { eventually } from '../../support/eventually.js';
import { HeldLock } from '../../support/held-lock.js';
import { startHosted } from '../../support/hosted-client.js';
import { applyForInstantLoan } from '../../support/instant-loans.js';
import { journeyIn, startJourney } from '../../support/journey-driver.js';
import { startTwoReplicas, TEST_MASTER_KEY, type TwoReplicas } from '../../support/service.js';
import { WebhookReceiver } from '../../support/webhook-receiver.js';
import { clientOf, issueKey, type TestKey } from '../auth/auth-harness.js';
import { entered } from '../workbench/workbench-browser.js';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const DAY_MS = 86_400_000;

/** What a reset does with each table. A new table must be added here. */
const KEPT = [
  'api_keys',
  'configuration',
  'deployment',
  'lender_api_keys',
  'lender_logos',
  'lenders',
  'master_keys',
  'operator_commands',
  'partner_logos',
  'partners',
  'products',
  'request_nonces',
  'sandbox_clock',
  'schema_functions',
  'webhook_lanes',
  'webhook_streams',
  'webhook_subscriptions',
];
const EMPTIED = [
  'api_key_windows',
  'applications',
  'audit_entries',
  'audit_leaves',
  'audit_roots',
  'consent_log',
  'consents',
  'counted_limits',
  'hosted_links',
  'hosted_sessions',
  'idempotent_answers',
  'instant_loans',
  'journey_audit',
  'journey_fees',
  'journey_intents',
  'journey_milestones',
  'journey_offers',
  'journey_redirects',
  'journeys',
  'key_facts_pdfs',
  'key_facts_statements',
  'lead_count_deltas',
  'lead_counts',
  'lender_inbox',
  'lender_messages',
  'lender_payouts',
  'lender_questions',
  'lender_references',
  'lender_request_ids',
  'lender_statement_payouts',
  'lender_statements',
  'link_requests',
  'offer_presentations',
  'one_time_codes',
  'operator_flags',
  'partner_requests',
  'payment_audit',
  'payment_callbacks',
  'payment_inbox',
  'payment_orders',
  'payment_refunds',
  'payments',
  'sandbox_payments',
  'sandbox_sessions',
  'sandbox_sms',
  'sms_messages',
  'webhook_alert_emails',
  'webhook_alerts',
  'webhook_attempts',
  'webhook_deliveries',
  'webhook_events',
  'webhook_queue',
  'workbench_sessions',
];
/** Migrations, and counts of an earlier release. */
const UNTOUCHED = ['hosted_limits', 'schema_migrations', 'sms_limits'];
/** Written after the reset by its own command and by running replicas. */
const WRITTEN_AGAIN = ['audit_entries', 'operator_flags'];

let replicas: TwoReplicas;
let database: Database;
let receiver: WebhookReceiver;
let key: TestKey;

beforeAll(async () => {
  replicas = await startTwoReplicas();
  database = replicas.first.get<Database>(Database);
  receiver = await WebhookReceiver.start();
  key = await issueKey(replicas.first, { products: ['ONLINE_PERSONAL', 'ONLINE_INSTANT'] });
});

afterAll(async () => {
  await receiver?.stop();
  await replicas?.close();
});

const admin = (...parameters: string[]): Promise<CommandOutcome> =>
  runAdmin(replicas.first.databaseUrl, ...parameters);

/** @param pause instead of the wait between the two passes */
const reset = (pause: (milliseconds: number) => Promise<void>): Promise<CommandOutcome> =>
  runCommand(
    ['sandbox', 'reset', '--yes'],
    { DATABASE_URL: replicas.first.databaseUrl, MASTER_KEY: TEST_MASTER_KEY },
    { wait: pause },
  );

/** Until both replicas follow the real time, and have written what waited in their memory. */
const settled = () => sleep(3_000);

async function tablesWithRows(): Promise<string[]> {
  const filled: string[] = [];
  for (const table of EMPTIED) {
    const [row] = await database.query<{ hasRows: boolean }>(
      `SELECT EXISTS (SELECT FROM ${table}) AS "hasRows"`,
    );
    if (row.hasRows) filled.push(table);
  }
  return filled;
}

/** The row of a call in the moved time that was answered after the first pass. */
async function lateRow(): Promise<void> {
  await database.query(
    `INSERT INTO counted_limits (kind, subject_hash, count, ends_at)
     VALUES ('late', 'x', 1, now() + interval '40 days')`,
  );
}

async function signedIn(): Promise<void> {
  await entered(replicas.first, key);
}

describe('sandbox reset', () => {
  it('knows every table', async () => {
    const rows = await database.query<{ name: string }>(
      `SELECT relname AS name FROM pg_class
       WHERE relkind IN ('r', 'p') AND NOT relispartition AND relnamespace = 'public'::regnamespace`,
    );
    expect(rows.map(({ name }) => name).toSorted()).toEqual(
      [...KEPT, ...EMPTIED, ...UNTOUCHED].toSorted(),
    );
    const kept = SCHEMA.keptByReset.flatMap(({ entities }) => entities) as unknown[];
    const ofEntities = database.dataSource.entityMetadatas
      .filter(({ target }) => kept.includes(target))
      .map(({ tableName }) => tableName);
    expect(ofEntities.toSorted()).toEqual(KEPT);
  });

  it('is refused without --yes and in production, and then deletes nothing', async () => {
    await startJourney(key.client);
    const unconfirmed = await admin('sandbox', 'reset');
    expect([unconfirmed.code, unconfirmed.error]).toEqual([1, expect.stringContaining('--yes')]);
    const { databaseUrl } = replicas.first;
    const live = await runInProduction(['sandbox', 'reset', '--yes'], {
      DATABASE_URL: databaseUrl,
    });
    expect([live.code, live.error]).toEqual([1, expect.stringContaining('MODE is not sandbox')]);
    await database.query(`UPDATE deployment SET mode = 'production'`);
    const ofProduction = await admin('sandbox', 'reset', '--yes');
    await database.query(`UPDATE deployment SET mode = 'sandbox'`);
    expect([ofProduction.code, ofProduction.error]).toEqual([
      1,
      expect.stringContaining('belongs to a production deployment'),
    ]);
    expect(await tablesWithRows()).toContain('journeys');
  });

  it('is refused while another connection holds a lock, and then deletes nothing', async () => {
    await startJourney(key.client);
    const patient = vi.spyOn(Tx.prototype, 'patientQuery');
    const { databaseUrl } = replicas.first;
    const lock = await HeldLock.take(databaseUrl, 'LOCK TABLE journeys IN ACCESS SHARE MODE');
    try {
      const refused = reset(() => Promise.reject(new Error('no second pass')));
      // As the statement timeout does; the transaction is tried twice.
      for (const run of [1, 2]) {
        await expect.poll(() => patient.mock.calls.length).toBe(2 * run);
        const [{ pid }] = await lock.waiting('LOCK TABLE');
        await lock.query('SELECT pg_cancel_backend($1)', [pid]);
      }
      const { code, error } = await refused;
      expect([code, error]).toEqual([
        1,
        'Error: The sandbox is busy, and the reset is not complete; run the command again.',
      ]);
      expect(patient.mock.calls.map(([, , longestMs]) => longestMs)).toEqual(Array(4).fill(60_000));
    } finally {
      patient.mockRestore();
      await lock.release();
    }
    expect(await tablesWithRows()).toContain('journeys');
  });

  it('empties two busy replicas, which then serve in the real time with the same keys and webhooks', async () => {
    const { client } = key;
    const hook = async (path: string) => {
      const { json } = await client.post<{ subscriptionId: string }>('/webhooks', {
        url: receiver.url(path),
      });
      return json.data.subscriptionId;
    };
    const [subscriptionId, deletedId] = [await hook('/kept'), await hook('/deleted')];
    await client.delete(`/webhooks/${deletedId}`);
    await client.post(`/webhooks/${subscriptionId}/rotate-secret`);
    const { id } = await journeyIn(client, 'SANCTIONED');
    await startHosted(replicas.first);
    await applyForInstantLoan(client);
    await signedIn();
    await replicas.travel(40 * DAY_MS);
    await journeyIn(client, 'OFFERS_RECEIVED');
    const stream = await client.get<{ next: string }>('/events');
    await eventually(async () => {
      const filled = await tablesWithRows();
      for (const table of ['webhook_attempts', 'partner_requests', 'consent_log', 'lead_counts']) {
        expect(filled).toContain(table);
      }
    });

    // Calls to both replicas go on meanwhile.
    const isDone = { value: false };
    const second = clientOf(replicas.second, key);
    const calls = (async () => {
      while (!isDone.value) await second.get('/leads');
    })();
    const starts = Promise.all([startJourney(client), startJourney(client)]).catch(() => undefined);
    const pauses: number[] = [];
    const { code, out, error } = await reset(async (milliseconds) => {
      pauses.push(milliseconds);
      await settled();
      await lateRow();
    });
    isDone.value = true;
    await Promise.all([calls, starts]);
    expect(pauses).toHaveLength(1);
    expect(pauses[0]).toBeGreaterThan(Math.max(LENDER_CALL_MS, PAYMENT_CALL_MS));
    expect(await database.query('SELECT FROM counted_limits')).toEqual([]);
    expect([code, out, error]).toEqual([0, expect.stringMatching(/^OK: the sandbox is empty/), '']);

    for (const replica of [replicas.first, replicas.second]) {
      expect(Math.abs(replica.now().getTime() - Date.now())).toBeLessThan(5_000);
    }
    const leads = await client.get<{ leads: object[] }>('/leads');
    expect([leads.status, leads.json.data.leads]).toEqual([200, []]);
    expect((await client.get(`/journey/${id}`)).status).toBe(404);
    expect(await client.get(`/events?after=${stream.json.data.next}`)).toMatchObject({
      status: 410,
      json: { code: 'cursor_expired' },
    });
    const hooks = await client.get<{ subscriptions: object[] }>('/webhooks');
    expect(hooks.json.data.subscriptions).toMatchObject([{ subscriptionId, isActive: true }]);
    const future = await database.query(
      'SELECT FROM webhook_lanes WHERE greatest(lease_until, last_served_at, drain_since) > now()',
    );
    expect(future).toEqual([]);

    receiver.reset();
    const next = await journeyIn(client, 'OFFERS_RECEIVED');
    await receiver.waitFor((one) => one.json().journeyId === next.id && one.path === '/kept');
    const verified = await admin('audit', 'verify');
    expect([verified.code, verified.error]).toEqual([0, '']);
    const commands = await database.query(
      `SELECT command, subject_id AS subject FROM operator_commands WHERE created_at <= now()`,
    );
    expect(commands).toContainEqual({ command: 'sandbox reset', subject: 'operator' });
  });

  it('leaves no row of a partner when nothing is called, and can be run again', async () => {
    const { code } = await reset(settled);
    expect(code).toBe(0);
    const left = await tablesWithRows();
    expect(left.filter((table) => !WRITTEN_AGAIN.includes(table))).toEqual([]);
  });
});
