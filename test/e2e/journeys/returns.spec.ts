import { describe, expect, it, vi } from 'vitest';
import { REDIRECT_STEPS } from '../../../src/journey-steps/index.js';
import { LenderUnavailable } from '../../../src/lenders/index.js';
import { SandboxLender } from '../../../src/sandbox/index.js';
import { eventually } from '../../support/eventually.js';
import type { LoanRequestOptions } from '../../support/loan-requests.js';

import { type TestJourney, refusal, journeyBench } from './journey-bench.js';

const bench = journeyBench({ isOneLender: true });

async function atStep(state: string, options: LoanRequestOptions = {}): Promise<TestJourney> {
  const journey = await bench.startWithOffers(options);
  await journey.goOnTo(state);
  return journey;
}

function returnWith(journey: TestJourney, body: unknown, session: string | undefined) {
  return bench.demo.post<{ nextAction: { type: string } }>(
    `/journey/${journey.id}/redirect-returned`,
    body,
    { session },
  );
}

async function approve(journey: TestJourney): Promise<void> {
  await bench.browse(await journey.providerPage(), { decision: 'approve' });
}

async function decline(journey: TestJourney): Promise<void> {
  const url = await journey.redirectUrl();
  await bench.browse(await journey.providerPage(url), { decision: 'decline' });
  await eventually(async () => (await journey.redirectUrl()) !== url);
}

/** The provider does not respond about this journey until `isDown` is false; other journeys are unaffected. */
function failAbout(journey: TestJourney): { isDown: boolean; wasAsked: boolean } {
  const lender = bench.service.get(SandboxLender);
  const answer = lender.ask.bind(lender);
  const provider = { isDown: true, wasAsked: false };
  vi.spyOn(lender, 'ask').mockImplementation((question) => {
    if (!provider.isDown || question.subjectId !== journey.id) return answer(question);
    provider.wasAsked = true;
    return Promise.reject(new LenderUnavailable('down'));
  });
  return provider;
}

describe('200: the applicant is back', () => {
  it('without having visited the page, whatever the field is called: in the sandbox that is done', async () => {
    const journey = await atStep('KYC_PENDING');
    const body = { completed: ' Kyc ', ok: true, nested: { step: 'ESIGN' } };
    const kyc = await returnWith(journey, body, journey.session);
    expect(kyc.status).toBe(200);
    expect(kyc.json.data.nextAction).toEqual({ type: 'SUBMIT_BANK_ACCOUNT', category: 'ACTION' });
    await journey.submitAccount();
    const mandate = await journey.returned('MANDATE');
    expect(mandate.json.data.nextAction).toMatchObject({ type: 'REDIRECT_TO_ESIGN' });
    const esign = await journey.returned('ESIGN');
    expect(esign.json.data.nextAction).toEqual({ type: 'POLL_DISBURSEMENT', category: 'POLL' });
  });

  it('with nothing done at the provider: the same redirect; and after the callback, even when the journey has gone further: no error, once', async () => {
    const journey = await atStep('KYC_PENDING');
    const url = await journey.redirectUrl();
    const page = await journey.providerPage();
    for (let time = 1; time <= 2; time += 1) {
      const { status, json } = await journey.returned('KYC');
      expect(status).toBe(200);
      expect(json.data.nextAction).toEqual({ type: 'REDIRECT_TO_KYC', category: 'REDIRECT', url });
    }
    await bench.browse(page, { decision: 'approve' });
    await journey.reaches('BANK_ACCOUNT_PENDING');
    await journey.submitAccount();
    const late = await journey.returned('KYC');
    expect(late.status).toBe(200);
    expect(late.json.data.nextAction.type).toBe('REDIRECT_TO_MANDATE');
    expect(refusal(await journey.returned('KYC'))).toEqual([409, 'return_already_seen']);
  });

  it('after a try that the provider has failed: a fresh redirect, and then the next try', async () => {
    const journey = await atStep('KYC_PENDING');
    await decline(journey);
    const fresh = await journey.redirectUrl();
    const first = await journey.returned('KYC');
    expect(first.status).toBe(200);
    const expected = { type: 'REDIRECT_TO_KYC', category: 'REDIRECT', url: fresh };
    expect(first.json.data.nextAction).toEqual(expected);
    const second = await journey.returned('KYC');
    expect(second.json.data.nextAction.type).toBe('SUBMIT_BANK_ACCOUNT');
  });

  it('with everything done, while the provider decides: to poll, without a url', async () => {
    // The sandbox takes ten seconds for each of this applicant's steps.
    const journey = await atStep('KYC_PENDING', { pan: 'SANDX0012A' });
    await approve(journey);
    for (let time = 1; time <= 2; time += 1) {
      const { status, json } = await journey.returned('KYC');
      expect(status).toBe(200);
      const poll = { type: 'POLL_KYC_STATUS', category: 'POLL' };
      expect(json.data.nextAction).toEqual(poll);
      expect((await journey.read()).currentNextAction).toEqual(poll);
    }
    await journey.wasAskedAbout();
    await bench.service.travel(11_000);
    await journey.reaches('BANK_ACCOUNT_PENDING');
  });

  it('while the provider cannot be asked; once it can, what it waits for is shown', async () => {
    const journey = await atStep('KYC_PENDING');
    const url = await journey.redirectUrl();
    await journey.providerPage();
    const provider = failAbout(journey);
    const { json } = await journey.returned('KYC');
    expect(json.data.nextAction).toEqual({ type: 'POLL_KYC_STATUS', category: 'POLL' });
    expect(provider.wasAsked).toBe(true);
    provider.isDown = false;
    const redirect = { type: 'REDIRECT_TO_KYC', category: 'REDIRECT', url };
    await eventually(async () =>
      expect((await journey.read()).currentNextAction).toEqual(redirect),
    );
    await journey.providerPage(url);
    expect((await journey.read()).currentNextAction).toEqual(redirect);
  });
});

