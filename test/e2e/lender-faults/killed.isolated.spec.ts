// Isolated: its process is killed.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { configurationWith, type TestConfiguration } from '../../support/configuration-with.js';
import { eventually } from '../../support/eventually.js';
import { freePort } from '../../support/free-port.js';
import {
  act,
  driveTo,
  journeyIn,
  readJourney,
  type StartedJourney,
} from '../../support/journey-driver.js';
import { loanRequest } from '../../support/loan-requests.js';
import { type Books, ReferenceLenders } from '../../support/reference-lenders.ts';
import { openRedirect } from '../../support/redirect-visit.js';
import { KillableService, TEST_MS } from '../replicas/killable-service.js';
import { sectionsFor, termsFor } from './lender-stage.js';
import { press } from './visiting-applicant.js';

vi.setConfig({ testTimeout: 2 * TEST_MS, hookTimeout: TEST_MS });

/** Longer than a lease is, so that a slow machine starts the new process before its end. */
const LEASE_SECONDS = 60;
const PATIENT = { withinMs: 30_000 };
/** Longer than a call: an answer that comes is none of the killed process. */
const LONG_S = 11;

const CHOSEN = 'chosen';
const OTHER = 'other';
const PRODUCTS = [{ code: 'ONLINE_PERSONAL', lenders: [CHOSEN, OTHER] }];
const TO_KYC = ['STARTED', 'OFFERS_ARRIVED', 'OFFER_SELECTED'];
const WHOLE_WAY = [
  ...TO_KYC,
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

/** A journey whose next choice is the first lender's offer. */
async function journeyAt(state: string): Promise<StartedJourney> {
  return journeyIn(service.partner, state);
}

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
  return unanswered(act(service.partner, journey, kind));
}

