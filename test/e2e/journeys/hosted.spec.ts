import { describe, expect, it } from 'vitest';
import { OfferDeadlinesTasks } from '../../../src/journeys/background/journey.tasks.js';
import { eventually } from '../../support/eventually.js';
import { type HostedClient, signedIn, startHosted } from '../../support/hosted-client.js';
import { BANK_ACCOUNT } from '../../support/loan-requests.js';
import type { Journey, Offer } from '../../support/partner-client.js';
import { ACCOUNT } from '../hosted-steps/step-journey.js';
import { HOUR, refusal, journeyBench } from './journey-bench.js';

const WAIT = { type: 'WAITING_FOR_REDIRECT', category: 'WAIT' };

const bench = journeyBench({ isOneLender: true });

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

/** The applicant reads the statement of the first offer and chooses it. */
async function choose(
  client: HostedClient,
  [{ offerId, principalAmount }]: Offer[],
): Promise<void> {
  await client.open(`/hosted/offers/${offerId}/confirm?amount=${principalAmount}`);
  await client.send303({ hasRead: '1' });
}

describe('a hosted journey', () => {
  it('shows the partner that it waits until it is over, and is not the partner’s to drive', async () => {
    const start = await startHosted(bench.service);
    const { id } = start;
    const waits = async () => expect((await read(id)).currentNextAction).toEqual(WAIT);
    const isNotAt = async (step: string) => {
      expect(refusal(await bench.demo.returned(id, undefined, step))).toEqual([409, 'wrong_step']);
    };
    await bench.service.travel(3 * HOUR);
    await bench.service.get(OfferDeadlinesTasks).run();
    await waits();
    const asked = await bench.query('SELECT 1 FROM lender_questions WHERE subject_id = $1', [id]);
    expect(asked).toEqual([]);
    const client = await signedIn(bench.service, start);
    await waits();
    await client.send303({ agree: '1' });
    await waits();
    await client.send303();
    const { offers, currentNextAction } = await reaches(id, 'OFFERS_RECEIVED');
    expect(currentNextAction).toEqual(WAIT);
    expect(offers).toHaveLength(1);
    for (const [kind, payload] of [
      ['SELECT_OFFER', { offerId: offers[0].offerId }],
      ['SELECT_GOLD_LOAN_BRANCH', { branchLocationId: 'brn_1' }],
      ['SUBMIT_BANK_ACCOUNT', BANK_ACCOUNT],
    ] as const) {
      expect(refusal(await bench.demo.action(id, undefined, kind, payload))).toEqual([
        409,
        'hosted_journey',
      ]);
    }
    expect((await bench.demo.action(id, undefined, 'SELECT_OFFER', {})).status).toBe(400);
    await choose(client, offers);
    await reaches(id, 'KYC_PENDING');
    await isNotAt('MANDATE');
    // A lender may pay out before the state is read.
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
      await isNotAt('KYC');
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
    const types = events.map(({ body }) => JSON.parse(body).data.nextAction.type as string);
    expect(types).toEqual([...Array<string>(6).fill(WAIT.type), 'JOURNEY_COMPLETED']);
  });
});
