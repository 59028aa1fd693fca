import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Admission } from '../../../src/auth/admission.js';
import { Contract } from '../../support/contract.js';
import { DatabaseProxy } from '../../support/database-proxy.js';
import { eventually } from '../../support/eventually.js';
import { instantLoanRequest } from '../../support/instant-loans.js';
import {
  type StartedJourney,
  driveTo,
  payloadOf,
  readJourney,
} from '../../support/journey-driver.js';
import { BANK_ACCOUNT, loanRequest, shortLoanRequest } from '../../support/loan-requests.js';
import {
  type Answer,
  type CallOptions,
  partnerClient,
  type PartnerClient,
} from '../../support/partner-client.js';
import { startService, type TestService } from '../../support/service.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';
import { WebhookReceiver } from '../../support/webhook-receiver.js';
import { sendBytes } from '../../support/wire.js';
import { issueKey } from '../auth/auth-harness.js';
import { ProductCatalogue } from '../../../src/settings/index.js';

// Sends every documented request, provokes every documented answer, and holds each against the
// document. The last test fails when an answer that the document names has not been seen.

interface Call extends CallOptions {
  /** What stands in the path's (first) parameter. */
  id?: string;
  deliveryId?: string;
  query?: string;
}

const NOBODY = '0'.repeat(32);
const SOME_IDS: Record<string, string> = {
  journeyId: `jrn_${NOBODY}`,
  applicationId: `app_${NOBODY}`,
  subscriptionId: `sub_${NOBODY}`,
  deliveryId: `dlv_${NOBODY}`,
};
/** Longer than Node's own times of looking for late requests are apart. */
const LATE_MS = 45_000;
const HOOK = { url: 'https://partner.example/hooks' };

let database: TestDatabase;
let proxy: DatabaseProxy;
let service: TestService;
let contract: Contract;
let partner: PartnerClient;
const seen = new Map<string, Set<number>>();

beforeAll(async () => {
  database = await createTestDatabase();
  proxy = await DatabaseProxy.before(database.url);
  service = await startService({ databaseUrl: proxy.url });
  contract = await Contract.of(service);
  partner = partnerClient(service);
});

afterAll(async () => {
  await service?.close();
  await proxy?.cut();
  await database?.drop();
});

function targetOf(operationId: string, { id, deliveryId, query = '' }: Call): string {
  const { path } = contract.operation(operationId);
  const idOf = (name: string) => (name === 'deliveryId' ? deliveryId : id) ?? SOME_IDS[name];
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => idOf(name)) + query;
}

/** Sends one call as a client does, and holds the answer against the document. */
async function call<Data = Record<string, unknown>>(
  operationId: string,
  { id, deliveryId, query, ...options }: Call = {},
  client = partner,
): Promise<Answer<Data>> {
  const { method } = contract.operation(operationId);
  const target = targetOf(operationId, { id, deliveryId, query });
  const answer = await client.request<Data>(method, target, options);
  record(operationId, { ...answer, method, target });
  return answer;
}

function record(operationId: string, answer: Parameters<Contract['expectValid']>[0]): void {
  contract.expectValid(answer);
  seen.set(operationId, (seen.get(operationId) ?? new Set()).add(answer.status));
}

async function start(options: Parameters<typeof loanRequest>[0] = {}): Promise<StartedJourney> {
  const { status, json } = await call<{ journeyId: string; journeySession?: string }>(
    'initiateJourney',
    { body: loanRequest(options) },
  );
  expect(status).toBe(200);
  return { id: json.data.journeyId, session: json.data.journeySession };
}

const statusOf = async (answer: Promise<Answer>) => (await answer).status;

