// Isolated: its database has one applicant, whose data is searched for everywhere.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withAdminContext } from '../../../src/admin/admin-context.js';
import { type PersonalDataHolder, PersonalDataRegistry } from '../../../src/erasure/index.js';
import { personalDataHolders } from '../../../src/composition.js';
import { LenderMessagesRepository } from '../../../src/lender-api/store/lender-messages.repository.js';
import { Database, Keyring, type Mode, parseEnvironment } from '../../../src/platform/index.js';
import { SCHEMA } from '../../../src/schema.js';
import { runAdmin } from '../../support/admin-command.js';
import { signedIn, startHosted } from '../../support/hosted-client.js';
import { applyForInstantLoan } from '../../support/instant-loans.js';
import { driveTo, readJourney } from '../../support/journey-driver.js';
import { BANK_ACCOUNT, loanRequest } from '../../support/loan-requests.js';
import { followRedirect } from '../../support/redirect-visit.js';
import { type OwnService, startService, TEST_MASTER_KEY } from '../../support/service.js';
import { InstantLoanBench } from '../instant-loans/instant-loan-bench.js';

// The only applicant of this database: all personal data is theirs.
const APPLICANT = { mobile: '9876501234', pan: 'ERASE0001Z' };
const { fullName, addressL1 } = loanRequest().customer;
const KNOWN = [...Object.values(APPLICANT), fullName, addressL1, BANK_ACCOUNT.accNo];

/** The columns with sealed values or keyed hashes that no holder erases, by reason. */
const KEPT: Record<string, string[]> = {
  'a random token, which expires or only lets the partner read the journey': [
    'journeys.session_hash',
    'hosted_links.token_hash',
    'hosted_sessions.token_hash',
    'hosted_sessions.previous_token_hash',
    'hosted_sessions.link_hash',
    'hosted_sessions.browser_hash',
    'workbench_sessions.link_hash',
    'workbench_sessions.token_hash',
  ],
  'a count that expires within a day; its hash does not reveal whose': [
    'counted_limits.subject_hash',
    'hosted_limits.subject_hash',
    'sms_limits.mobile_hash',
  ],
  'gone within seconds, or with the action': [
    'link_requests.subject_sealed',
    'journey_intents.told_sealed',
    'journey_intents.sent_sealed',
  ],
  'what was shown or agreed to; it names no applicant': [
    'offer_presentations.content_hash',
    'consent_log.text_hash',
    'consents.text_hash',
    'key_facts_statements.content_sealed',
    'key_facts_statements.content_hash',
    'key_facts_statements.acknowledged_hash',
    'key_facts_pdfs.pdf_sealed',
    'key_facts_pdfs.content_hash',
  ],
  'keyed, to recognize a message that is sent twice': ['lender_messages.body_hash'],
  'the operator’s or the partner’s': [
    'lender_api_keys.private_sealed',
    'lenders.client_key_sealed',
    'lenders.payment_sealed',
    'configuration.gateways_sealed',
    'master_keys.check_sealed',
    'applications.reference_hash',
    'api_keys.key_hash',
    'api_keys.secret_sealed',
    'webhook_subscriptions.secret_sealed',
  ],
};

/** Rows that an erasure itself adds: its notices to the lenders, which name no applicant. */
const WORD_OF_ERASURE: Record<string, string> = {
  // An application that the erasure ends is withdrawn at its lender first.
  lender_questions: `kind = 'WITHDRAWAL' AND reference IN ('ABANDONED', 'ERASURE')`,
  lender_inbox: `kind = 'WITHDRAWAL'`,
};

const REFERENCE = { clientReferenceId: 'order-A1042', metadata: { campaign: 'diwali' } };

let service: OwnService;
let bench: InstantLoanBench;

beforeAll(async () => {
  service = await startService();
  bench = new InstantLoanBench(service);
});

afterAll(async () => {
  await bench?.close();
  await service?.close();
});

/** All holders that are registered when the command erases an applicant. */
function holders(mode: Mode): Promise<readonly PersonalDataHolder[]> {
  const { databaseUrl: DATABASE_URL } = bench.service;
  const environment = parseEnvironment({ DATABASE_URL, MASTER_KEY: TEST_MASTER_KEY });
  return withAdminContext(environment, SCHEMA, {
    kind: 'READS',
    modules: personalDataHolders(mode),
    work: (context) => {
      const { loanHolders, recordHolders } = context.get(PersonalDataRegistry);
      return Promise.resolve([...loanHolders, ...recordHolders]);
    },
  });
}

async function heldColumns(mode: Mode): Promise<string[]> {
  const columns = (await holders(mode)).flatMap(({ personalColumns }) => personalColumns);
  return [...new Set(columns)].toSorted();
}

/** Counts the rows with a value, per column. */
async function filled(columns: readonly string[]): Promise<Record<string, number>> {
  const counts = columns.map((name) => {
    const [table, column] = name.split('.');
    const left = WORD_OF_ERASURE[table] ?? 'false';
    return `(SELECT count(${column})::int FROM ${table} WHERE NOT (${left})) AS "${name}"`;
  });
  const [row] = await bench.records.query<Record<string, number>>(`SELECT ${counts.join(', ')}`);
  return row;
}

