// Isolated: disconnects its database.
import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import { Client } from 'pg';
import { describe, expect, it, vi } from 'vitest';
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
import { ASKED } from '../eligibility/asked.js';
import { type Call, DocumentedCalls } from './documented-calls.js';
import { ofFile } from '../../support/of-file.js';

// Sends every documented request, and checks every documented response. The last test fails if a documented response
// did not occur.

const LATE_MS = 45_000;
const HOOK = { url: 'https://partner.example/hooks' };
const SINCE = { body: { since: '2026-01-01T00:00:00Z' } };

const calls = ofFile(() => DocumentedCalls.open());

type Data = Record<string, string>;

/** Expects 200; returns `data`. */
async function expectOk<Shown = Data>(operationId: string, options?: Call): Promise<Shown> {
  const { status, json } = await calls.send<Shown>(operationId, options);
  expect([operationId, status, json.code]).toEqual([operationId, 200, undefined]);
  return json.data;
}

async function expectRefused(
  operationId: string,
  code: string,
  options?: Call,
  client = calls.partner,
) {
  const answer = await calls.send(operationId, options, client);
  expect([operationId, answer.json.code]).toEqual([operationId, code]);
  return answer;
}

/** Sends a call twice with one Idempotency-Key, and then with another body. */
async function expectReplayed(operationId: string, call: Call, other: object): Promise<Data> {
  const headers = { 'idempotency-key': randomUUID() };
  const data = await expectOk(operationId, { ...call, headers });
  const again = await calls.send(operationId, { ...call, headers });
  expect(again.headers['idempotency-replayed']).toBe('true');
  await expectRefused(operationId, 'idempotency_key_reused', { ...call, body: other, headers });
  return data;
}

describe('a journey, call by call', () => {
  it('of a gold loan, one that is hosted, and one that is rejected', async () => {
    const journey = await calls.start({ productCode: 'ONLINE_GOLD' });
    const action = async (kind: Parameters<typeof payloadOf>[0], state: string) => {
      await driveTo(calls.partner, journey, state);
      const payload = payloadOf(kind, await readJourney(calls.partner, journey));
      await expectOk('submitJourneyAction', { ...journey, body: { kind, payload } });
    };
    await action('SELECT_OFFER', 'OFFERS_RECEIVED');
    await action('SELECT_GOLD_LOAN_BRANCH', 'OFFER_SELECTED');
    await expectOk('signalRedirectReturned', { ...journey, body: { step: 'KYC' } });
    await action('SUBMIT_BANK_ACCOUNT', 'BANK_ACCOUNT_PENDING');
    await driveTo(calls.partner, journey, 'SANCTIONED');
    expect((await expectOk('readJourney', journey)).state).toBe('SANCTIONED');
    const { id } = await calls.start({ channel: 'API_HOSTED' });
    await expectOk('readJourney', { id });
    const rejected = await calls.start({ pan: 'SANDX0001A' });
    await driveTo(calls.partner, rejected, 'REJECTED');
    await expectOk('readJourney', rejected);
  });

  it('with an Idempotency-Key, then replayed, then with another body', async () => {
    await expectOk('initiateJourney', { body: shortLoanRequest() });
    const other = loanRequest({ loanAmount: 1_000 });
    await expectReplayed('initiateJourney', { body: loanRequest() }, other);
  });
});

describe('an instant loan', () => {
  it('with what is required, with everything, and replayed', async () => {
    const other = instantLoanRequest({ loanAmount: 1_000 });
    const { journeyId } = await expectReplayed(
      'createInstantLoan',
      { body: instantLoanRequest() },
      other,
    );
    await eventually(async () => {
      expect((await expectOk('readJourney', { id: journeyId })).state).toBe('OFFERS_RECEIVED');
    });
    const more = { dob: '1990-04-15', pinCode: '560001', termsAccepted: true, monthlyIncome: 1 };
    const full = instantLoanRequest({ loanAmount: 40_000, customer: more });
    await expectOk('createInstantLoan', { body: full });
  });

  it('refused: its product, and a journey’s', async () => {
    const body = instantLoanRequest();
    const { client } = await issueKey(calls.service, { products: ['ONLINE_PERSONAL'] });
    await expectRefused('createInstantLoan', 'product_not_assigned', { body }, client);
    const instant = { body: { ...ASKED, productCode: 'ONLINE_INSTANT' } };
    await expectRefused('checkEligibility', 'product_not_assigned', instant, client);
    const catalogue = calls.service.get<ProductCatalogue>(ProductCatalogue);
    const product = (await catalogue.find('ONLINE_INSTANT'))!;
    // Mocked for all calls: background tasks also read the product.
    const switchedOff = vi
      .spyOn(catalogue, 'find')
      .mockResolvedValue(Object.assign({}, product, { isEnabled: false }));
    await expectRefused('createInstantLoan', 'product_unavailable', { body });
    await expectRefused('initiateJourney', 'product_unavailable', { body: loanRequest() });
    await expectRefused('checkEligibility', 'product_unavailable', { body: ASKED });
    switchedOff.mockRestore();
  });
});