describe('200: return and callback at the same time', () => {
  it('move the journey once', async () => {
    const journeys = await Promise.all([1, 2].map(() => atStep('KYC_PENDING')));
    await Promise.all(
      journeys.map(async (journey) => {
        const page = await journey.providerPage();
        const answers = await Promise.all([
          bench.browse(page, { decision: 'approve' }),
          journey.returned('KYC'),
          journey.returned('KYC'),
        ]);
        for (const { status } of answers) expect([200, 303, 409]).toContain(status);
        await journey.reaches('BANK_ACCOUNT_PENDING');
      }),
    );
    await bench.settled();
    for (const journey of journeys) {
      const names = await journey.eventNames();
      expect(names.filter((name) => name === 'journey.kyc_done')).toHaveLength(1);
      expect(await journey.flags()).toEqual([]);
    }
  });
});

it('400: a body that names no step, or two, and what is no object', async () => {
  const journey = await bench.start();
  const two = await returnWith(journey, { a: 'KYC', b: 'ESIGN' }, journey.session);
  expect([two.status, two.json.code]).toEqual([400, 'validation_failed']);
  expect(two.json.details).toEqual([
    { field: 'step', message: `must be one of ${REDIRECT_STEPS.join(', ')}` },
  ]);
  expect(refusal(await returnWith(journey, '[]', journey.session))).toEqual([
    400,
    'malformed_json',
  ]);
});

it('401: the session may be left out, but not be wrong', async () => {
  const journey = await atStep('KYC_PENDING');
  for (const session of ['x', (await bench.start()).session]) {
    expect(refusal(await returnWith(journey, { step: 'KYC' }, session))).toEqual([
      401,
      'journey_session_invalid',
    ]);
  }
  expect((await journey.read()).state).toBe('KYC_PENDING');
  const none = await returnWith(journey, { step: 'KYC' }, undefined);
  expect(none.status).toBe(200);
  expect(none.json.data.nextAction.type).toBe('SUBMIT_BANK_ACCOUNT');
});

it('409: from a step that comes later, and from a mandate in a gold journey, which has none', async () => {
  const journey = await atStep('KYC_PENDING', { productCode: 'ONLINE_GOLD' });
  for (const step of ['MANDATE', 'ESIGN']) {
    expect(refusal(await journey.returned(step))).toEqual([409, 'wrong_step']);
  }
  expect((await journey.read()).state).toBe('KYC_PENDING');
  await journey.goOnTo('ESIGN_PENDING');
  expect((await journey.returned('MANDATE')).json.code).toBe('wrong_step');
});
