// Isolated: disconnects its database.
import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { TRAVEL_LOCK } from '../../../src/sandbox/store/sandbox-clock.repository.js';
import { Admission } from '../../../src/auth/partner.guard.js';
import { EventCursors } from '../../../src/webhooks/events/event-cursor.js';
import { ProductCatalogue } from '../../../src/settings/index.js';
import { eventually } from '../../support/eventually.js';
import { instantLoanRequest } from '../../support/instant-loans.js';
import { driveTo, payloadOf, readJourney } from '../../support/journey-driver.js';
import type { Node } from '../../support/contract.js';
import { BANK_ACCOUNT, loanRequest, shortLoanRequest } from '../../support/loan-requests.js';
import { partnerClient } from '../../support/partner-client.js';
import { WebhookReceiver } from '../../support/webhook-receiver.js';
import { sendBytes } from '../../support/wire.js';
import { issueKey } from '../auth/auth-harness.js';
import { type Call, DocumentedCalls } from './documented-calls.js';

// Sends every documented request, and checks every documented response. The last test fails if a documented response
// did not occur.

/** Longer than Node's interval of checking for late requests. */
const LATE_MS = 45_000;
const HOOK = { url: 'https://partner.example/hooks' };

let calls: DocumentedCalls;

beforeAll(async () => {
  calls = await DocumentedCalls.open();
});

afterAll(() => calls.close());

describe('a journey, call by call', () => {
  it('of a gold loan, one that is hosted, and one that is rejected', async () => {
    const journey = await calls.start({ productCode: 'ONLINE_GOLD' });
    const at = { id: journey.id, session: journey.session };
    const action = async (kind: Parameters<typeof payloadOf>[0], state: string) => {
      await driveTo(calls.partner, journey, state);
      const payload = payloadOf(kind, await readJourney(calls.partner, journey));
      const answer = calls.status('submitJourneyAction', { ...at, body: { kind, payload } });
      expect([kind, await answer]).toEqual([kind, 200]);
    };
    await action('SELECT_OFFER', 'OFFERS_RECEIVED');
    await action('SELECT_GOLD_LOAN_BRANCH', 'OFFER_SELECTED');
    const returned = { ...at, body: { step: 'KYC' } };
    expect(await calls.status('signalRedirectReturned', returned)).toBe(200);
    await action('SUBMIT_BANK_ACCOUNT', 'BANK_ACCOUNT_PENDING');
    await driveTo(calls.partner, journey, 'SANCTIONED');
    const read = await calls.send<{ state: string }>('readJourney', at);
    expect(read.json.data.state).toBe('SANCTIONED');
    const hosted = await calls.start({ channel: 'API_HOSTED' });
    expect(await calls.status('readJourney', { id: hosted.id })).toBe(200);
    const rejected = await calls.start({ pan: 'SANDX0001A' });
    await driveTo(calls.partner, rejected, 'REJECTED');
    expect(await calls.status('readJourney', rejected)).toBe(200);
  });

  it('with an Idempotency-Key, then replayed, then with another body', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const body = loanRequest();
    expect(await calls.status('initiateJourney', { body: shortLoanRequest() })).toBe(200);
    await calls.send('initiateJourney', { body, headers });
    const replayed = await calls.send('initiateJourney', { body, headers });
    expect(replayed.headers['idempotency-replayed']).toBe('true');
    const other = { body: loanRequest({ loanAmount: 1_000 }), headers };
    expect(await calls.status('initiateJourney', other)).toBe(409);
  });
});