/** The whole database as text, with statements decrypted. */
async function everything(): Promise<string> {
  const tables = await bench.records.query<{ name: string }>(
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'`,
  );
  const texts: string[] = [];
  for (const { name } of tables) {
    const rows = await bench.records.query<{ content_sealed?: string }>(`SELECT * FROM ${name}`);
    texts.push(JSON.stringify(rows));
    if (name !== 'key_facts_statements') continue;
    const keyring = bench.service.get<Keyring>(Keyring);
    const open = (sealed = '') => keyring.open(sealed, 'key_facts_statements.content');
    texts.push(...rows.map(({ content_sealed }) => open(content_sealed)));
  }
  return texts.join('\n');
}

/** A headless journey up to the payout, with a visit to the provider's page. */
async function borrowByApi(): Promise<void> {
  const { demo } = bench;
  const headers = { 'idempotency-key': 'of the journey' };
  const { json } = await demo.initiate({ ...loanRequest(APPLICANT), ...REFERENCE }, { headers });
  const journey = { id: json.data.journeyId, session: json.data.journeySession };
  await driveTo(demo, journey, 'KYC_PENDING');
  const { currentNextAction } = await readJourney(demo, journey);
  const page = await followRedirect(currentNextAction.url!);
  await fetch(page.url, { method: 'POST', body: new URLSearchParams({ decision: 'approve' }) });
  await driveTo(demo, journey, 'SANCTIONED');
  // Simulated lenders leave no evidence and no open session, so this fills both columns.
  await bench.records.query(
    `UPDATE journey_redirects SET evidence_sealed = 'x', session_sealed = 'x'`,
  );
  // Simulated lenders store no question, so this fills the column as for a lender that does not respond.
  await bench.records.query(`UPDATE lender_questions SET sent_sealed = 'x' WHERE kind = 'OFFERS'`);
  await bench.service.get<Database>(Database).transaction((tx) =>
    bench.service.get<LenderMessagesRepository>(LenderMessagesRepository).keep(
      tx,
      {
        lenderCode: 'navdhara',
        kind: 'LOAN_EVENT',
        messageId: 'message-1',
        json: '{}',
        partnerId: bench.service.partnerId,
        subjectId: journey.id,
      },
      { event: 'CLOSED' },
    ),
  );
}

/** A hosted journey up to its consent. */
async function begin(): Promise<void> {
  const client = await signedIn(bench.service, await startHosted(bench.service, APPLICANT));
  await client.send303({ agree: '1' });
}

async function borrowAtOnce(): Promise<void> {
  const { json } = await applyForInstantLoan(bench.demo, APPLICANT, 'of the loan');
  await bench.atGateway(json.data, 'pay');
  await bench.reaches(json.data.applicationId, 'SANCTIONED');
}

/** An application whose SMS cannot be sent, and so stays stored. */
async function applyInVain(): Promise<void> {
  const { json } = await applyForInstantLoan(bench.demo, { ...APPLICANT, pan: 'SANDX0011A' });
  expect(json.data.smsSent).toBe(false);
  await bench.isOffered(json.data.applicationId);
}

describe('the sealed columns and keyed hashes of the schema', () => {
  it('each have a holder that erases them, or a reason to stay', async () => {
    const rows = await bench.records.query<{ name: string }>(
      `SELECT table_name || '.' || column_name AS name FROM information_schema.columns
       WHERE table_schema = 'public' AND column_name ~ '(_sealed|_hash)$'`,
    );
    const names = rows.map(({ name }) => name);
    const known = [...(await heldColumns('sandbox')), ...Object.values(KEPT).flat()];
    expect(names.toSorted()).toEqual(known.toSorted());
  });

  it('have the same holders in production, but for the sandbox’s, in one order of erasure', async () => {
    const columns = await heldColumns('sandbox');
    expect(await heldColumns('production')).toEqual(
      columns.filter((name) => !name.startsWith('sandbox_')),
    );
    const places = (await holders('sandbox')).map(({ order }) => order);
    expect(new Set(places).size).toBe(places.length);
  });

  it('hold no data of an applicant who was erased, in each of which there was something', async () => {
    await borrowByApi();
    await begin();
    await borrowAtOnce();
    await applyInVain();
    const held = await heldColumns('sandbox');
    const all = [...held, ...Object.values(KEPT).flat()];
    const before = await filled(all);
    // A column that was always empty would prove nothing.
    expect(held.filter((name) => before[name] === 0)).toEqual([]);

    const subject = ['--mobile', APPLICANT.mobile];
    const { databaseUrl } = bench.service;
    const { code } = await runAdmin(databaseUrl, 'applicants', 'erase', ...subject, '--force');
    expect(code).toBe(0);
    const erased = held.map((name) => [name, 0]);
    expect(await filled(all)).toEqual({ ...before, ...Object.fromEntries(erased) });
    const left = await everything();
    for (const text of KNOWN) expect(left).not.toContain(text);
  });
});
