import { describe, expect, it } from 'vitest';
import { LenderUnavailable } from '../../../src/lenders/index.js';
import { eventually } from '../../support/eventually.js';
import type { LoanRequestOptions } from '../../support/loan-requests.js';
import { type TestJourney, refusal, journeyBench } from './journey-bench.js';

const POLL = { type: 'POLL_KYC_STATUS', category: 'POLL' };

const bench = journeyBench({ isOneLender: true });

async function atKyc(options: LoanRequestOptions = {}): Promise<TestJourney> {
  const journey = await bench.startWithOffers(options);
  await journey.goOnTo('KYC_PENDING');
  return journey;
}

describe('200: the applicant is back', () => {
  it('without having visited the page and without a session, whatever the field is called: in the sandbox that is done', async () => {
    const journey = await atKyc();
    const body = { completed: ' Kyc ', ok: true, nested: { step: 'ESIGN' } };
    const { status, json } = await bench.demo.post(
      `/journey/${journey.id}/redirect-returned`,
      body,
    );
    expect(status).toBe(200);
    expect(json.data.nextAction).toEqual({ type: 'SUBMIT_BANK_ACCOUNT', category: 'ACTION' });
  });

  it('with nothing done at the provider: the same redirect; and after the callback, even when the journey has gone further: no error, once', async () => {
    const journey = await atKyc();
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
    const journey = await atKyc();
    const url = await journey.redirectUrl();
    const { updatedAt } = await journey.read();
    await bench.browse(await journey.providerPage(url), { decision: 'decline' });
    await eventually(async () => (await journey.redirectUrl()) !== url);
    // The link of the failed try leads back.
    expect((await bench.browse(url)).location).toContain(`journeyId=${journey.id}`);
    const first = await journey.returned('KYC');
    expect(first.status).toBe(200);
    const { currentNextAction, ...now } = await journey.read();
    expect(first.json.data.nextAction).toEqual(currentNextAction);
    expect(currentNextAction.type).toBe('REDIRECT_TO_KYC');
    expect(now.updatedAt).not.toBe(updatedAt);
    const second = await journey.returned('KYC');
    expect(second.json.data.nextAction.type).toBe('SUBMIT_BANK_ACCOUNT');
  });

  it('with everything done, while the provider decides: to poll, without a url', async () => {
    // The sandbox takes ten seconds for each of this applicant's steps.
    const journey = await atKyc({ pan: 'SANDX0012A' });
    await bench.browse(await journey.providerPage(), { decision: 'approve' });
    for (let time = 1; time <= 2; time += 1) {
      const { status, json } = await journey.returned('KYC');
      expect([status, json.data.nextAction]).toEqual([200, POLL]);
      expect((await journey.read()).currentNextAction).toEqual(POLL);
    }
    await journey.wasAskedAbout();
    await bench.service.travel(11_000);
    await journey.reaches('BANK_ACCOUNT_PENDING');
  });

  it('while the provider cannot be asked; once it can, what it waits for is shown', async () => {
    const journey = await atKyc();
    const { currentNextAction: redirect } = await journey.read();
    await journey.providerPage();
    let isDown = true;
    bench.lendersAnswer(({ subjectId }) =>
      isDown && subjectId === journey.id ? Promise.reject(new LenderUnavailable('down')) : null,
    );
    const { json } = await journey.returned('KYC');
    expect(json.data.nextAction).toEqual(POLL);
    isDown = false;
    await eventually(async () =>
      expect((await journey.read()).currentNextAction).toEqual(redirect),
    );
  });
});

it('409: from a step that comes later, and from a mandate in a gold journey, which has none', async () => {
  const journey = await atKyc({ productCode: 'ONLINE_GOLD' });
  for (const step of ['ESIGN', 'MANDATE']) {
    expect(refusal(await journey.returned(step))).toEqual([409, 'wrong_step']);
  }
  expect((await journey.read()).state).toBe('KYC_PENDING');
});