describe('an instant loan', () => {
  it('with what is required, with everything, and replayed', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const body = instantLoanRequest();
    expect(await calls.status('createInstantLoan', { body, headers })).toBe(200);
    const replayed = await calls.send<{ journeyId: string }>('createInstantLoan', {
      body,
      headers,
    });
    expect(replayed.headers['idempotency-replayed']).toBe('true');
    const { journeyId } = replayed.json.data;
    await eventually(async () => {
      const read = await calls.send<{ state: string }>('readJourney', { id: journeyId });
      expect([read.status, read.json.data.state]).toEqual([200, 'OFFERS_RECEIVED']);
    });
    const more = { dob: '1990-04-15', pinCode: '560001', termsAccepted: true, monthlyIncome: 1 };
    const full = instantLoanRequest({ loanAmount: 40_000, customer: more });
    expect(await calls.status('createInstantLoan', { body: full })).toBe(200);
  });

  it('refused: its body, its key, its product, its Idempotency-Key', async () => {
    expect(await calls.status('createInstantLoan', { body: {} })).toBe(400);
    expect(await calls.status('createInstantLoan', { body: '{' })).toBe(400);
    const { client } = await issueKey(calls.service, { products: ['ONLINE_PERSONAL'] });
    const lacking = await calls.send('createInstantLoan', { body: instantLoanRequest() }, client);
    expect(lacking.json.code).toBe('product_not_assigned');
    const catalogue = calls.service.get<ProductCatalogue>(ProductCatalogue);
    const product = (await catalogue.find('ONLINE_INSTANT'))!;
    // Not mocked once, because background tasks read the product, too.
    const switchedOff = vi
      .spyOn(catalogue, 'find')
      .mockResolvedValue(Object.assign({}, product, { isEnabled: false }));
    const off = [
      await calls.send('createInstantLoan', { body: instantLoanRequest() }),
      await calls.send('initiateJourney', { body: loanRequest() }),
    ];
    switchedOff.mockRestore();
    for (const { json } of off) expect(json.code).toBe('product_unavailable');
    const headers = { 'idempotency-key': randomUUID() };
    await calls.send('createInstantLoan', { body: instantLoanRequest(), headers });
    const other = { body: instantLoanRequest({ loanAmount: 1_000 }), headers };
    expect(await calls.status('createInstantLoan', other)).toBe(409);
  });
});

describe('leads, products and webhooks', () => {
  it('are listed and read', async () => {
    expect(await calls.status('listProducts')).toBe(200);
    const query = '?page=1&limit=2&status=INITIATED&from=2020-01-01';
    await calls.send('listLeads', { query });
    const { json } = await calls.send<{ leads: { applicationId: string }[] }>('listLeads');
    const id = json.data.leads[0].applicationId;
    expect(await calls.status('readLeadStatus', { id })).toBe(200);
    expect(await calls.status('createWorkbenchLink')).toBe(200);
  });

  it('and a sandbox’s time, which one call moves at a time', async () => {
    const body = { advanceSeconds: 60 };
    expect(await calls.status('moveSandboxTime', { body })).toBe(200);
    expect(await calls.status('moveSandboxTime', { body: {} })).toBe(400);
    const other = new Client({ connectionString: calls.service.databaseUrl });
    await other.connect();
    await other.query('SELECT pg_advisory_lock($1)', [TRAVEL_LOCK]);
    expect(await calls.status('moveSandboxTime', { body })).toBe(409);
    await other.end();
  });

  it('and an instant loan’s payment in a sandbox, when there is something to pay', async () => {
    const started = await calls.send<{ applicationId: string }>('createInstantLoan', {
      body: instantLoanRequest(),
    });
    const id = started.json.data.applicationId;
    const body = { outcome: 'PAID' };
    const pay = () => calls.status('paySandboxInstantLoan', { id, body });
    await eventually(async () => expect(await pay()).toBe(200));
    expect(await pay()).toBe(409);
    expect(await calls.status('paySandboxInstantLoan', { id, body: {} })).toBe(400);
    expect(await calls.status('paySandboxInstantLoan', { id: 'app_nothing', body })).toBe(404);
  });

  it('and the events, the cursors of which end one day', async () => {
    await calls.start();
    const { json } = await calls.send<{ events: object[]; next: string }>('listEvents');
    expect(json.data.events.length).toBeGreaterThan(0);
    const after = `?after=${json.data.next}&limit=1&events=journey.completed`;
    expect(await calls.status('listEvents', { query: after })).toBe(200);
    expect(await calls.status('listEvents', { query: '?after=1' })).toBe(400);
    const cursors = calls.service.get<EventCursors>(EventCursors);
    const unsaved = cursors.write({ position: 1_000_000, eventId: null });
    expect(await calls.status('listEvents', { query: `?after=${unsaved}` })).toBe(410);
  });

  it('are registered and rotated once under an Idempotency-Key, and not with another body', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const register = (body: object) =>
      calls.send<{ subscriptionId: string }>('registerWebhook', { body, headers });
    const { json } = await register(HOOK);
    expect((await register(HOOK)).headers['idempotency-replayed']).toBe('true');
    expect((await register({ ...HOOK, events: [] })).status).toBe(409);
    const id = json.data.subscriptionId;
    const rotate = (body: object) => calls.send('rotateWebhookSecret', { id, body, headers });
    await rotate({});
    expect((await rotate({})).headers['idempotency-replayed']).toBe('true');
    expect((await rotate({ other: 1 })).status).toBe(409);
  });

  it('are registered, listed, rotated ten times within a day at most, and deleted', async () => {
    const { json } = await calls.send<{ subscriptionId: string }>('registerWebhook', {
      body: HOOK,
    });
    const id = json.data.subscriptionId;
    for (let count = 0; count < 10; count += 1) {
      expect(await calls.status('rotateWebhookSecret', { id })).toBe(200);
    }
    expect(await calls.status('rotateWebhookSecret', { id })).toBe(429);
    expect(await calls.status('listWebhooks')).toBe(200);
    expect(await calls.status('deleteWebhook', { id })).toBe(200);
  });
});

