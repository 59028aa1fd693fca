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
import { BANK_ACCOUNT, loanRequest, shortLoanRequest } from '../../support/loan-requests.js';
import { partnerClient } from '../../support/partner-client.js';
import { WebhookReceiver } from '../../support/webhook-receiver.js';
import { sendBytes } from '../../support/wire.js';
import { issueKey } from '../auth/auth-harness.js';
import { type Call, DocumentedCalls } from './documented-calls.js';

// Sends every documented request, and checks every documented response. The last test fails if a documented response
// did not occur.

const LATE_MS = 45_000;
const HOOK = { url: 'https://partner.example/hooks' };
const SINCE = { body: { since: '2026-01-01T00:00:00Z' } };

let calls: DocumentedCalls;

beforeAll(async () => {
  calls = await DocumentedCalls.open();
});

afterAll(() => calls.close());

type Data = Record<string, string>;

/** Sends a call that is answered 200, and answers its data. */
async function done<Shown = Data>(operationId: string, options?: Call): Promise<Shown> {
  const { status, json } = await calls.send<Shown>(operationId, options);
  expect([operationId, status, json.code]).toEqual([operationId, 200, undefined]);
  return json.data;
}

async function refused(operationId: string, code: string, options?: Call, client = calls.partner) {
  const answer = await calls.send(operationId, options, client);
  expect([operationId, answer.json.code]).toEqual([operationId, code]);
  return answer;
}

/** Sends a call twice under one Idempotency-Key, and then with another body. */
async function replayed(operationId: string, call: Call, other: object): Promise<Data> {
  const headers = { 'idempotency-key': randomUUID() };
  const data = await done(operationId, { ...call, headers });
  const again = await calls.send(operationId, { ...call, headers });
  expect(again.headers['idempotency-replayed']).toBe('true');
  await refused(operationId, 'idempotency_key_reused', { ...call, body: other, headers });
  return data;
}

describe('a journey, call by call', () => {
  it('of a gold loan, one that is hosted, and one that is rejected', async () => {
    const journey = await calls.start({ productCode: 'ONLINE_GOLD' });
    const action = async (kind: Parameters<typeof payloadOf>[0], state: string) => {
      await driveTo(calls.partner, journey, state);
      const payload = payloadOf(kind, await readJourney(calls.partner, journey));
      await done('submitJourneyAction', { ...journey, body: { kind, payload } });
    };
    await action('SELECT_OFFER', 'OFFERS_RECEIVED');
    await action('SELECT_GOLD_LOAN_BRANCH', 'OFFER_SELECTED');
    await done('signalRedirectReturned', { ...journey, body: { step: 'KYC' } });
    await action('SUBMIT_BANK_ACCOUNT', 'BANK_ACCOUNT_PENDING');
    await driveTo(calls.partner, journey, 'SANCTIONED');
    expect((await done('readJourney', journey)).state).toBe('SANCTIONED');
    const { id } = await calls.start({ channel: 'API_HOSTED' });
    await done('readJourney', { id });
    const rejected = await calls.start({ pan: 'SANDX0001A' });
    await driveTo(calls.partner, rejected, 'REJECTED');
    await done('readJourney', rejected);
  });

  it('with an Idempotency-Key, then replayed, then with another body', async () => {
    await done('initiateJourney', { body: shortLoanRequest() });
    const other = loanRequest({ loanAmount: 1_000 });
    await replayed('initiateJourney', { body: loanRequest() }, other);
  });
});

describe('an instant loan', () => {
  it('with what is required, with everything, and replayed', async () => {
    const other = instantLoanRequest({ loanAmount: 1_000 });
    const { journeyId } = await replayed(
      'createInstantLoan',
      { body: instantLoanRequest() },
      other,
    );
    await eventually(async () => {
      expect((await done('readJourney', { id: journeyId })).state).toBe('OFFERS_RECEIVED');
    });
    const more = { dob: '1990-04-15', pinCode: '560001', termsAccepted: true, monthlyIncome: 1 };
    const full = instantLoanRequest({ loanAmount: 40_000, customer: more });
    await done('createInstantLoan', { body: full });
  });

  it('refused: its product, and a journey’s', async () => {
    const body = instantLoanRequest();
    const { client } = await issueKey(calls.service, { products: ['ONLINE_PERSONAL'] });
    await refused('createInstantLoan', 'product_not_assigned', { body }, client);
    const catalogue = calls.service.get<ProductCatalogue>(ProductCatalogue);
    const product = (await catalogue.find('ONLINE_INSTANT'))!;
    // Not mocked once, because background tasks read the product, too.
    const switchedOff = vi
      .spyOn(catalogue, 'find')
      .mockResolvedValue(Object.assign({}, product, { isEnabled: false }));
    await refused('createInstantLoan', 'product_unavailable', { body });
    await refused('initiateJourney', 'product_unavailable', { body: loanRequest() });
    switchedOff.mockRestore();
  });
});