describe('leads, products and webhooks', () => {
  it('are listed and read', async () => {
    await expectOk('listProducts');
    await expectOk('checkEligibility', { body: ASKED });
    await expectRefused('checkEligibility', 'validation_failed', { body: {} });
    await expectOk('listLeads', { query: '?page=1&limit=2&status=INITIATED&from=2020-01-01' });
    const { leads } = await expectOk<{ leads: { applicationId: string }[] }>('listLeads');
    await expectOk('readLeadStatus', { id: leads[0].applicationId });
    await expectOk('createWorkbenchLink');
  });

  it('and a sandbox’s time, which one call moves at a time', async () => {
    const body = { advanceSeconds: 60 };
    await expectOk('moveSandboxTime', { body });
    const other = new Client({ connectionString: calls.service.databaseUrl });
    await other.connect();
    await other.query('SELECT pg_advisory_lock($1)', [TRAVEL_LOCK]);
    await expectRefused('moveSandboxTime', 'time_travel_in_progress', { body });
    await other.end();
  });

  it('and an instant loan’s payment in a sandbox, when there is something to pay', async () => {
    const { applicationId: id } = await expectOk('createInstantLoan', {
      body: instantLoanRequest(),
    });
    const pay = { id, body: { outcome: 'PAID' } };
    await eventually(() => expectOk('paySandboxInstantLoan', pay));
    await expectRefused('paySandboxInstantLoan', 'payment_not_due', pay);
    await expectRefused('paySandboxInstantLoan', 'validation_failed', { id, body: {} });
  });

  it('and the events, the cursors of which end one day', async () => {
    await calls.start();
    const { next } = await expectOk('listEvents');
    await expectOk('listEvents', { query: `?after=${next}&limit=1&events=journey.completed` });
    const cursors = calls.service.get<EventCursors>(EventCursors);
    const unsaved = cursors.write({ position: 1_000_000, eventId: null });
    await expectRefused('listEvents', 'cursor_expired', { query: `?after=${unsaved}` });
  });

  it('are registered, rotated under an Idempotency-Key, listed and deleted', async () => {
    const { subscriptionId: id } = await expectReplayed(
      'registerWebhook',
      { body: HOOK },
      { ...HOOK, events: [] },
    );
    await expectReplayed('rotateWebhookSecret', { id, body: {} }, { other: 1 });
    await expectOk('listWebhooks');
    await expectOk('deleteWebhook', { id });
  });
});

describe('a webhook’s deliveries', () => {
  it('are listed and sent again, but not on their way or of an inactive subscription, which goes on when it was tested and enabled', async () => {
    const receiver = await WebhookReceiver.start();
    const { subscriptionId: id } = await expectOk('registerWebhook', {
      body: { url: receiver.url() },
    });
    const newest = (status: string) =>
      eventually(async () => {
        await calls.start();
        const query = `?limit=1&status=${status}`;
        const shown = await expectOk<{ deliveries: Data[] }>('listWebhookDeliveries', {
          id,
          query,
        });
        return { id, deliveryId: shown.deliveries[0].deliveryId };
      });
    await expectOk('redeliverWebhook', await newest('SUCCEEDED'));
    await expectOk('recoverWebhook', { id, ...SINCE });
    receiver.answerAlways(410);
    await expectRefused('redeliverWebhook', 'delivery_not_finished', await newest('PAUSED'));
    await expectRefused('recoverWebhook', 'subscription_inactive', { id, ...SINCE });
    await expectOk('testWebhook', { id });
    await expectOk('disableWebhook', { id });
    await expectOk('enableWebhook', { id });
    await expectOk('deleteWebhook', { id });
    await receiver.stop();
  });
});