describe('a webhook’s deliveries', () => {
  type Shown = { deliveries: { deliveryId: string; status: string }[] };
  let receiver: WebhookReceiver;
  let id: string;

  beforeAll(async () => {
    receiver = await WebhookReceiver.start();
    const body = { url: receiver.url() };
    const { json } = await calls.send<{ subscriptionId: string }>('registerWebhook', { body });
    id = json.data.subscriptionId;
  });

  afterAll(() => receiver.stop());

  const newest = (status: string) =>
    eventually(async () => {
      const { json } = await calls.send<Shown>('listWebhookDeliveries', { id, query: '?limit=1' });
      expect(json.data.deliveries[0]).toMatchObject({ status });
      return json.data.deliveries[0];
    });

  it('are listed and sent again', async () => {
    await calls.start();
    const { deliveryId } = await newest('SUCCEEDED');
    expect(await calls.status('redeliverWebhook', { id, deliveryId })).toBe(200);
    const body = { since: '2026-01-01T00:00:00Z' };
    expect(await calls.status('recoverWebhook', { id, body })).toBe(200);
    expect(await calls.status('recoverWebhook', { id, body: {} })).toBe(400);
    const query = '?status=LOST';
    expect(await calls.status('listWebhookDeliveries', { id, query })).toBe(400);
  });

  it('are not sent again while they are on their way, or their subscription is inactive', async () => {
    receiver.answerAlways(410);
    await calls.start();
    const { deliveryId } = await newest('PAUSED');
    expect(await calls.status('redeliverWebhook', { id, deliveryId })).toBe(409);
    const body = { since: '2026-01-01T00:00:00Z' };
    expect(await calls.status('recoverWebhook', { id, body })).toBe(409);
  });

  it('go on when the subscription was tested and enabled', async () => {
    expect(await calls.status('testWebhook', { id })).toBe(200);
    expect(await calls.status('enableWebhook', { id })).toBe(200);
    await calls.send('deleteWebhook', { id });
  });
});

describe('what only some calls refuse', () => {
  it('400: a body that breaks the rules, one that is not JSON', async () => {
    for (const operationId of ['initiateJourney', 'registerWebhook']) {
      expect(await calls.status(operationId, { body: {} })).toBe(400);
      expect(await calls.status(operationId, { body: '{' })).toBe(400);
    }
    const journey = await calls.start();
    const at = { id: journey.id, session: journey.session };
    for (const operationId of ['submitJourneyAction', 'signalRedirectReturned']) {
      expect(await calls.status(operationId, { ...at, body: {} })).toBe(400);
    }
    expect(await calls.status('listLeads', { query: '?page=one' })).toBe(400);
  });

  it('401: a journey without its session, and with another one', async () => {
    const { id } = await calls.start();
    for (const operationId of ['readJourney', 'submitJourneyAction']) {
      expect((await calls.send(operationId, { id })).json.code).toBe('journey_session_missing');
    }
    const wrong = await calls.send('signalRedirectReturned', { id, session: 'another' });
    expect(wrong.json.code).toBe('journey_session_invalid');
  });

  it('403: a product and a scope that the key does not have', async () => {
    const limited = partnerClient(calls.service, { partner: 'limited' });
    const body = loanRequest({ productCode: 'ONLINE_BUSINESS' });
    const answer = await calls.send('initiateJourney', { body }, limited);
    expect(answer.json.code).toBe('product_not_assigned');
    expect((await calls.send('listWebhooks', {}, limited)).json.code).toBe('scope_missing');
  });

  it('409: another step, a hosted journey', async () => {
    const journey = await calls.start();
    const at = { id: journey.id, session: journey.session };
    const body = { kind: 'SUBMIT_BANK_ACCOUNT', payload: BANK_ACCOUNT };
    expect(await calls.status('submitJourneyAction', { ...at, body })).toBe(409);
    const early = calls.status('signalRedirectReturned', { ...at, body: { step: 'ESIGN' } });
    expect(await early).toBe(409);
    const { id } = await calls.start({ channel: 'API_HOSTED' });
    expect((await calls.send('submitJourneyAction', { id, body })).json.code).toBe(
      'hosted_journey',
    );
  });
});

