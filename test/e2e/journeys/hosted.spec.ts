import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.js';
import {
  confirmed,
  type HostedClient,
  signedIn,
  startHosted,
} from '../../support/hosted-client.js';
import { BANK_ACCOUNT, type LoanRequestOptions } from '../../support/loan-requests.js';
import type { Journey, Offer } from '../../support/partner-client.js';
import { ACCOUNT } from '../hosted-steps/step-journey.js';
import { JourneyBench } from './journey-bench.js';

const WAIT = { type: 'WAITING_FOR_REDIRECT', category: 'WAIT' };

let bench: JourneyBench;

beforeAll(async () => {
  bench = await JourneyBench.open();
  await bench.keepOneLender();
});

afterAll(() => bench.close());

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

/** The applicant signs in, agrees and confirms: the lenders are asked, and there are offers. */
async function toOffers(options: LoanRequestOptions = {}) {
  const start = await startHosted(bench.service, options);
  const client = await confirmed(bench.service, start);
  const { offers } = await reaches(start.id, 'OFFERS_RECEIVED');
  return { id: start.id, client, offers };
}

/** The applicant reads the statement of the first offer and takes it. */
async function choose(
  client: HostedClient,
  [{ offerId, principalAmount }]: Offer[],
): Promise<void> {
  await client.open(`/hosted/offers/${offerId}/confirm?amount=${principalAmount}`);
  await client.send303({ hasRead: '1' });
}

async function toKyc(options: LoanRequestOptions = {}) {
  const { id, client, offers } = await toOffers(options);
  await choose(client, offers);
  await reaches(id, 'KYC_PENDING');
  return { id, client };
}

describe('a hosted journey', () => {
  it('asks no lender by itself, however long it waits', async () => {
    const { id } = await startHosted(bench.service);
    await bench.service.travel(3 * 3_600_000);
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    const asked = await bench.query('SELECT 1 FROM lender_questions WHERE subject_id = $1', [id]);
    expect(asked).toEqual([]);
    expect((await read(id)).state).toBe('INITIATED');
  });

  it('shows the partner that it waits, whatever screen the applicant is on, until it is over', async () => {
    const start = await startHosted(bench.service);
    const { id } = start;
    const waits = async () => expect((await read(id)).currentNextAction).toEqual(WAIT);
    await waits();
    const client = await signedIn(bench.service, start);
    await waits();
    await client.send303({ agree: '1' });
    await waits();
    await client.send303();
    const { offers, currentNextAction } = await reaches(id, 'OFFERS_RECEIVED');
    expect(currentNextAction).toEqual(WAIT);
    expect(offers).toHaveLength(1);
    await choose(client, offers);
    // A lender may pay out before the state is looked at.
    for (const [step, state, next] of [
      ['KYC', 'KYC_PENDING', ['BANK_ACCOUNT_PENDING']],
      ['MANDATE', 'MANDATE_PENDING', ['ESIGN_PENDING']],
      ['ESIGN', 'ESIGN_PENDING', ['DISBURSEMENT_PENDING', 'SANCTIONED']],
    ] as const) {
      expect(await read(id)).toMatchObject({ state, currentNextAction: WAIT });
      const { status, json } = await bench.demo.returned(id, undefined, step);
      expect(status).toBe(200);
      expect(json.data.nextAction).toEqual(WAIT);
      expect(next).toContain((await read(id)).state);
      if (step !== 'KYC') continue;
      await waits();
      await client.open('/hosted/bank-account');
      await client.send303(ACCOUNT);
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

  it('is reported as rejected when it is', async () => {
    const { id } = await toKyc({ pan: 'SANDX0005A' });
    const { json } = await bench.demo.returned(id, undefined, 'KYC');
    expect(json.data.nextAction).toEqual({ type: 'JOURNEY_REJECTED', category: 'DONE' });
  });
});

describe('409: a hosted journey is not the partner’s to drive', () => {
  it('by any action, at any step, though a malformed one is a 400', async () => {
    const { id, offers } = await toOffers();
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
    const { id } = await toKyc();
    const refusals = [];
    refusals.push(await bench.demo.returned(id, undefined, 'MANDATE'));
    expect((await bench.demo.returned(id, undefined, 'KYC')).status).toBe(200);
    refusals.push(await bench.demo.returned(id, undefined, 'KYC'));
    for (const { status, json } of refusals) {
      expect([status, json.code]).toEqual([409, 'wrong_step']);
    }
  });
});