describe('leads, products and webhooks', () => {
  it('are listed and read', async () => {
    await done('listProducts');
    await done('listLeads', { query: '?page=1&limit=2&status=INITIATED&from=2020-01-01' });
    const { leads } = await done<{ leads: { applicationId: string }[] }>('listLeads');
    await done('readLeadStatus', { id: leads[0].applicationId });
    await done('createWorkbenchLink');
  });

  it('and a sandbox’s time, which one call moves at a time', async () => {
    const body = { advanceSeconds: 60 };
    await done('moveSandboxTime', { body });
    const other = new Client({ connectionString: calls.service.databaseUrl });
    await other.connect();
    await other.query('SELECT pg_advisory_lock($1)', [TRAVEL_LOCK]);
    await refused('moveSandboxTime', 'time_travel_in_progress', { body });
    await other.end();
  });

  it('and an instant loan’s payment in a sandbox, when there is something to pay', async () => {
    const { applicationId: id } = await done('createInstantLoan', { body: instantLoanRequest() });
    const pay = { id, body: { outcome: 'PAID' } };
    await eventually(() => done('paySandboxInstantLoan', pay));
    await refused('paySandboxInstantLoan', 'payment_not_due', pay);
    await refused('paySandboxInstantLoan', 'validation_failed', { id, body: {} });
  });

  it('and the events, the cursors of which end one day', async () => {
    await calls.start();
    const { next } = await done('listEvents');
    await done('listEvents', { query: `?after=${next}&limit=1&events=journey.completed` });
    const cursors = calls.service.get<EventCursors>(EventCursors);
    const unsaved = cursors.write({ position: 1_000_000, eventId: null });
    await refused('listEvents', 'cursor_expired', { query: `?after=${unsaved}` });
  });

  it('are registered, rotated under an Idempotency-Key, listed and deleted', async () => {
    const { subscriptionId: id } = await replayed(
      'registerWebhook',
      { body: HOOK },
      { ...HOOK, events: [] },
    );
    await replayed('rotateWebhookSecret', { id, body: {} }, { other: 1 });
    await done('listWebhooks');
    await done('deleteWebhook', { id });
  });
});

describe('a webhook’s deliveries', () => {
  it('are listed and sent again, but not on their way or of an inactive subscription, which goes on when it was tested and enabled', async () => {
    const receiver = await WebhookReceiver.start();
    const { subscriptionId: id } = await done('registerWebhook', { body: { url: receiver.url() } });
    const newest = (status: string) =>
      eventually(async () => {
        await calls.start();
        const query = `?limit=1&status=${status}`;
        const shown = await done<{ deliveries: Data[] }>('listWebhookDeliveries', { id, query });
        return { id, deliveryId: shown.deliveries[0].deliveryId };
      });
    await done('redeliverWebhook', await newest('SUCCEEDED'));
    await done('recoverWebhook', { id, ...SINCE });
    receiver.answerAlways(410);
    await refused('redeliverWebhook', 'delivery_not_finished', await newest('PAUSED'));
    await refused('recoverWebhook', 'subscription_inactive', { id, ...SINCE });
    await done('testWebhook', { id });
    await done('enableWebhook', { id });
    await done('deleteWebhook', { id });
    await receiver.stop();
  });
});

