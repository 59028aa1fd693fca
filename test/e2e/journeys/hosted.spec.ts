import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SubmitActionService } from '../../../src/journeys/actions/submit-action.service.js';
import { consentDigest, HostedJourneys } from '../../../src/journeys/index.js';
import { JourneysRepository } from '../../../src/journeys/journeys.repository.js';
import { OfferRequests } from '../../../src/journeys/offers/offer-requests.js';
import { Database } from '../../../src/platform/index.js';
import { eventually } from '../../support/eventually.js';
import { BANK_ACCOUNT, loanRequest } from '../../support/loan-requests.js';
import type { Journey } from '../../support/partner-client.js';
import { JourneyBench } from './journey-bench.js';

const WAIT = { type: 'WAITING_FOR_REDIRECT', category: 'WAIT' };

let bench: JourneyBench;

beforeAll(async () => {
  bench = await JourneyBench.open();
  await bench.keepOneLender();
});

afterAll(() => bench.close());

async function startHosted(pan?: string): Promise<string> {
  const { json } = await bench.demo.initiate(loanRequest({ channel: 'API_HOSTED', pan }));
  return json.data.journeyId;
}

async function read(id: string): Promise<Journey> {
  return (await bench.demo.journey(id)).json.data;
}

function reaches(id: string, state: string): Promise<Journey> {
  return eventually(async () => {
    const journey = await read(id);
    expect(journey.state).toBe(state);
    return journey;
  });
}

const row = async (id: string) => (await bench.service.get(JourneysRepository).find('demo', id))!;

/** What the screens do once the applicant has confirmed the mobile and consented. */
async function askLenders(id: string): Promise<void> {
  const journey = await row(id);
  const hosted = bench.service.get(HostedJourneys);
  const key = { partnerId: journey.partnerId, journeyId: id };
  const shown = consentDigest(await hosted.consentText(key, 'en'));
  await hosted.recordConsent(key, 'en', shown, '198.51.100.7');
  const requests = bench.service.get(OfferRequests);
  await bench.service.get(Database).transaction((tx) => requests.ask(tx, journey));
}

/** What the screens do when the applicant sends one of them off. */
async function submit(id: string, kind: 'SELECT_OFFER' | 'SUBMIT_BANK_ACCOUNT', payload: object) {
  return bench.service.get(SubmitActionService).submit(await row(id), kind, payload);
}

async function toKyc(pan?: string): Promise<string> {
  const id = await startHosted(pan);
  await askLenders(id);
  const { offers } = await reaches(id, 'OFFERS_RECEIVED');
  await submit(id, 'SELECT_OFFER', { offerId: offers[0].offerId });
  return id;
}

describe('a hosted journey', () => {
  it('asks no lender by itself, however long it waits', async () => {
    const id = await startHosted();
    await bench.service.travel(3 * 3_600_000);
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    const asked = await bench.query('SELECT 1 FROM lender_questions WHERE subject_id = $1', [id]);
    expect(asked).toEqual([]);
    expect((await read(id)).state).toBe('INITIATED');
  });

  it('shows the partner that it waits, whatever screen the applicant is on, until it is over', async () => {
    const id = await startHosted();
    expect((await read(id)).currentNextAction).toEqual(WAIT);
    await askLenders(id);
    const { offers, currentNextAction } = await reaches(id, 'OFFERS_RECEIVED');
    expect(currentNextAction).toEqual(WAIT);
    expect(offers).toHaveLength(1);
    await submit(id, 'SELECT_OFFER', { offerId: offers[0].offerId });
    for (const [step, next] of [
      ['KYC', 'BANK_ACCOUNT_PENDING'],
      ['MANDATE', 'ESIGN_PENDING'],
      ['ESIGN', 'DISBURSEMENT_PENDING'],
    ] as const) {
      expect((await read(id)).currentNextAction).toEqual(WAIT);
      const { status, json } = await bench.demo.returned(id, undefined, step);
      expect(status).toBe(200);
      expect(json.data.nextAction).toEqual(WAIT);
      expect((await read(id)).state).toBe(next);
      if (step === 'KYC') await submit(id, 'SUBMIT_BANK_ACCOUNT', BANK_ACCOUNT);
    }
    const end = await reaches(id, 'SANCTIONED');
    expect(end.currentNextAction).toEqual({ type: 'JOURNEY_COMPLETED', category: 'DONE' });

    const events = await bench.query<{ name: string; body: string }>(
      'SELECT name, body FROM webhook_events WHERE journey_id = $1 ORDER BY sequence',
      [id],
    );
    const told = events.map(({ body }) => JSON.parse(body).data.nextAction.type as string);
    expect(told).toEqual([...Array<string>(6).fill(WAIT.type), 'JOURNEY_COMPLETED']);
  });

  it('is told of as rejected when it is', async () => {
    const id = await toKyc('SANDX0005A');
    const { json } = await bench.demo.returned(id, undefined, 'KYC');
    expect(json.data.nextAction).toEqual({ type: 'JOURNEY_REJECTED', category: 'DONE' });
  });
});

describe('409: a hosted journey is not the partner’s to drive', () => {
  it('by any action, at any step, though a malformed one is a 400', async () => {
    const id = await startHosted();
    await askLenders(id);
    const { offers } = await reaches(id, 'OFFERS_RECEIVED');
    for (const [kind, payload] of [
      ['SELECT_OFFER', { offerId: offers[0].offerId }],
      ['SELECT_GOLD_LOAN_BRANCH', { branchLocationId: 'brn_1' }],
      ['SUBMIT_BANK_ACCOUNT', BANK_ACCOUNT],
    ] as const) {
      const { status, json } = await bench.demo.action(id, undefined, kind, payload);
      expect([status, json.code]).toEqual([409, 'hosted_journey']);
    }
    expect((await bench.demo.action(id, undefined, 'SELECT_OFFER', {})).status).toBe(400);
    expect((await read(id)).state).toBe('OFFERS_RECEIVED');
  });

  it('by a return from a step that is not current, be it to come or passed', async () => {
    const id = await toKyc();
    const refusals = [];
    refusals.push(await bench.demo.returned(id, undefined, 'MANDATE'));
    expect((await bench.demo.returned(id, undefined, 'KYC')).status).toBe(200);
    refusals.push(await bench.demo.returned(id, undefined, 'KYC'));
    for (const { status, json } of refusals) {
      expect([status, json.code]).toEqual([409, 'wrong_step']);
    }
  });

  it('by a first return from a step that the callback has passed', async () => {
    const id = await toKyc();
    const [redirect] = await bench.query<{ id: string }>(
      'SELECT id FROM journey_redirects WHERE journey_id = $1',
      [id],
    );
    await bench.deliverTo(id, { kind: 'PASSED' }, { kind: 'KYC', reference: redirect.id });
    await reaches(id, 'BANK_ACCOUNT_PENDING');
    const { status } = await bench.demo.returned(id, undefined, 'KYC');
    expect(status).toBe(409);
  });
});
