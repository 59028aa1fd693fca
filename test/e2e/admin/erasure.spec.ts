import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Keyring, parseEnvironment } from '../../../src/platform/index.js';
import { SandboxLender } from '../../../src/sandbox/index.js';
import { runAdmin } from '../../support/admin-command.js';
import { driveTo, journeyIn, readJourney, startJourney } from '../../support/journey-driver.js';
import { JourneyRecords } from '../../support/journey-records.js';
import { BANK_ACCOUNT, loanRequest } from '../../support/loan-requests.js';
import { type PartnerClient, partnerClient } from '../../support/partner-client.js';
import { TEST_MASTER_KEY, type TestService } from '../../support/service.js';
import { sharedService } from '../../support/shared-service.js';

/** What the tests' applicants are known by; none of it may be found after an erasure. */
const NAME = 'Asha Verma';
const ADDRESS = '12 Residency Road';

let service: TestService;
let records: JourneyRecords;
let demo: PartnerClient;

beforeAll(async () => {
  service = await sharedService();
  records = new JourneyRecords(service.databaseUrl);
  demo = partnerClient(service);
});

afterAll(async () => {
  await records.close();
});

const erase = (...parameters: string[]) =>
  runAdmin(service.databaseUrl, 'applicants', 'erase', ...parameters);

let applicants = 0;

/** An applicant of whom there is no other journey. */
function newApplicant(): { mobile: string; pan: string } {
  applicants += 1;
  const number = String(applicants).padStart(4, '0');
  return { mobile: `987650${number}`, pan: `ERASE${number}Z` };
}

const keyring = new Keyring(
  parseEnvironment({ MASTER_KEY: TEST_MASTER_KEY, DATABASE_URL: 'postgres://x/y' }).masterKeys,
);

const PURPOSES: Record<string, (journeyId: string) => string> = {
  'journeys.applicant_sealed': (id) => `journeys.applicant:${id}`,
  'journeys.bank_account_sealed': (id) => `journeys.bank_account:${id}`,
  'journey_intents.payload_sealed': () => 'journey_intents.payload',
  'lender_questions.payload_sealed': () => 'lender_questions.payload',
  'lender_inbox.answer_sealed': () => 'lender_inbox.answer',
  'key_facts_statements.content_sealed': () => 'key_facts_statements.content',
  'sandbox_sessions.pan_sealed': () => 'sandbox_sessions.pan',
};

const OWNER_COLUMNS: Record<string, string> = {
  journeys: 'id',
  lender_questions: 'subject_id',
  lender_inbox: 'subject_id',
  sandbox_sessions: 'subject_id',
};

/** Everything that is kept of a journey under seal, opened. */
async function openedTexts(journeyId: string): Promise<Record<string, string[]>> {
  const texts: Record<string, string[]> = {};
  for (const [name, purpose] of Object.entries(PURPOSES)) {
    const [table, column] = name.split('.');
    const owner = OWNER_COLUMNS[table] ?? 'journey_id';
    const rows = await records.query<{ sealed: string }>(
      `SELECT ${column} AS sealed FROM ${table} WHERE ${owner} = $1 AND ${column} IS NOT NULL`,
      [journeyId],
    );
    texts[name] = rows.map(({ sealed }) => keyring.open(sealed, purpose(journeyId)));
  }
  return texts;
}

/** The whole database as text, without what is sealed. */
async function plainTexts(): Promise<string> {
  const tables = await records.query<{ name: string }>(
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'`,
  );
  const texts: string[] = [];
  for (const { name } of tables) {
    const rows = await records.query(`SELECT * FROM ${name}`);
    texts.push(JSON.stringify(rows));
  }
  return texts.join('\n');
}

