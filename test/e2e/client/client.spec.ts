import { beforeEach, describe, expect, it } from 'vitest';
import {
  RinpathClient,
  RinpathConnectionError,
  RinpathError,
  verifyWebhook,
} from '../../../clients/node/src/index.js';
import { SANDBOX_ACCOUNTS } from '../../../clients/node/src/testing.js';
import { loanRequest } from '../../support/loan-requests.js';
import { serviceOfFile } from '../../support/shared-service.js';
import { WebhookReceiver } from '../../support/webhook-receiver.js';
import { Relay } from './relay.js';
import { ofFile } from '../../support/of-file.js';

type Application = Parameters<RinpathClient['initiateJourney']>[0];

const service = serviceOfFile();
const relay = ofFile(() => Relay.before(service.baseUrl));
let waits: number[];
let client: RinpathClient;

function newClient(options: object = {}): RinpathClient {
  return new RinpathClient({
    baseUrl: relay.url,
    ...service.credentials,
    wait: (milliseconds) => {
      waits.push(milliseconds);
      return Promise.resolve();
    },
    ...options,
  });
}

function application(options: Parameters<typeof loanRequest>[0] = {}): Application {
  return loanRequest(options) as Application;
}

async function refusalOf(work: Promise<unknown>): Promise<RinpathError> {
  const error: unknown = await work.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(RinpathError);
  return error as RinpathError;
}

const BUSY = { status: 503, body: '{"success":false,"error":"Away","code":"service_unavailable"}' };

beforeEach(() => {
  relay.forget();
  waits = [];
  client = newClient();
});

describe('the Node client', () => {
  it('takes a headless loan to the payout, and believes its webhooks', async () => {
    const receiver = await WebhookReceiver.start();
    try {
      const { secret, subscriptionId } = await client.registerWebhook({ url: receiver.url() });
      const { journeyId, journeySession } = await client.initiateJourney(application());
      const session = { session: journeySession! };
      const reached = (type: string) =>
        client.waitForJourney(journeyId, (seen) => seen.currentNextAction.type === type, session);
      const { offers } = await reached('SELECT_OFFER');
      const [{ offerId, principalAmount: loanAmount }] = offers;
      const choice = { kind: 'SELECT_OFFER', payload: { offerId, loanAmount } } as const;
      await client.submitAction(journeyId, choice, session);
      await client.redirectReturned(journeyId, { step: 'KYC' }, session);
      const payload = {
        accHolderName: 'Asha Verma',
        acctype: 'SAVINGS',
        accNo: SANDBOX_ACCOUNTS.accepted,
        ifscCode: 'HDFC0001234',
      } as const;
      await client.submitAction(journeyId, { kind: 'SUBMIT_BANK_ACCOUNT', payload }, session);
      await reached('REDIRECT_TO_MANDATE');
      for (const step of ['MANDATE', 'ESIGN'] as const)
        await client.redirectReturned(journeyId, { step }, session);
      expect((await reached('JOURNEY_COMPLETED')).outcome).toBe('SANCTIONED');
      const events = (await receiver.waitForCount(7)).map(
        ({ body, headers }) => verifyWebhook(body, headers, secret).body['event'],
      );
      expect(events).toContain('journey.completed');
      await client.deleteWebhook(subscriptionId);
    } finally {
      await receiver.stop();
    }
  });

  it('starts one journey when the answer to the first attempt is lost', async () => {
    const before = (await client.listLeads()).total;
    relay.forget();
    relay.next('LOSE_ANSWER');
    await client.initiateJourney(application());
    expect(relay.seen).toEqual(Array(2).fill('POST /api/v1/partner/journey/initiate'));
    const [first, second] = relay.headers;
    expect(second['idempotency-key']).toBe(first['idempotency-key']);
    expect(second['x-nonce']).not.toBe(first['x-nonce']);
    expect((await client.listLeads()).total).toBe(before + 1);
  });

  it('rotates a secret once, though the answer was lost, and repeats no call that might be done twice', async () => {
    const { subscriptionId } = await client.registerWebhook({ url: 'http://127.0.0.1:9/' });
    relay.next('LOSE_ANSWER');
    const { secret } = await client.rotateWebhookSecret(subscriptionId, { idempotencyKey: 'lost' });
    const again = await client.rotateWebhookSecret(subscriptionId, { idempotencyKey: 'lost' });
    expect(again.secret).toBe(secret);
    relay.forget();
    relay.next('LOSE_ANSWER');
    const deleted = client.deleteWebhook(subscriptionId);
    await expect(deleted).rejects.toBeInstanceOf(RinpathConnectionError);
    expect(relay.seen).toHaveLength(1);
  });

  it('waits as long as the service says before it tries a limited call again', async () => {
    relay.next({
      status: 429,
      headers: { 'retry-after': '7' },
      body: '{"success":false,"error":"Too many requests","code":"rate_limited"}',
    });
    await client.registerWebhook({ url: 'http://127.0.0.1:9/' });
    expect(waits).toEqual([7_000]);
  });

  it('reads again after longer and longer waits, and tells of each without body or secret', async () => {
    const retries: unknown[] = [];
    relay.next(BUSY, BUSY, BUSY, BUSY);
    const { status } = await refusalOf(
      newClient({ onRetry: (retry: unknown) => retries.push(retry) }).listProducts(),
    );
    expect(status).toBe(503);
    expect(relay.seen).toHaveLength(4);
    expect(waits).toHaveLength(3);
    for (const [place, wait] of waits.entries()) {
      expect(wait).toBeGreaterThanOrEqual(250 * 2 ** place);
      expect(wait).toBeLessThanOrEqual(500 * 2 ** place);
    }
    expect(retries).toHaveLength(3);
    expect(JSON.stringify(retries)).not.toContain(service.credentials.apiSecret);
  });

  it('does not send a call again that was refused for its contents, and shows all that the service says of it', async () => {
    const body = application({ customer: { pan: 'ABCD12345' } });
    const error = await refusalOf(client.initiateJourney(body));
    expect(error).toMatchObject({ status: 400, code: 'validation_failed' });
    expect(error.details.map(({ field }) => field)).toEqual(['customer.pan']);
    expect(error.requestId).toMatch(/\S/);
    expect(relay.seen).toHaveLength(1);
    const forged = await refusalOf(newClient({ apiSecret: 'another' }).readLeadStatus('/?&%ü'));
    expect(JSON.stringify(forged.hint)).toContain('/leads/%2F%3F%26%25%C3%BC/status');
    expect(forged.clockOffsetSeconds).toBeTypeOf('number');
  });

  it('does not take a proxy’s page for the service’s answer', async () => {
    relay.next({ status: 200, body: '<h1>Sign in to the network</h1>' });
    expect((await refusalOf(client.listProducts())).code).toBe('unreadable_answer');
  });

  it('follows no redirect: another address would see the key', async () => {
    relay.next({ status: 307, headers: { location: `${service.baseUrl}/elsewhere` } });
    const call = newClient({ maxAttempts: 1 }).listProducts();
    await expect(call).rejects.toBeInstanceOf(RinpathConnectionError);
    await expect(call).rejects.toThrow(/^No response to GET .*: unexpected redirect$/);
  });
});
