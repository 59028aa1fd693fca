// Isolated: its process is killed.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { configurationWith, type TestConfiguration } from '../../support/configuration-with.js';
import { eventually } from '../../support/eventually.js';
import { freePort } from '../../support/free-port.js';
import { act, driveTo, journeyIn, type StartedJourney } from '../../support/journey-driver.js';
import { loanRequest } from '../../support/loan-requests.js';
import { type Books, ReferenceLenders } from '../../support/reference-lenders.ts';
import { KillableService, TEST_MS } from '../replicas/killable-service.js';
import { sectionsFor, termsFor } from './lender-stage.js';

vi.setConfig({ testTimeout: 2 * TEST_MS, hookTimeout: TEST_MS });

/** Longer than a lease is, so that a slow machine starts the new process before its end. */
const LEASE_SECONDS = 60;
const PATIENT = { withinMs: 30_000 };
/** Longer than a call: an answer that comes is none of the killed process. */
const LONG_S = 11;

const CHOSEN = 'chosen';
const OTHER = 'other';
const PRODUCTS = [{ code: 'ONLINE_PERSONAL', lenders: [CHOSEN, OTHER] }];
const WHOLE_WAY = [
  'STARTED',
  'OFFERS_ARRIVED',
  'OFFER_SELECTED',
  'KYC_PASSED',
  'ACCOUNT_ACCEPTED',
  'MANDATE_PASSED',
  'ESIGN_PASSED',
  'PAID_OUT',
];

let configuration: TestConfiguration;
let lenders: ReferenceLenders;
let service: KillableService;

beforeAll(async () => {
  const [lenderPort, port] = await Promise.all([ReferenceLenders.port(), freePort()]);
  configuration = configurationWith(sectionsFor(PRODUCTS, lenderPort));
  lenders = await ReferenceLenders.start({
    rinpathUrl: `http://127.0.0.1:${port}`,
    port: lenderPort,
    lenders: termsFor(PRODUCTS),
    passesUnvisitedSteps: true,
  });
  service = await KillableService.open({ port, env: { CONFIG_FILE: configuration.file } });
});

afterAll(async () => {
  await service?.close();
  await lenders.stop();
  configuration.remove();
});

async function applicationOf(journey: StartedJourney): Promise<string> {
  const [row] = await service.records.query<{ id: string }>(
    'SELECT application_id AS id FROM journeys WHERE id = $1',
    [journey.id],
  );
  return row.id;
}

/** What the lenders have of a journey's application. */
async function booksOf(journey: StartedJourney): Promise<Books> {
  const [id, books] = await Promise.all([applicationOf(journey), lenders.books()]);
  const entries = Object.entries(books).map(([name, rows]) => {
    const mine = (row: { applicationId?: string; key?: string }) =>
      row.applicationId === id || row.key?.startsWith(journey.id) === true;
    return [name, (rows as object[]).filter(mine)];
  });
  return Object.fromEntries(entries) as Books;
}

/** Takes an action whose process will not live to answer it. */
function actInVain(journey: StartedJourney, kind: 'SELECT_OFFER' | 'SUBMIT_BANK_ACCOUNT') {
  return act(service.partner, journey, kind).then(
    ({ status }) => status,
    () => 'no answer',
  );
}

/** The lender has taken note of what was ordered to go wrong. */
function come(message: string): Promise<unknown> {
  return eventually(
    async () => !(await lenders.faults()).some((fault) => fault.message === message),
    PATIENT,
  );
}

async function expectOneChoice(journey: StartedJourney): Promise<void> {
  const { selections } = await booksOf(journey);
  const intents = await service.records.query<{ id: string }>(
    `SELECT id FROM journey_intents WHERE journey_id = $1 AND kind = 'SELECT_OFFER'`,
    [journey.id],
  );
  expect(intents).toHaveLength(1);
  expect(selections).toMatchObject([
    { key: `${journey.id}:SELECTION:${intents[0].id}`, timesMade: 1, timesAsked: 2 },
  ]);
  const [row] = await service.records.query<{ reference: string }>(
    `SELECT selection ->> 'applicationReference' AS reference FROM journeys WHERE id = $1`,
    [journey.id],
  );
  expect(row.reference).toBe(selections[0].applicationReference);
}