function unanswered(answer: Promise<{ status: number }>): Promise<number | string> {
  return answer.then(
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

/** How many moves there are to a state. */
const MOVES = { KYC_PENDING: 3, BANK_ACCOUNT_PENDING: 4, MANDATE_PENDING: 5, SANCTIONED: 8 };

/** The journey goes on, with one choice and one payout. */
async function expectGoesOn(journey: StartedJourney, state: keyof typeof MOVES): Promise<void> {
  await driveTo(service.partner, journey, state);
  expect(await service.records.trail(journey.id)).toEqual(WHOLE_WAY.slice(0, MOVES[state]));
  const { selections, payouts } = await booksOf(journey);
  expect([selections.length, payouts.length]).toEqual([1, state === 'SANCTIONED' ? 1 : 0]);
}

describe('killed before a lender’s word has come', () => {
  let choosing: StartedJourney;
  let visiting: StartedJourney;
  let adding: StartedJourney;
  let link: string;

  beforeAll(async () => {
    [choosing, visiting, adding] = await Promise.all([
      journeyAt('OFFERS_RECEIVED'),
      journeyAt('KYC_PENDING'),
      journeyAt('BANK_ACCOUNT_PENDING'),
    ]);
    link = (await readJourney(service.partner, visiting)).currentNextAction.url!;
    const calls = ['selections', 'sessions', 'accounts'];
    for (const call of calls) await lenders.order('*', call, 'slow', { seconds: LONG_S });
    const answers = [
      actInVain(choosing, 'SELECT_OFFER'),
      unanswered(openRedirect(link)),
      actInVain(adding, 'SUBMIT_BANK_ACCOUNT'),
    ];
    for (const call of calls) await come(call);
    await service.kill();
    expect(await Promise.all(answers)).toEqual(answers.map(() => 'no answer'));
    await service.records.untilNobodyIsConnected();
    await service.records.query(
      `UPDATE journeys SET lease_until = app_now() + make_interval(secs => $1)
       WHERE lease_until IS NOT NULL`,
      [LEASE_SECONDS],
    );
    await service.start();
  });

  it('a choice that is taken, not answered yet: the next process has it, once', async () => {
    expect((await booksOf(choosing)).selections).toHaveLength(1);
    const early = await act(service.partner, choosing, 'SELECT_OFFER');
    expect([early.status, early.json.code]).toEqual([409, 'action_in_flight']);
    await service.records.travel(LEASE_SECONDS * 1_000);
    // What was set out to do is done now, so the same action again is one step too many.
    const late = await act(service.partner, choosing, 'SELECT_OFFER');
    expect([late.status, late.json.code]).toEqual([409, 'wrong_step']);
    expect(await service.records.trail(choosing.id)).toEqual(TO_KYC);
    await expectOneChoice(choosing);
    await expectGoesOn(choosing, 'KYC_PENDING');
  });

  it('a session that is opened: the next visit leads to the same one', async () => {
    const page = (await openRedirect(link)).headers.get('location');
    expect(page).toContain('/visits/');
    const { questions } = await booksOf(visiting);
    const asked = questions.filter(({ call }) => call === 'sessions');
    expect(asked).toMatchObject([{ timesAsked: 2, verdict: 'OPENED' }]);
    await press(page!, 'KYC', 'approve');
    await expectGoesOn(visiting, 'BANK_ACCOUNT_PENDING');
  });

  it('an account that is accepted: it is asked about under the same key', async () => {
    await eventually(async () => {
      expect(await service.records.state(adding.id)).toBe('MANDATE_PENDING');
    }, PATIENT);
    const { questions } = await booksOf(adding);
    const asked = questions.filter(({ call }) => call === 'accounts');
    expect(asked).toMatchObject([{ timesAsked: 2, verdict: 'ACCEPTED' }]);
    await expectGoesOn(adding, 'MANDATE_PENDING');
  });
});

describe('killed between a lender’s word and its record', () => {
  let asking: StartedJourney;
  let choosing: StartedJourney;
  let returning: StartedJourney;
  let paid: StartedJourney;

  beforeAll(async () => {
    [choosing, returning, paid] = await Promise.all([
      journeyAt('OFFERS_RECEIVED'),
      journeyAt('KYC_PENDING'),
      journeyAt('ESIGN_PENDING'),
    ]);
    // Nothing is paid out before the lock is there.
    await lenders.order('*', 'disbursements', 'unavailable', { times: null });
    await service.partner.returned(paid.id, paid.session, 'ESIGN');
    await eventually(async () => {
      expect(await service.records.state(paid.id)).toBe('DISBURSEMENT_PENDING');
      expect((await booksOf(returning)).withdrawals).toHaveLength(1);
      for (const { id } of [choosing, returning, paid]) {
        expect((await service.records.inbox(id)).waiting).toBe(0);
      }
    }, PATIENT);
    const inbox = await service.hold('LOCK TABLE lender_inbox IN SHARE ROW EXCLUSIVE MODE');
    await lenders.takeFaultsBack();
    const { json } = await service.partner.initiate(loanRequest());
    asking = { id: json.data.journeyId, session: json.data.journeySession };
    expect((await act(service.partner, choosing, 'SELECT_OFFER')).status).toBe(200);
    const redirects = await service.hold('LOCK TABLE journey_redirects IN EXCLUSIVE MODE');
    const answer = unanswered(service.partner.returned(returning.id, returning.session, 'KYC'));
    await redirects.waiting('journey_redirects');
    await eventually(async () => {
      expect((await booksOf(asking)).applications).toHaveLength(2);
      expect((await booksOf(choosing)).withdrawals).toHaveLength(1);
      expect((await booksOf(paid)).payouts).toHaveLength(1);
      const { questions } = await booksOf(returning);
      expect(questions.find(({ call }) => call === 'steps')).toMatchObject({ verdict: 'PASSED' });
    }, PATIENT);
    await service.killAt(inbox, redirects);
    expect(await answer).toBe('no answer');
    for (const journey of [asking, choosing, returning, paid]) {
      expect((await service.records.inbox(journey.id)).waiting).toBe(0);
    }
    expect(await service.records.state(paid.id)).toBe('DISBURSEMENT_PENDING');
    await service.travel(LEASE_SECONDS * 1_000);
    await service.start();
  });

  it('offers, a step and the word that others were not chosen: each counts once', async () => {
    await expectGoesOn(asking, 'KYC_PENDING');
    await expectGoesOn(choosing, 'KYC_PENDING');
    await expectGoesOn(returning, 'BANK_ACCOUNT_PENDING');
    for (const journey of [asking, choosing, returning]) {
      await eventually(async () => {
        const { withdrawals, questions } = await booksOf(journey);
        expect(withdrawals).toMatchObject([{ reason: 'NOT_CHOSEN' }]);
        const offers = questions.filter(({ call }) => call === 'offers');
        expect(offers.map(({ verdict }) => verdict)).toEqual(['OFFERED', 'OFFERED']);
      });
      expect((await service.records.inbox(journey.id)).waiting).toBe(0);
    }
  });

  it('a payout: the money leaves once, and the journey is sanctioned once', async () => {
    await expectGoesOn(paid, 'SANCTIONED');
  });
});
