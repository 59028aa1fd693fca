import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { KeyAdministration } from '../../../src/admin/index.js';
import { makeApiKey } from '../../../src/auth/index.js';
import { RandomSource } from '../../../src/platform/index.js';
import { eventually } from '../../support/eventually.js';
import { BANK_ACCOUNT, loanRequest } from '../../support/loan-requests.js';
import { type Initiated } from '../../support/partner-client.js';
import type { TestService } from '../../support/service.js';
import { sharedService } from '../../support/shared-service.js';
import type { Refusal } from './answer-matchers.js';
import {
  issueKey,
  type TestKey,
  UNKNOWN_APPLICATION,
  UNKNOWN_JOURNEY,
  UNKNOWN_SUBSCRIPTION,
} from './auth-harness.js';

// The order of decisions §2: the first failing check decides the response. Each test fixes the first fault and then
// gets the second.

let service: TestService;
let key: TestKey;
let keys: KeyAdministration;

beforeAll(async () => {
  service = await sharedService();
  key = await issueKey(service);
  keys = service.get<KeyAdministration>(KeyAdministration);
});

// The sandbox's lenders answer within a second; a loaded machine may take longer.
const OFFERS_COME = { withinMs: 20_000 };

const forged = { signature: 'a'.repeat(64) };
const noScope = {
  status: 403,
  code: 'scope_missing',
  error: 'This API key lacks the scope journeys:write',
};
const malformedNonce = {
  status: 401,
  code: 'malformed_credentials',
  error: 'The x-nonce header must be a UUID v4',
};

let shared: Promise<Initiated> | undefined;

/** One journey with offers for all tests; the last test selects an offer. */
function offered(): Promise<Initiated> {
  shared ??= startOffered();
  return shared;
}

async function startOffered(): Promise<Initiated> {
  const { json } = await key.client.initiate(loanRequest());
  const { journeyId, journeySession } = json.data;
  await eventually(async () => {
    const journey = await key.client.journey(journeyId, journeySession);
    expect(journey.json.data.state).toBe('OFFERS_RECEIVED');
  }, OFFERS_COME);
  return json.data;
}

it('1 before 2: a malformed header of an unknown key', async () => {
  const apiKey = makeApiKey('rinpath', 'test', new RandomSource());
  const both = await key.client.get('/products', { overrides: { apiKey, nonce: 'x' } });
  expect(both).toBeFailure(malformedNonce);
  const second = await key.client.get('/products', { overrides: { apiKey } });
  expect(second).toBeRefused('invalid_signature');
});

it('2 before 3: a wrong signature or an old timestamp of a suspended key', async () => {
  const own = await issueKey(service);
  await own.client.get('/products');
  await keys.suspend(own.id);
  for (const overrides of [forged, { timestamp: '1700000000' }]) {
    expect(await own.client.get('/products', { overrides })).toBeRefused('invalid_signature');
  }
  expect(await own.client.get('/products')).toBeRefused('key_suspended');
});

it('3 before 4: a used nonce of a suspended key', async () => {
  const own = await issueKey(service);
  const overrides = { nonce: randomUUID() };
  await own.client.get('/products', { overrides });
  await keys.suspend(own.id);
  expect(await own.client.get('/products', { overrides })).toBeRefused('key_suspended');
  await keys.resume(own.id);
  expect(await own.client.get('/products', { overrides })).toBeRefused('nonce_reused');
});

it('4 before 5: a used nonce of a key that has used its minute up', async () => {
  const own = await issueKey(service, { perMinute: 1 });
  const overrides = { nonce: randomUUID() };
  await own.client.get('/products', { overrides });
  expect(await own.client.get('/products', { overrides })).toBeRefused('nonce_reused');
  expect(await own.client.get('/products')).toBeRefused('rate_limited');
});

it('5 before 6: a call without its scope by a key that has used its minute up', async () => {
  const own = await issueKey(service, { perMinute: 1, scopes: ['products:read'] });
  await own.client.get('/products');
  expect(await own.client.initiate(loanRequest())).toBeRefused('rate_limited');
  await keys.limit(own.id, { perMinute: 2 });
  expect(await own.client.initiate(loanRequest())).toBeFailure(noScope);
});