describe('killed before lenders’ answers have come, and between others and their record', () => {
  let choosing: StartedJourney;
  let adding: StartedJourney;
  let asking: StartedJourney;
  let paid: StartedJourney;

  beforeAll(async () => {
    const states = ['OFFERS_RECEIVED', 'BANK_ACCOUNT_PENDING', 'ESIGN_PENDING'];
    [choosing, adding, paid] = await Promise.all(
      states.map((state) => journeyIn(service.partner, state)),
    );
    // Nothing is paid out before the lock is there.
    await lenders.order('*', 'disbursements', 'unavailable', { times: null });
    await service.partner.returned(paid.id, paid.session, 'ESIGN');
    await eventually(async () => {
      expect(await service.records.state(paid.id)).toBe('DISBURSEMENT_PENDING');
      for (const { id } of [choosing, adding, paid])
        expect((await service.records.inbox(id)).waiting).toBe(0);
    }, PATIENT);
    const inbox = await service.hold('LOCK TABLE lender_inbox IN SHARE ROW EXCLUSIVE MODE');
    await lenders.takeFaultsBack();
    const { json } = await service.partner.initiate(loanRequest());
    asking = { id: json.data.journeyId, session: json.data.journeySession };
    await eventually(async () => {
      expect((await booksOf(asking)).applications).toHaveLength(2);
      expect((await booksOf(paid)).payouts).toHaveLength(1);
    }, PATIENT);
    const calls = ['selections', 'accounts'];
    for (const call of calls) await lenders.order('*', call, 'slow', { seconds: LONG_S });
    const answers = [actInVain(choosing, 'SELECT_OFFER'), actInVain(adding, 'SUBMIT_BANK_ACCOUNT')];
    for (const call of calls) await come(call);
    await service.killAt(inbox);
    expect(await Promise.all(answers)).toEqual(['no answer', 'no answer']);
    for (const { id } of [asking, paid])
      expect(await service.records.inbox(id)).toMatchObject({ waiting: 0 });
    await service.records.query(
      `UPDATE journeys SET lease_until = app_now() + make_interval(secs => $1)
       WHERE lease_until IS NOT NULL`,
      [LEASE_SECONDS],
    );
    await service.start();
  });

  it('a choice is made once: the next process has it, also offers, an account and a payout', async () => {
    expect((await booksOf(choosing)).selections).toHaveLength(1);
    const early = await act(service.partner, choosing, 'SELECT_OFFER');
    expect([early.status, early.json.code]).toEqual([409, 'action_in_flight']);
    await service.records.travel(LEASE_SECONDS * 1_000);
    // What was set out to do is done now, so the same action again is one step too many.
    const late = await act(service.partner, choosing, 'SELECT_OFFER');
    expect([late.status, late.json.code]).toEqual([409, 'wrong_step']);
    await expectOneChoice(choosing);

    await eventually(async () => {
      expect(await service.records.state(adding.id)).toBe('MANDATE_PENDING');
      expect(await service.records.state(paid.id)).toBe('SANCTIONED');
    }, PATIENT);
    const { questions } = await booksOf(adding);
    const asked = questions.filter(({ call }) => call === 'accounts');
    expect(asked).toMatchObject([{ timesAsked: 2, verdict: 'ACCEPTED' }]);

    await driveTo(service.partner, asking, 'KYC_PENDING');
    for (const journey of [choosing, asking]) {
      expect(await service.records.trail(journey.id)).toEqual(WHOLE_WAY.slice(0, 3));
      await eventually(async () => {
        const books = await booksOf(journey);
        expect(books.withdrawals).toMatchObject([{ reason: 'NOT_CHOSEN' }]);
        const offers = books.questions.filter(({ call }) => call === 'offers');
        expect(offers.map(({ verdict }) => verdict)).toEqual(['OFFERED', 'OFFERED']);
      });
      expect((await service.records.inbox(journey.id)).waiting).toBe(0);
    }
    expect(await service.records.trail(paid.id)).toEqual(WHOLE_WAY);
    for (const journey of [adding, paid]) {
      const { selections, payouts } = await booksOf(journey);
      expect([selections.length, payouts.length]).toEqual([1, journey === paid ? 1 : 0]);
    }
  });
});