describe('a journey, call by call', () => {
  it.each(['ONLINE_PERSONAL', 'ONLINE_GOLD'])('of %s', async (productCode) => {
    const journey = await start({ productCode });
    const at = { id: journey.id, session: journey.session };
    const action = async (kind: Parameters<typeof payloadOf>[0], state: string) => {
      await driveTo(partner, journey, state);
      const payload = payloadOf(kind, await readJourney(partner, journey));
      const answer = call('submitJourneyAction', { ...at, body: { kind, payload } });
      expect([kind, await statusOf(answer)]).toEqual([kind, 200]);
    };
    await action('SELECT_OFFER', 'OFFERS_RECEIVED');
    if (productCode === 'ONLINE_GOLD') await action('SELECT_GOLD_LOAN_BRANCH', 'OFFER_SELECTED');
    expect(await statusOf(call('signalRedirectReturned', { ...at, body: { step: 'KYC' } }))).toBe(
      200,
    );
    await action('SUBMIT_BANK_ACCOUNT', 'BANK_ACCOUNT_PENDING');
    await driveTo(partner, journey, 'SANCTIONED');
    const read = await call<{ state: string }>('readJourney', at);
    expect(read.json.data.state).toBe('SANCTIONED');
  });

  it('that is hosted, and one that is rejected', async () => {
    const hosted = await start({ channel: 'API_HOSTED' });
    expect(await statusOf(call('readJourney', { id: hosted.id }))).toBe(200);
    const rejected = await start({ pan: 'SANDX0001A' });
    await driveTo(partner, rejected, 'REJECTED');
    expect(await statusOf(call('readJourney', rejected))).toBe(200);
  });

  it('as variant B starts it', async () => {
    expect(await statusOf(call('initiateJourney', { body: shortLoanRequest() }))).toBe(200);
  });

  it('with an Idempotency-Key, then replayed, then with another body', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const body = loanRequest();
    await call('initiateJourney', { body, headers });
    const replayed = await call('initiateJourney', { body, headers });
    expect(replayed.headers['idempotency-replayed']).toBe('true');
    const other = { body: loanRequest({ loanAmount: 1_000 }), headers };
    expect(await statusOf(call('initiateJourney', other))).toBe(409);
  });
});

describe('an instant loan', () => {
  it('with what is required, with everything, and replayed', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const body = instantLoanRequest();
    expect(await statusOf(call('createInstantLoan', { body, headers }))).toBe(200);
    const replayed = await call('createInstantLoan', { body, headers });
    expect(replayed.headers['idempotency-replayed']).toBe('true');
    const more = { dob: '1990-04-15', pinCode: '560001', termsAccepted: true, monthlyIncome: 1 };
    const full = instantLoanRequest({ loanAmount: 40_000, customer: more });
    expect(await statusOf(call('createInstantLoan', { body: full }))).toBe(200);
  });

  it('refused: its body, its key, its product, its Idempotency-Key', async () => {
    expect(await statusOf(call('createInstantLoan', { body: {} }))).toBe(400);
    expect(await statusOf(call('createInstantLoan', { body: '{' }))).toBe(400);
    const { client } = await issueKey(service, { products: ['ONLINE_PERSONAL'] });
    const lacking = await call('createInstantLoan', { body: instantLoanRequest() }, client);
    expect(lacking.json.code).toBe('product_not_assigned');
    const catalogue = service.get<ProductCatalogue>(ProductCatalogue);
    const product = (await catalogue.find('ONLINE_INSTANT'))!;
    vi.spyOn(catalogue, 'find').mockResolvedValueOnce(
      Object.assign({}, product, { isEnabled: false }),
    );
    const off = await call('createInstantLoan', { body: instantLoanRequest() });
    expect(off.json.code).toBe('product_unavailable');
    const headers = { 'idempotency-key': randomUUID() };
    await call('createInstantLoan', { body: instantLoanRequest(), headers });
    const other = { body: instantLoanRequest({ loanAmount: 1_000 }), headers };
    expect(await statusOf(call('createInstantLoan', other))).toBe(409);
  });
});

describe('leads, products and webhooks', () => {
  it('are listed and read', async () => {
    expect(await statusOf(call('listProducts'))).toBe(200);
    const query = '?page=1&limit=2&status=INITIATED&from=2020-01-01';
    await call('listLeads', { query });
    const { json } = await call<{ leads: { applicationId: string }[] }>('listLeads');
    const id = json.data.leads[0].applicationId;
    expect(await statusOf(call('readLeadStatus', { id }))).toBe(200);
  });

  it('are registered, listed, rotated and deleted', async () => {
    const { json } = await call<{ subscriptionId: string }>('registerWebhook', { body: HOOK });
    const id = json.data.subscriptionId;
    expect(await statusOf(call('listWebhooks'))).toBe(200);
    expect(await statusOf(call('rotateWebhookSecret', { id }))).toBe(200);
    expect(await statusOf(call('deleteWebhook', { id }))).toBe(200);
  });
});