it('6 before 7: a journey, an application and a subscription of nothing, without the scope', async () => {
  const { client } = await issueKey(service, { scopes: [] });
  const unknown: [string, string, Refusal][] = [
    ['GET', `/journey/${UNKNOWN_JOURNEY}`, 'journey_not_found'],
    ['POST', `/journey/${UNKNOWN_JOURNEY}/action`, 'journey_not_found'],
    ['POST', `/journey/${UNKNOWN_JOURNEY}/redirect-returned`, 'journey_not_found'],
    ['GET', `/leads/${UNKNOWN_APPLICATION}/status`, 'application_not_found'],
    ['POST', `/webhooks/${UNKNOWN_SUBSCRIPTION}/rotate-secret`, 'subscription_not_found'],
    ['DELETE', `/webhooks/${UNKNOWN_SUBSCRIPTION}`, 'subscription_not_found'],
  ];
  for (const [method, path, second] of unknown) {
    const { status, json } = await client.call(method, path);
    expect({ status, code: json.code }).toEqual({ status: 403, code: 'scope_missing' });
    expect(await key.client.call(method, path)).toBeRefused(second);
  }
});

it('7 before 8 and 9: an unknown journey with no session, with another’s and with a bad body', async () => {
  const { journeyId, journeySession } = await offered();
  for (const path of ['action', 'redirect-returned']) {
    for (const session of [undefined, journeySession]) {
      const unknown = `/journey/${UNKNOWN_JOURNEY}/${path}`;
      expect(await key.client.post(unknown, '{', { session })).toBeRefused('journey_not_found');
    }
    const known = `/journey/${journeyId}/${path}`;
    const second = await key.client.post(known, '{', { session: journeySession });
    expect(second).toBeRefused('malformed_json');
  }
  expect(await key.client.journey(UNKNOWN_JOURNEY)).toBeRefused('journey_not_found');
  expect(await key.client.journey(journeyId)).toBeRefused('journey_session_missing');
});

it('8 before 9: a missing session, and a wrong one, with a body that is not JSON or breaks a rule', async () => {
  const { journeyId, journeySession } = await offered();
  const action = `/journey/${journeyId}/action`;
  for (const body of ['{', {}]) {
    expect(await key.client.post(action, body)).toBeRefused('journey_session_missing');
    const wrong = await key.client.post(action, body, { session: 'x' });
    expect(wrong).toBeRefused('journey_session_invalid');
  }
  const second = await key.client.post(action, {}, { session: journeySession });
  expect(second).toBeRefused('validation_failed');
});

it('within 9: a bad field in a request for a product that the key lacks', async () => {
  const { client } = await issueKey(service, { products: ['ONLINE_GOLD'] });
  const both = await client.initiate(loanRequest({ mobile: '1' }));
  expect(both).toBeRefused('validation_failed');
  expect(both.json.details).toEqual([{ field: 'mobile', message: expect.any(String) }]);
  expect(await client.initiate(loanRequest())).toBeRefused('product_not_assigned');
});

describe('9 before 10: the body before the state', () => {
  it('a payload that breaks a rule in a journey that is at another step', async () => {
    const { journeyId, journeySession } = await offered();
    const submit = (payload: object) =>
      key.client.action(journeyId, journeySession, 'SUBMIT_BANK_ACCOUNT', payload);
    const both = await submit({ ...BANK_ACCOUNT, accNo: '1', ifscCode: 'x' });
    expect(both).toBeRefused('validation_failed');
    expect(both.json.details.map(({ field }) => field)).toEqual([
      'payload.accNo',
      'payload.ifscCode',
    ]);
    expect(await submit(BANK_ACCOUNT)).toBeRefused('wrong_step');
  });

  it('a return that names no step, in a journey that no step has been reached in', async () => {
    const { journeyId, journeySession } = await offered();
    const returned = (step: string) => key.client.returned(journeyId, journeySession, step);
    expect(await returned('LUNCH')).toBeRefused('validation_failed');
    expect(await returned('KYC')).toBeRefused('wrong_step');
  });
});

describe('10 before 11: the state before the journey’s data', () => {
  it('an unknown branch, before an offer has been selected', async () => {
    const { journeyId, journeySession } = await offered();
    const answer = await key.client.action(journeyId, journeySession, 'SELECT_GOLD_LOAN_BRANCH', {
      branchLocationId: 'brn_unknown',
    });
    expect(answer).toBeRefused('wrong_step');
  });

  it('an offer that the journey does not have, once an offer has been selected', async () => {
    const { journeyId, journeySession } = await offered();
    const select = (offerId: string) =>
      key.client.action(journeyId, journeySession, 'SELECT_OFFER', { offerId });
    const unknown = await select('off_unknown');
    expect(unknown).toBeRefused('validation_failed');
    expect(unknown.json.details.map(({ field }) => field)).toEqual(['payload.offerId']);
    const { json } = await key.client.journey(journeyId, journeySession);
    expect((await select(json.data.offers[0].offerId)).status).toBe(200);
    expect(await select('off_unknown')).toBeRefused('wrong_step');
  });
});