const hasBody = ({ node }: { node: Node }) => node.requestBody !== undefined;

describe('what every call refuses', () => {
  const expectOfEach = async (expected: string, options: Call, client = calls.partner) => {
    for (const { operationId } of calls.contract.operations) {
      const { json } = await calls.send(operationId, options, client);
      expect([operationId, json.code]).toEqual([operationId, expected]);
    }
  };

  it('400: a request without a Host', () =>
    expectOfEach('malformed_request', { headers: { host: null } }));

  it('415: a body that is compressed, at each call that takes one', async () => {
    const { id, session } = await calls.start();
    const loan = await calls.send<{ applicationId: string }>('createInstantLoan', {
      body: instantLoanRequest(),
    });
    const hook = await calls.send<{ subscriptionId: string }>('registerWebhook', { body: HOOK });
    const ids: Record<string, string> = {
      paySandboxInstantLoan: loan.json.data.applicationId,
      recoverWebhook: hook.json.data.subscriptionId,
    };
    for (const { operationId } of calls.contract.operations.filter(hasBody)) {
      const { json } = await calls.send(operationId, {
        id: ids[operationId] ?? id,
        session,
        body: 'x',
        headers: { 'content-encoding': 'gzip' },
      });
      expect([operationId, json.code]).toEqual([operationId, 'unsupported_media_type']);
    }
  });

  it('401: a header that is missing, a wrong signature, a nonce used before', async () => {
    await expectOfEach('malformed_credentials', { headers: { 'x-nonce': null } });
    await expectOfEach('invalid_signature', { overrides: { signature: '0'.repeat(64) } });
    const nonce = randomUUID();
    await calls.partner.get('/products', { overrides: { nonce } });
    await expectOfEach('nonce_reused', { overrides: { nonce } });
  });

  it('403: a partner that is suspended', () =>
    expectOfEach('partner_suspended', {}, partnerClient(calls.service, { partner: 'suspended' })));

  it('404: what is not there', async () => {
    for (const { operationId, path } of calls.contract.operations) {
      if (!path.includes('{')) continue;
      expect([operationId, await calls.status(operationId)]).toEqual([operationId, 404]);
    }
  });

  it('408: a request that does not arrive in time', async () => {
    const server = calls.service.app.getHttpServer() as Server;
    const { headersTimeout } = server;
    server.headersTimeout = 500;
    // In parallel, because Node checks for late requests at fixed intervals.
    const late = calls.contract.operations.map(async ({ operationId, method }) => {
      const target = calls.targetOf(operationId);
      const head = `${method} ${target} HTTP/1.1\r\nHost: 127.0.0.1\r\n`;
      const answer = await sendBytes(calls.service.baseUrl, head, LATE_MS);
      expect(answer.status).toBe(408);
      calls.record(operationId, { ...answer, method, target });
    });
    await Promise.all(late);
    server.headersTimeout = headersTimeout;
  });

  it('413: a body above 100 KB', () =>
    expectOfEach('body_too_large', { body: 'x'.repeat(102_401) }));

  it('429: more than the key may send in a minute', async () => {
    const demo = partnerClient(calls.service, { key: 'demo' });
    const spend = () => demo.get('/products');
    while ((await Promise.all(Array.from({ length: 20 }, spend)))[0]?.status === 200);
    await expectOfEach('rate_limited', {}, demo);
  });

  it('431: headers above 16 KB', () =>
    expectOfEach('headers_too_large', { headers: { 'x-more': 'x'.repeat(20_000) } }));

  it('500: a failure of the service, with the request’s id and nothing internal', async () => {
    const admit = vi.spyOn(calls.service.get<Admission>(Admission), 'admit');
    for (const { operationId } of calls.contract.operations) {
      admit.mockRejectedValueOnce(new Error('SELECT secret FROM inside'));
      const { json, headers } = await calls.send(operationId);
      expect(json.code).toBe('internal_error');
      expect(json.error).toContain(headers['x-request-id']);
      expect(JSON.stringify(json)).not.toContain('inside');
    }
    admit.mockRestore();
  });

  it('503: a database that is away', async () => {
    await calls.proxy.cut();
    await expectOfEach('service_unavailable', {});
    await calls.proxy.restore();
  });
});

describe('of every operation', () => {
  it('every answer that the document names has been seen', () => {
    expect(calls.missing()).toEqual([]);
  });
});