describe('a webhook’s deliveries', () => {
  type Shown = { deliveries: { deliveryId: string; status: string }[] };
  let receiver: WebhookReceiver;
  let id: string;

  beforeAll(async () => {
    receiver = await WebhookReceiver.start();
    const body = { url: receiver.url() };
    const { json } = await call<{ subscriptionId: string }>('registerWebhook', { body });
    id = json.data.subscriptionId;
  });

  afterAll(() => receiver.stop());

  const newest = (status: string) =>
    eventually(async () => {
      const { json } = await call<Shown>('listWebhookDeliveries', { id, query: '?limit=1' });
      expect(json.data.deliveries[0]).toMatchObject({ status });
      return json.data.deliveries[0];
    });

  it('are listed and sent again', async () => {
    await start();
    const { deliveryId } = await newest('SUCCEEDED');
    expect(await statusOf(call('redeliverWebhook', { id, deliveryId }))).toBe(200);
    const body = { since: '2026-01-01T00:00:00Z' };
    expect(await statusOf(call('recoverWebhook', { id, body }))).toBe(200);
    expect(await statusOf(call('recoverWebhook', { id, body: {} }))).toBe(400);
    const query = '?status=LOST';
    expect(await statusOf(call('listWebhookDeliveries', { id, query }))).toBe(400);
  });

  it('are not sent again while they are on their way, or their subscription is inactive', async () => {
    receiver.answerAlways(410);
    await start();
    const { deliveryId } = await newest('PAUSED');
    expect(await statusOf(call('redeliverWebhook', { id, deliveryId }))).toBe(409);
    const body = { since: '2026-01-01T00:00:00Z' };
    expect(await statusOf(call('recoverWebhook', { id, body }))).toBe(409);
  });

  it('go on when the subscription was tested and enabled', async () => {
    expect(await statusOf(call('testWebhook', { id }))).toBe(200);
    expect(await statusOf(call('enableWebhook', { id }))).toBe(200);
    await call('deleteWebhook', { id });
  });
});

describe('what only some calls refuse', () => {
  it('400: a body that breaks the rules, one that is not JSON', async () => {
    for (const operationId of ['initiateJourney', 'registerWebhook']) {
      expect(await statusOf(call(operationId, { body: {} }))).toBe(400);
      expect(await statusOf(call(operationId, { body: '{' }))).toBe(400);
    }
    const journey = await start();
    const at = { id: journey.id, session: journey.session };
    for (const operationId of ['submitJourneyAction', 'signalRedirectReturned']) {
      expect(await statusOf(call(operationId, { ...at, body: {} }))).toBe(400);
    }
    expect(await statusOf(call('listLeads', { query: '?page=one' }))).toBe(400);
  });

  it('401: a journey without its session, and with another one', async () => {
    const { id } = await start();
    for (const operationId of ['readJourney', 'submitJourneyAction']) {
      expect((await call(operationId, { id })).json.code).toBe('journey_session_missing');
    }
    const wrong = await call('signalRedirectReturned', { id, session: 'another' });
    expect(wrong.json.code).toBe('journey_session_invalid');
  });

  it('403: a product and a scope that the key does not have', async () => {
    const limited = partnerClient(service, { partner: 'limited' });
    const body = loanRequest({ productCode: 'ONLINE_BUSINESS' });
    const answer = await call('initiateJourney', { body }, limited);
    expect(answer.json.code).toBe('product_not_assigned');
    expect((await call('listWebhooks', {}, limited)).json.code).toBe('scope_missing');
  });

  it('404: a product that the catalogue has switched off', async () => {
    const catalogue = service.get<ProductCatalogue>(ProductCatalogue);
    const product = (await catalogue.find('ONLINE_GOLD'))!;
    vi.spyOn(catalogue, 'find').mockResolvedValueOnce(
      Object.assign({}, product, { isEnabled: false }),
    );
    const body = loanRequest({ productCode: 'ONLINE_GOLD' });
    expect((await call('initiateJourney', { body })).json.code).toBe('product_unavailable');
  });

  it('409: another step, a hosted journey', async () => {
    const journey = await start();
    const at = { id: journey.id, session: journey.session };
    const body = { kind: 'SUBMIT_BANK_ACCOUNT', payload: BANK_ACCOUNT };
    expect(await statusOf(call('submitJourneyAction', { ...at, body }))).toBe(409);
    const early = call('signalRedirectReturned', { ...at, body: { step: 'ESIGN' } });
    expect(await statusOf(early)).toBe(409);
    const { id } = await start({ channel: 'API_HOSTED' });
    expect((await call('submitJourneyAction', { id, body })).json.code).toBe('hosted_journey');
  });
});