describe('what only some calls refuse', () => {
  it('400: a body that breaks the rules, one that is not JSON, and a parameter', async () => {
    const journey = await calls.start();
    const hook = { id: (await done('registerWebhook', { body: HOOK })).subscriptionId };
    const taking: [string, Call?][] = [
      ['initiateJourney'],
      ['createInstantLoan'],
      ['registerWebhook'],
      ['moveSandboxTime'],
      ['submitJourneyAction', journey],
      ['signalRedirectReturned', journey],
      ['recoverWebhook', hook],
    ];
    for (const [operationId, at] of taking) {
      await refused(operationId, 'validation_failed', { ...at, body: {} });
      await refused(operationId, 'malformed_json', { ...at, body: '{' });
    }
    for (const [operationId, call] of [
      ['listLeads', { query: '?page=one' }],
      ['listEvents', { query: '?after=1' }],
      ['listWebhookDeliveries', { ...hook, query: '?status=LOST' }],
    ] as const) {
      await refused(operationId, 'validation_failed', call);
    }
  });

  it('401: a journey without its session, and with another one', async () => {
    const { id } = await calls.start();
    await refused('readJourney', 'journey_session_missing', { id });
    await refused('submitJourneyAction', 'journey_session_missing', { id });
    await refused('signalRedirectReturned', 'journey_session_invalid', { id, session: 'another' });
  });

  it('403: a product and a scope that the key does not have', async () => {
    const limited = partnerClient(calls.service, { partner: 'limited' });
    const body = loanRequest({ productCode: 'ONLINE_BUSINESS' });
    await refused('initiateJourney', 'product_not_assigned', { body }, limited);
    await refused('listWebhooks', 'scope_missing', {}, limited);
  });

  it('409: another step, a hosted journey', async () => {
    const journey = await calls.start();
    const body = { kind: 'SUBMIT_BANK_ACCOUNT', payload: BANK_ACCOUNT };
    await refused('submitJourneyAction', 'wrong_step', { ...journey, body });
    const early = { ...journey, body: { step: 'ESIGN' } };
    await refused('signalRedirectReturned', 'wrong_step', early);
    const { id } = await calls.start({ channel: 'API_HOSTED' });
    await refused('submitJourneyAction', 'hosted_journey', { id, body });
  });
});

describe('what every call refuses', () => {
  const ofEach = async (code: string, options: Call, client = calls.partner) => {
    for (const { operationId } of calls.contract.operations) {
      await refused(operationId, code, options, client);
    }
  };

  it('400: a request without a Host', () =>
    ofEach('malformed_request', { headers: { host: null } }));

  it('415: a body that is compressed, at each call that takes one', async () => {
    const journey = await calls.start();
    const loan = await done('createInstantLoan', { body: instantLoanRequest() });
    const hook = await done('registerWebhook', { body: HOOK });
    const ids: Data = {
      paySandboxInstantLoan: loan.applicationId,
      recoverWebhook: hook.subscriptionId,
    };
    const headers = { 'content-encoding': 'gzip' };
    for (const { operationId, node } of calls.contract.operations) {
      if (node.requestBody === undefined) continue;
      const id = ids[operationId] ?? journey.id;
      const compressed = { ...journey, id, body: 'x', headers };
      await refused(operationId, 'unsupported_media_type', compressed);
    }
  });

  it('401: a header that is missing, a wrong signature, a nonce used before', async () => {
    await ofEach('malformed_credentials', { headers: { 'x-nonce': null } });
    await ofEach('invalid_signature', { overrides: { signature: '0'.repeat(64) } });
    const nonce = randomUUID();
    await calls.partner.get('/products', { overrides: { nonce } });
    await ofEach('nonce_reused', { overrides: { nonce } });
  });

  it('403: a partner that is suspended', () =>
    ofEach('partner_suspended', {}, partnerClient(calls.service, { partner: 'suspended' })));

  it('404: what is not there', async () => {
    for (const { operationId, path } of calls.contract.operations) {
      if (!path.includes('{')) continue;
      // Its body is read before the application is looked for.
      const { status } = await calls.send(operationId, { body: { outcome: 'PAID' } });
      expect([operationId, status]).toEqual([operationId, 404]);
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

  it('413: a body above 100 KB', () => ofEach('body_too_large', { body: 'x'.repeat(102_401) }));

  it('429: more than the key may send in a minute', async () => {
    const { client } = await issueKey(calls.service, { perMinute: 1 });
    await client.get('/products');
    await ofEach('rate_limited', {}, client);
  });

  it('431: headers above 16 KB', () =>
    ofEach('headers_too_large', { headers: { 'x-more': 'x'.repeat(20_000) } }));

  it('500: a failure of the service, with the request’s id and nothing internal', async () => {
    const admit = vi.spyOn(calls.service.get<Admission>(Admission), 'admit');
    for (const { operationId } of calls.contract.operations) {
      admit.mockRejectedValueOnce(new Error('SELECT secret FROM inside'));
      const { json, headers } = await refused(operationId, 'internal_error');
      expect(json.error).toContain(headers['x-request-id']);
      expect(JSON.stringify(json)).not.toContain('inside');
    }
    admit.mockRestore();
  });

  it('503: a database that is away', async () => {
    await calls.proxy.cut();
    await ofEach('service_unavailable', {});
    await calls.proxy.restore();
  });
});

it('every answer that the document names has been seen, of every operation', () => {
  expect(calls.missing()).toEqual([]);
});
