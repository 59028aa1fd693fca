import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { KeyAdministration } from '../../../src/admin/index.js';
import { makeApiKey } from '../../../src/auth/index.js';
import { RandomSource } from '../../../src/platform/index.js';
import { journeyIn, readJourney, type StartedJourney } from '../../support/journey-driver.js';
import { BANK_ACCOUNT, loanRequest } from '../../support/loan-requests.js';
import type { Answer } from '../../support/partner-client.js';
import { serviceOfFile } from '../../support/shared-service.js';
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

const service = serviceOfFile();
let key: TestKey;
let keys: KeyAdministration;
/** One journey with offers for all tests; the last of them selects an offer. */
let journey: StartedJourney;

beforeAll(async () => {
  key = await issueKey(service);
  keys = service.get<KeyAdministration>(KeyAdministration);
  journey = await journeyIn(key.client, 'OFFERS_RECEIVED');
});

it('1 before 2: a malformed header of an unknown key', async () => {
  const apiKey = makeApiKey('rinpath', 'test', new RandomSource());
  const both = await key.client.get('/products', { overrides: { apiKey, nonce: 'x' } });
  expect(both).toBeFailure({
    status: 401,
    code: 'malformed_credentials',
    error: 'The x-nonce header must be a UUID v4',
  });
  const second = await key.client.get('/products', { overrides: { apiKey } });
  expect(second).toBeRefused('invalid_signature');
});

it('2 before 3: a wrong signature or an old timestamp of a suspended key', async () => {
  const own = await issueKey(service);
  await own.client.get('/products');
  await keys.suspend(own.id);
  for (const overrides of [{ signature: 'a'.repeat(64) }, { timestamp: '1700000000' }]) {
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
  expect(await own.client.initiate(loanRequest())).toBeFailure({
    status: 403,
    code: 'scope_missing',
    error: 'This API key lacks the scope journeys:write',
  });
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
  const { id, session } = journey;
  for (const path of ['action', 'redirect-returned']) {
    for (const given of [undefined, session]) {
      const unknown = `/journey/${UNKNOWN_JOURNEY}/${path}`;
      const answer = await key.client.post(unknown, '{', { session: given });
      expect(answer).toBeRefused('journey_not_found');
    }
    const second = await key.client.post(`/journey/${id}/${path}`, '{', { session });
    expect(second).toBeRefused('malformed_json');
  }
  expect(await key.client.journey(UNKNOWN_JOURNEY)).toBeRefused('journey_not_found');
  expect(await key.client.journey(id)).toBeRefused('journey_session_missing');
});

it('8 before 9: a missing session, and a wrong one, with a body that is not JSON or breaks a rule', async () => {
  const action = `/journey/${journey.id}/action`;
  for (const body of ['{', {}]) {
    expect(await key.client.post(action, body)).toBeRefused('journey_session_missing');
    const wrong = await key.client.post(action, body, { session: 'x' });
    expect(wrong).toBeRefused('journey_session_invalid');
  }
  const second = await key.client.post(action, {}, { session: journey.session });
  expect(second).toBeRefused('validation_failed');
});

it('within 9: a bad field in a request for a product that the key lacks', async () => {
  const { client } = await issueKey(service, { products: ['ONLINE_GOLD'] });
  const both = await client.initiate(loanRequest({ mobile: '1' }));
  expect(both).toBeRefused('validation_failed');
  expect(both.json.details).toEqual([{ field: 'mobile', message: expect.any(String) }]);
  expect(await client.initiate(loanRequest())).toBeRefused('product_not_assigned');
});

const act = (kind: string, payload: object) =>
  key.client.action(journey.id, journey.session, kind, payload);
const fieldsOf = ({ json }: Answer<unknown>) => json.details.map(({ field }) => field);

describe('9 before 10: the body before the state', () => {
  it('a payload that breaks a rule in a journey that is at another step', async () => {
    const broken = { ...BANK_ACCOUNT, accNo: '1', ifscCode: 'x' };
    const both = await act('SUBMIT_BANK_ACCOUNT', broken);
    expect(both).toBeRefused('validation_failed');
    expect(fieldsOf(both)).toEqual(['payload.accNo', 'payload.ifscCode']);
    expect(await act('SUBMIT_BANK_ACCOUNT', BANK_ACCOUNT)).toBeRefused('wrong_step');
  });

  it('a return that names no step, in a journey that no step has been reached in', async () => {
    const returned = (step: string) => key.client.returned(journey.id, journey.session, step);
    expect(await returned('LUNCH')).toBeRefused('validation_failed');
    expect(await returned('KYC')).toBeRefused('wrong_step');
  });
});

describe('10 before 11: the state before the journey’s data', () => {
  it('an unknown branch, before an offer has been selected', async () => {
    const branch = { branchLocationId: 'brn_unknown' };
    expect(await act('SELECT_GOLD_LOAN_BRANCH', branch)).toBeRefused('wrong_step');
  });

  it('an offer that the journey does not have, once an offer has been selected', async () => {
    const unknown = await act('SELECT_OFFER', { offerId: 'off_unknown' });
    expect(unknown).toBeRefused('validation_failed');
    expect(fieldsOf(unknown)).toEqual(['payload.offerId']);
    const { offers } = await readJourney(key.client, journey);
    expect((await act('SELECT_OFFER', { offerId: offers[0].offerId })).status).toBe(200);
    expect(await act('SELECT_OFFER', { offerId: 'off_unknown' })).toBeRefused('wrong_step');
  });
});