describe('what only some calls refuse', () => {
  it('400: a body that breaks the rules, one that is not JSON, and a parameter', async () => {
    const journey = await calls.start();
    const hook = { id: (await expectOk('registerWebhook', { body: HOOK })).subscriptionId };
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
      await expectRefused(operationId, 'validation_failed', { ...at, body: {} });
      await expectRefused(operationId, 'malformed_json', { ...at, body: '{' });
    }
    for (const [operationId, call] of [
      ['listLeads', { query: '?page=one' }],
      ['listEvents', { query: '?after=1' }],
      ['listWebhookDeliveries', { ...hook, query: '?status=LOST' }],
    ] as const) {
      await expectRefused(operationId, 'validation_failed', call);
    }
  });

  it('401: a journey without its session, and with another one', async () => {
    const { id } = await calls.start();
    await expectRefused('readJourney', 'journey_session_missing', { id });
    await expectRefused('submitJourneyAction', 'journey_session_missing', { id });
    await expectRefused('signalRedirectReturned', 'journey_session_invalid', {
      id,
      session: 'another',
    });
  });

  it('403: a product and a scope that the key does not have', async () => {
    const limited = partnerClient(calls.service, { partner: 'limited' });
    const body = loanRequest({ productCode: 'ONLINE_BUSINESS' });
    await expectRefused('initiateJourney', 'product_not_assigned', { body }, limited);
    await expectRefused('listWebhooks', 'scope_missing', {}, limited);
  });

  it('409: another step, a hosted journey', async () => {
    const journey = await calls.start();
    const body = { kind: 'SUBMIT_BANK_ACCOUNT', payload: BANK_ACCOUNT };
    await expectRefused('submitJourneyAction', 'wrong_step', { ...journey, body });
    const early = { ...journey, body: { step: 'ESIGN' } };
    await expectRefused('signalRedirectReturned', 'wrong_step', early);
    const { id } = await calls.start({ channel: 'API_HOSTED' });
    await expectRefused('submitJourneyAction', 'hosted_journey', { id, body });
  });
});

describe('what every call refuses', () => {
  const expectOfEach = async (code: string, options: Call, client = calls.partner) => {
    for (const { operationId } of calls.contract.operations) {
      await expectRefused(operationId, code, options, client);
    }
  };

  it('400: a request without a Host', () =>
    expectOfEach('malformed_request', { headers: { host: null } }));

  it('415: a body that is compressed, at each call that takes one', async () => {
    const journey = await calls.start();
    const loan = await expectOk('createInstantLoan', { body: instantLoanRequest() });
    const hook = await expectOk('registerWebhook', { body: HOOK });
    const ids: Data = {
      paySandboxInstantLoan: loan.applicationId,
      recoverWebhook: hook.subscriptionId,
    };
    const headers = { 'content-encoding': 'gzip' };
    for (const { operationId, node } of calls.contract.operations) {
      if (node.requestBody === undefined) continue;
      const id = ids[operationId] ?? journey.id;
      const compressed = { ...journey, id, body: 'x', headers };
      await expectRefused(operationId, 'unsupported_media_type', compressed);
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
      // The body is checked before the application is looked up.
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

  it('413: a body above 100 KB', () =>
    expectOfEach('body_too_large', { body: 'x'.repeat(102_401) }));

  it('429: more than the key may send in a minute', async () => {
    const { client } = await issueKey(calls.service, { perMinute: 1 });
    await client.get('/products');
    await expectOfEach('rate_limited', {}, client);
  });

  it('431: headers above 16 KB', () =>
    expectOfEach('headers_too_large', { headers: { 'x-more': 'x'.repeat(20_000) } }));

  it('500: a failure of the service, with the request’s id and nothing internal', async () => {
    const admit = vi.spyOn(calls.service.get<Admission>(Admission), 'admit');
    for (const { operationId } of calls.contract.operations) {
      admit.mockRejectedValueOnce(new Error('SELECT secret FROM inside'));
      const { json, headers } = await expectRefused(operationId, 'internal_error');
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

it('every answer that the document names has been seen, of every operation', () => {
  expect(calls.missing()).toEqual([]);
});