describe('what every call refuses', () => {
  const expectOfEach = async (expected: string, options: Call, client = partner) => {
    for (const { operationId } of contract.operations) {
      const { json } = await call(operationId, options, client);
      expect([operationId, json.code]).toEqual([operationId, expected]);
    }
  };

  it('400: a body that is packed', () =>
    expectOfEach('malformed_request', { body: 'x', headers: { 'content-encoding': 'gzip' } }));

  it('401: a header that is missing, a wrong signature, a nonce used before', async () => {
    await expectOfEach('malformed_credentials', { headers: { 'x-nonce': null } });
    await expectOfEach('invalid_signature', { overrides: { signature: '0'.repeat(64) } });
    const nonce = randomUUID();
    await partner.get('/products', { overrides: { nonce } });
    await expectOfEach('nonce_reused', { overrides: { nonce } });
  });

  it('403: a partner that is suspended', () =>
    expectOfEach('partner_suspended', {}, partnerClient(service, { partner: 'suspended' })));

  it('404: what is not there', async () => {
    for (const { operationId, path } of contract.operations) {
      if (!path.includes('{')) continue;
      expect([operationId, await statusOf(call(operationId))]).toEqual([operationId, 404]);
    }
  });

  it('408: a request that does not arrive in time', async () => {
    const server = service.app.getHttpServer() as Server;
    const { headersTimeout } = server;
    server.headersTimeout = 500;
    // They are all late together, since Node looks for late requests at its own times alone.
    const late = contract.operations.map(async ({ operationId, method }) => {
      const target = targetOf(operationId, {});
      const head = `${method} ${target} HTTP/1.1\r\nHost: 127.0.0.1\r\n`;
      const answer = await sendBytes(service.baseUrl, head, LATE_MS);
      expect(answer.status).toBe(408);
      record(operationId, { ...answer, method, target });
    });
    await Promise.all(late);
    server.headersTimeout = headersTimeout;
  });

  it('413: a body above 100 KB', () =>
    expectOfEach('body_too_large', { body: 'x'.repeat(102_401) }));

  it('429: more than the key may send in a minute', async () => {
    const demo = partnerClient(service, { key: 'demo' });
    const spend = () => demo.get('/products');
    while ((await Promise.all(Array.from({ length: 20 }, spend)))[0]?.status === 200);
    await expectOfEach('rate_limited', {}, demo);
  });

  it('431: headers above 16 KB', () =>
    expectOfEach('headers_too_large', { headers: { 'x-more': 'x'.repeat(20_000) } }));

  it('500: a failure of ours, with the request’s id and nothing internal', async () => {
    const admit = vi.spyOn(service.get<Admission>(Admission), 'admit');
    for (const { operationId } of contract.operations) {
      admit.mockRejectedValueOnce(new Error('SELECT secret FROM inside'));
      const { json, headers } = await call(operationId);
      expect(json.code).toBe('internal_error');
      expect(json.error).toContain(headers['x-request-id']);
      expect(JSON.stringify(json)).not.toContain('inside');
    }
    admit.mockRestore();
  });

  it('503: a database that is away', async () => {
    await proxy.cut();
    await expectOfEach('service_unavailable', {});
    await proxy.restore();
  });
});

describe('of every operation', () => {
  it('every answer that the document names has been seen', () => {
    const missing = contract.operations.flatMap(({ operationId, statuses }) =>
      statuses
        .filter((status) => !seen.get(operationId)?.has(status))
        .map((status) => `${operationId} ${status}`),
    );
    expect(missing).toEqual([]);
  });
});
