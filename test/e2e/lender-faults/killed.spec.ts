import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
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

const ACTION_LEASE_MS = 30_000;
const QUESTION_LEASE_MS = 20_000;
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

beforeEach(async () => {
  await lenders.takeFaultsBack();
});

afterAll(async () => {
  await service.close();
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

async function expectSanctioned(journey: StartedJourney): Promise<void> {
  await driveTo(service.partner, journey, 'SANCTIONED');
  await expectPaidOnce(journey);
}

async function expectPaidOnce(journey: StartedJourney): Promise<void> {
  expect(await service.records.trail(journey.id)).toEqual(WHOLE_WAY);
  const { selections, payouts } = await booksOf(journey);
  expect([selections.length, payouts.length]).toEqual([1, 1]);
}

describe('killed between a lender’s word and its record', () => {
  it('a choice that is taken, not answered yet: another replica has it, once', async () => {
    const beside = await service.startBeside();
    try {
      const journey = await journeyAt('OFFERS_RECEIVED');
      await lenders.order('*', 'selections', 'slow', { seconds: LONG_S });
      const answer = actInVain(journey, 'SELECT_OFFER');
      await come('selections');
      await service.kill();
      expect(await answer).toBe('no answer');
      expect((await booksOf(journey)).selections).toHaveLength(1);
      const partner = service.partnerAt(beside);
      const early = await act(partner, journey, 'SELECT_OFFER');
      expect([early.status, early.json.code]).toEqual([409, 'action_in_flight']);
      await service.records.travel(ACTION_LEASE_MS);
      // What was set out to do is done now, so the same action again is one step too many.
      const late = await act(partner, journey, 'SELECT_OFFER');
      expect([late.status, late.json.code]).toEqual([409, 'wrong_step']);
      expect(await service.records.trail(journey.id)).toEqual(TO_KYC);
      await expectOneChoice(journey);
      await driveTo(partner, journey, 'SANCTIONED');
      await expectPaidOnce(journey);
    } finally {
      await beside.kill();
      await service.start();
    }
  });

  it('a choice that was answered: the scheduler has it, once', async () => {
    const journey = await journeyAt('OFFERS_RECEIVED');
    const lock = await service.hold('LOCK TABLE journey_redirects IN EXCLUSIVE MODE');
    const answer = actInVain(journey, 'SELECT_OFFER');
    await lock.waiting('journey_redirects');
    await service.killAt(lock);
    expect(await answer).toBe('no answer');
    await service.travel(ACTION_LEASE_MS);
    await service.start();
    await eventually(async () => {
      expect(await service.records.state(journey.id)).toBe('KYC_PENDING');
    }, PATIENT);
    expect(await service.records.trail(journey.id)).toEqual(TO_KYC);
    await expectOneChoice(journey);
    await expectSanctioned(journey);
  });

  it('a session that is opened: the next visit leads to the same one', async () => {
    const journey = await journeyAt('KYC_PENDING');
    const { url } = (await readJourney(service.partner, journey)).currentNextAction;
    await lenders.order('*', 'sessions', 'slow', { seconds: LONG_S });
    const visit = openRedirect(url!).then(
      ({ status }) => status,
      () => 'no answer',
    );
    await come('sessions');
    await service.kill();
    expect(await visit).toBe('no answer');
    await service.start();
    await service.travel(10_001);
    const page = (await openRedirect(url!)).headers.get('location');
    expect(page).toContain('/visits/');
    const { questions } = await booksOf(journey);
    const asked = questions.filter(({ call }) => call === 'sessions');
    expect(asked).toMatchObject([{ timesAsked: 2, verdict: 'OPENED' }]);
    await press(page!, 'KYC', 'approve');
    await expectSanctioned(journey);
  });

  it('an account that is accepted: it is asked about under the same key', async () => {
    const journey = await journeyAt('BANK_ACCOUNT_PENDING');
    await lenders.order('*', 'accounts', 'slow', { seconds: LONG_S });
    const answer = actInVain(journey, 'SUBMIT_BANK_ACCOUNT');
    await come('accounts');
    await service.kill();
    expect(await answer).toBe('no answer');
    await service.travel(ACTION_LEASE_MS);
    await service.start();
    await eventually(async () => {
      expect(await service.records.state(journey.id)).toBe('MANDATE_PENDING');
    }, PATIENT);
    const { questions } = await booksOf(journey);
    const asked = questions.filter(({ call }) => call === 'accounts');
    expect(asked).toMatchObject([{ timesAsked: 2, verdict: 'ACCEPTED' }]);
    await expectSanctioned(journey);
  });

  it('offers, a step and the word that others were not chosen: each counts once', async () => {
    const [choosing, returning] = await Promise.all([
      journeyAt('OFFERS_RECEIVED'),
      journeyAt('KYC_PENDING'),
    ]);
    await eventually(async () => {
      expect((await booksOf(returning)).withdrawals).toHaveLength(1);
      for (const { id } of [choosing, returning]) {
        expect((await service.records.inbox(id)).waiting).toBe(0);
      }
    }, PATIENT);
    const lock = await service.hold('LOCK TABLE lender_inbox IN SHARE ROW EXCLUSIVE MODE');
    const { json } = await service.partner.initiate(loanRequest());
    const asking = { id: json.data.journeyId, session: json.data.journeySession };
    expect((await act(service.partner, choosing, 'SELECT_OFFER')).status).toBe(200);
    const returned = service.partner.returned(returning.id, returning.session, 'KYC').then(
      ({ status }) => status,
      () => 'no answer',
    );
    await eventually(async () => {
      expect((await booksOf(asking)).applications).toHaveLength(2);
      expect((await booksOf(choosing)).withdrawals).toHaveLength(1);
      const { questions } = await booksOf(returning);
      expect(questions.find(({ call }) => call === 'steps')).toMatchObject({ verdict: 'PASSED' });
    }, PATIENT);
    await service.killAt(lock);
    expect(await returned).toBe('no answer');
    for (const journey of [asking, choosing, returning]) {
      expect((await service.records.inbox(journey.id)).waiting).toBe(0);
    }
    await service.travel(QUESTION_LEASE_MS);
    await service.start();
    for (const journey of [asking, choosing, returning]) await expectSanctioned(journey);
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
    const journey = await journeyAt('ESIGN_PENDING');
    // Time to have the lock before the verdict is given.
    await lenders.order('*', 'disbursements', 'late-poll', { times: 2, seconds: 4 });
    await service.partner.returned(journey.id, journey.session, 'ESIGN');
    expect((await readJourney(service.partner, journey)).state).toBe('DISBURSEMENT_PENDING');
    const lock = await service.hold('LOCK TABLE lender_inbox IN SHARE ROW EXCLUSIVE MODE');
    await eventually(async () => expect((await booksOf(journey)).payouts).toHaveLength(1), PATIENT);
    await lock.waiting('lender_inbox');
    await service.killAt(lock);
    expect(await service.records.state(journey.id)).toBe('DISBURSEMENT_PENDING');
    await service.travel(QUESTION_LEASE_MS);
    await service.start();
    await expectSanctioned(journey);
  });
});