describe('applicants erase', () => {
  it('erases what is kept of the applicant, and keeps the figures', async () => {
    const applicant = newApplicant();
    const { mobile, pan } = applicant;
    const { json } = await demo.initiate(loanRequest(applicant), {
      headers: { 'idempotency-key': 'erase-me' },
    });
    const journey = { id: json.data.journeyId, session: json.data.journeySession };
    await driveTo(demo, journey, 'SANCTIONED');
    const view = await readJourney(demo, journey);
    const before = {
      events: await records.events(journey.id),
      trail: await records.trail(journey.id),
      lead: (await demo.get(`/leads/${json.data.applicationId}/status`)).json.data,
    };
    const known = Object.values(await openedTexts(journey.id)).join('\n');
    // The test would prove nothing if it looked in the wrong places.
    for (const text of [NAME, ADDRESS, mobile, pan, BANK_ACCOUNT.accNo]) {
      expect(known).toContain(text);
    }

    const { code, out, error } = await erase('--journey', journey.id);
    expect({ code, out, error }).toEqual({
      code: 0,
      out: `Erased the personal data of ${journey.id}.`,
      error: '',
    });

    const left = await openedTexts(journey.id);
    const nonEmpty = Object.entries(left).filter(([, texts]) => texts.length > 0);
    // The lenders are told of the erasure, without the applicant, and note it.
    const word = ['lender_questions.payload_sealed', 'lender_inbox.answer_sealed'];
    const others = nonEmpty.map(([name]) => name).filter((name) => !word.includes(name));
    expect(others).toEqual(['key_facts_statements.content_sealed']);
    const everything = `${Object.values(left).join('\n')}\n${await plainTexts()}`;
    for (const text of [NAME, ADDRESS, mobile, pan, BANK_ACCOUNT.accNo]) {
      expect(everything).not.toContain(text);
    }
    expect(
      await records.query(`SELECT mobile_hash, pan_hash FROM journeys WHERE id = $1`, [journey.id]),
    ).toEqual([{ mobile_hash: null, pan_hash: null }]);
    expect(
      await records.query(`SELECT 1 FROM idempotent_answers WHERE idempotency_key = 'erase-me'`),
    ).toEqual([]);

    expect(await readJourney(demo, journey)).toEqual(view);
    expect(await records.events(journey.id)).toEqual(before.events);
    expect(await records.trail(journey.id)).toEqual([...before.trail, 'APPLICANT_ERASED']);
    expect((await demo.get(`/leads/${json.data.applicationId}/status`)).json.data).toEqual(
      before.lead,
    );
  });

  it('the service goes on with the journey: reads, actions, returns, links, statement', async () => {
    const journey = await journeyIn(demo, 'KYC_PENDING', newApplicant());
    const before = await readJourney(demo, journey);
    expect((await erase('--journey', journey.id, '--force')).code).toBe(0);
    const after = await readJourney(demo, journey);
    expect(after).toMatchObject({ state: 'ABANDONED', outcome: 'ABANDONED' });
    expect(after.selectedOffer).toEqual(before.selectedOffer);
    const act = await demo.action(journey.id, journey.session, 'SELECT_OFFER', {
      offerId: before.offers[0].offerId,
    });
    expect(act.status).toBe(409);
    const bank = await demo.action(
      journey.id,
      journey.session,
      'SUBMIT_BANK_ACCOUNT',
      BANK_ACCOUNT,
    );
    expect(bank.status).toBe(409);
    const returned = await demo.returned(journey.id, journey.session, 'KYC');
    expect([returned.status, returned.json.data.nextAction.type]).toEqual([
      200,
      'JOURNEY_ABANDONED',
    ]);
    const link = await fetch(before.currentNextAction.url!, { redirect: 'manual' });
    expect(link.status).toBeLessThan(500);
    const statement = await fetch(before.offers[0].kfsLink);
    expect(statement.status).toBe(200);
    expect(await statement.text()).not.toContain(NAME);
    expect((await demo.get('/leads?limit=5')).status).toBe(200);
  });

  it('a return that is with the provider meanwhile brings no data of the applicant back', async () => {
    const journey = await journeyIn(demo, 'KYC_PENDING', newApplicant());
    const asked = Promise.withResolvers<void>();
    const erased = Promise.withResolvers<void>();
    const ask = vi.spyOn(service.get(SandboxLender), 'ask').mockImplementation(async () => {
      asked.resolve();
      await erased.promise;
      return { status: 'PENDING' };
    });
    const returned = demo.returned(journey.id, journey.session, 'KYC');
    await asked.promise;
    expect((await erase('--journey', journey.id, '--force')).code).toBe(0);
    erased.resolve();
    expect((await returned).json.data.nextAction.type).toBe('JOURNEY_ABANDONED');
    ask.mockRestore();
    expect((await openedTexts(journey.id))['lender_questions.payload_sealed'].join()).not.toContain(
      NAME,
    );
    const open = await records.query<{ kind: string }>(
      `SELECT kind FROM lender_questions WHERE subject_id = $1 AND status = 'OPEN'`,
      [journey.id],
    );
    expect(open.map(({ kind }) => kind).filter((kind) => kind !== 'WITHDRAWAL')).toEqual([]);
  });

  it('finds every journey of a mobile number or a PAN, of every partner', async () => {
    const { mobile, pan } = newApplicant();
    const first = await journeyIn(demo, 'REJECTED', { mobile, pan: 'SANDX0001A' });
    const second = await journeyIn(demo, 'KYC_PENDING', { mobile, pan });
    const stranger = await journeyIn(demo, 'REJECTED', { pan: 'SANDX0001A' });
    const byPan = await erase('--pan', pan.toLowerCase(), '--force');
    expect(byPan.out).toBe(`Erased the personal data of ${second.id}.`);
    const byMobile = await erase('--mobile', mobile);
    expect(byMobile.out).toBe(`Erased the personal data of ${first.id}.`);
    expect((await openedTexts(stranger.id))['journeys.applicant_sealed']).toHaveLength(1);
  });

  it('done again changes nothing, and says so', async () => {
    const { mobile } = newApplicant();
    const journey = await journeyIn(demo, 'REJECTED', { mobile, pan: 'SANDX0001A' });
    await erase('--journey', journey.id);
    const again = await erase('--journey', journey.id);
    expect(again).toMatchObject({
      code: 0,
      out: `The personal data of ${journey.id} was erased before.`,
    });
    const byMobile = await erase('--mobile', mobile);
    expect(byMobile).toMatchObject({ code: 0 });
    expect(byMobile.out).toContain('There is no loan of this applicant');
    const trail = await records.trail(journey.id);
    expect(trail.filter((trigger) => trigger === 'APPLICANT_ERASED')).toHaveLength(1);
  });

  it('refuses a journey in progress, and erases nothing of the others either', async () => {
    const { mobile, pan } = newApplicant();
    const over = await journeyIn(demo, 'REJECTED', { mobile, pan: 'SANDX0001A' });
    const open = await journeyIn(demo, 'OFFERS_RECEIVED', { mobile, pan });
    const { code, error } = await erase('--mobile', mobile);
    expect(code).toBe(1);
    expect(error).toBe(
      `Nothing was erased. ${open.id} is in progress (OFFERS_RECEIVED). ` +
        'With --force it would be abandoned and then erased.',
    );
    for (const { id } of [over, open]) {
      expect((await openedTexts(id))['journeys.applicant_sealed']).toHaveLength(1);
      expect(await records.trail(id)).not.toContain('APPLICANT_ERASED');
    }
  });

  it('--force abandons first: the event, the lead, the audit', async () => {
    const journey = await journeyIn(demo, 'BANK_ACCOUNT_PENDING', newApplicant());
    expect((await erase('--journey', journey.id, '--force')).code).toBe(0);
    const view = await readJourney(demo, journey);
    expect(view.state).toBe('ABANDONED');
    expect((await records.events(journey.id)).at(-1)).toMatch(/journey\.abandoned$/);
    const lead = await demo.get(`/leads/${view.applicationId}/status`);
    expect(lead.json.data.status).toBe('ABANDONED');
    expect((await records.trail(journey.id)).slice(-2)).toEqual(['WENT_IDLE', 'APPLICANT_ERASED']);
  });

  it('never takes a journey whose money is on its way, nor one with an action in flight', async () => {
    const paying = await journeyIn(demo, 'DISBURSEMENT_PENDING', { pan: 'SANDX0008A' });
    const onItsWay = await erase('--journey', paying.id, '--force');
    expect(onItsWay.code).toBe(1);
    expect(onItsWay.error).toContain('has its money on the way');
    const busy = await journeyIn(demo, 'OFFERS_RECEIVED', newApplicant());
    await records.query(
      `UPDATE journeys SET lease_until = app_now() + interval '20 seconds' WHERE id = $1`,
      [busy.id],
    );
    const inFlight = await erase('--journey', busy.id, '--force');
    expect(inFlight.code).toBe(1);
    expect(inFlight.error).toContain('has an action in progress');
    for (const [{ id }, state] of [
      [paying, 'DISBURSEMENT_PENDING'],
      [busy, 'OFFERS_RECEIVED'],
    ] as const) {
      expect(await records.state(id)).toBe(state);
      expect((await openedTexts(id))['journeys.applicant_sealed']).toHaveLength(1);
    }
  });

  it('a hosted journey’s link runs out with it', async () => {
    const { mobile, pan } = newApplicant();
    const journey = await startJourney(demo, { channel: 'API_HOSTED', mobile, pan });
    expect((await erase('--pan', pan, '--force')).code).toBe(0);
    const [link] = await records.query<{ isOver: boolean }>(
      'SELECT expires_at <= app_now() AS "isOver" FROM hosted_links WHERE journey_id = $1',
      [journey.id],
    );
    expect(link.isOver).toBe(true);
    expect((await readJourney(demo, journey)).state).toBe('ABANDONED');
  });

  it.each([[[]], [['--mobile', '9876543210', '--pan', 'ABCDE1234F']]])(
    'wants one of its four options: %j',
    async (parameters) => {
      const { code, error } = await erase(...parameters);
      expect({ code, error }).toEqual({
        code: 1,
        error: 'Give one of --journey, --application, --mobile and --pan.',
      });
    },
  );
});
