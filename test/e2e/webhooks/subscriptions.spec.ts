import { beforeEach, describe, expect, it } from 'vitest';
import { WEBHOOK_EVENTS } from '../../../src/webhooks/index.js';
import { Database } from '../../../src/platform/index.js';
import { type PartnerClient, partnerClient } from '../../support/partner-client.js';
import type { TestService } from '../../support/service.js';
import { sharedService } from '../../support/shared-service.js';

const URL = 'https://partner.example/hooks';
const MOST = 200;
const UNKNOWN = `sub_${'0'.repeat(32)}`;

interface Registered {
  subscriptionId: string;
  secret: string;
}

interface Subscription {
  subscriptionId: string;
  subscribedEvents: string[];
}

let service: TestService;
let partner: PartnerClient;
let database: Database;

beforeEach(async () => {
  service = await sharedService();
  partner = partnerClient(service);
  database = service.get<Database>(Database);
});

async function register(body: object = { url: URL }): Promise<Registered> {
  const answer = await partner.post<Registered>('/webhooks', body);
  expect(answer.status).toBe(200);
  return answer.json.data;
}

async function list(): Promise<Subscription[]> {
  const answer = await partner.get<{ subscriptions: Subscription[] }>('/webhooks');
  expect(answer.status).toBe(200);
  return answer.json.data.subscriptions;
}

async function othersSubscription(): Promise<string> {
  const other = partnerClient(await sharedService());
  return (await other.post<Registered>('/webhooks', { url: URL })).json.data.subscriptionId;
}

describe('POST /webhooks answers 200', () => {
  it('with the id and the secret, which is stored nowhere in plain', async () => {
    const { subscriptionId, secret } = await register();
    expect(subscriptionId).toMatch(/^sub_[0-9a-f]{32}$/);
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const [row] = await database.query<{ row: string }>(
      'SELECT s::text AS row FROM webhook_subscriptions s WHERE id = $1',
      [subscriptionId],
    );
    expect(row.row).not.toContain(secret);
    expect(row.row).not.toContain(secret.slice('whsec_'.length));
  });

  it.each([[{}], [{ events: null }]])(
    'for every event when the body is %j besides the address',
    async (given) => {
      await register({ url: URL, ...given });
      expect((await list())[0].subscribedEvents).toEqual(WEBHOOK_EVENTS);
    },
  );

  it('with a warning that names the first, for the same address again, however it is written', async () => {
    const { subscriptionId, ...rest } = await register();
    expect(rest).not.toHaveProperty('warning');
    for (const url of [URL, 'https://PARTNER.example:443/hooks'])
      expect(await register({ url })).toMatchObject({
        warning: expect.stringContaining(subscriptionId) as string,
      });
    expect(await register({ url: `${URL}/2` })).not.toHaveProperty('warning');
  });
});

describe('POST /webhooks answers 400', () => {
  // src/platform/outbound/address-problem.spec.ts covers every other address.
  it.each(['https://169.254.169.254/latest/meta-data', 'ftp://partner.example/', 7, undefined])(
    'for the address %j',
    async (url) => {
      const answer = await partner.post('/webhooks', { url, events: ['none'] });
      expect(answer.status).toBe(400);
      expect(answer.json).toMatchObject({
        success: false,
        error: 'Validation failed',
        code: 'validation_failed',
        details: [{ field: 'url' }, { field: 'events' }],
      });
    },
  );

  it.each([[['journey.paid']], [['webhook.test']]])('for the events %j', async (events) => {
    const answer = await partner.post('/webhooks', { url: URL, events });
    expect([answer.status, answer.json.details]).toMatchObject([400, [{ field: 'events' }]]);
  });

  it('for one more than a partner may have, also when many ask at once', async () => {
    // Another partner's subscriptions do not count.
    await othersSubscription();
    await database.query(
      `INSERT INTO webhook_subscriptions (id, partner_id, url, secret_sealed, created_at)
       SELECT 'sub_' || md5($1 || n), $1, $2, 'sealed', app_now() FROM generate_series(1, $3) AS n`,
      [service.partnerId, URL, MOST - 5],
    );
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => partner.post('/webhooks', { url: URL })),
    );
    const refused = answers.filter(({ status }) => status === 400);
    expect(refused).toHaveLength(7);
    expect(refused[0].json.code).toBe('subscription_limit_reached');
    expect(
      await database.query(
        'SELECT count(*)::int AS registered FROM webhook_subscriptions WHERE partner_id = $1',
        [service.partnerId],
      ),
    ).toEqual([{ registered: MOST }]);
  });
});

describe('POST /webhooks answers 401 and 403', () => {
  it('to a key without the scope', async () => {
    const limited = partnerClient(service, { partner: 'limited' });
    expect((await limited.post('/webhooks', { url: URL })).json.code).toBe('scope_missing');
    expect((await limited.get('/webhooks')).status).toBe(403);
    expect((await limited.post(`/webhooks/${UNKNOWN}/rotate-secret`)).status).toBe(403);
    expect((await limited.delete(`/webhooks/${UNKNOWN}`)).status).toBe(403);
  });
});

describe('GET /webhooks answers 200', () => {
  it('with every subscription of the partner, oldest first, and no secret', async () => {
    const first = await register({ url: `${URL}/1`, events: ['journey.completed'] });
    const second = await register({ url: `${URL}/2` });
    await othersSubscription();
    const answer = await partner.get<{ subscriptions: Subscription[] }>('/webhooks');
    expect(answer.json.data.subscriptions).toEqual([
      {
        subscriptionId: first.subscriptionId,
        url: `${URL}/1`,
        subscribedEvents: ['journey.completed'],
        isActive: true,
        failureCount: 0,
        lastDeliveryAt: null,
      },
      expect.objectContaining({ subscriptionId: second.subscriptionId }),
    ]);
    expect(answer.body.toString()).not.toContain('whsec_');
  });
});

describe('POST /webhooks/{subscriptionId}/rotate-secret', () => {
  it('answers 200 with another secret', async () => {
    const { subscriptionId, secret } = await register();
    const answer = await partner.post<{ secret: string }>(
      `/webhooks/${subscriptionId}/rotate-secret`,
    );
    expect(answer.status).toBe(200);
    expect(answer.json.data.secret).toMatch(/^whsec_/);
    expect(answer.json.data.secret).not.toBe(secret);
  });

  it('answers 404 for another partner’s', async () => {
    const answer = await partner.post(`/webhooks/${await othersSubscription()}/rotate-secret`);
    expect(answer.json.code).toBe('subscription_not_found');
  });
});

describe('DELETE /webhooks/{subscriptionId}', () => {
  it('answers 200, wipes the secrets, and 404 from then on', async () => {
    const { subscriptionId } = await register();
    await partner.post(`/webhooks/${subscriptionId}/rotate-secret`);
    const answer = await partner.delete(`/webhooks/${subscriptionId}`);
    expect(answer.status).toBe(200);
    expect(answer.json.data).toEqual({ deleted: true });
    expect(await list()).toEqual([]);
    expect(
      await database.query(
        'SELECT secret_sealed, previous_secrets FROM webhook_subscriptions WHERE id = $1',
        [subscriptionId],
      ),
    ).toEqual([{ secret_sealed: null, previous_secrets: [] }]);
    const again = await partner.delete(`/webhooks/${subscriptionId}`);
    expect(again.json.code).toBe('subscription_not_found');
    expect((await partner.post(`/webhooks/${subscriptionId}/rotate-secret`)).status).toBe(404);
  });

  it('answers 404 for another partner’s, which stays', async () => {
    const subscriptionId = await othersSubscription();
    expect((await partner.delete(`/webhooks/${subscriptionId}`)).status).toBe(404);
    expect(
      await database.query('SELECT deleted_at FROM webhook_subscriptions WHERE id = $1', [
        subscriptionId,
      ]),
    ).toEqual([{ deleted_at: null }]);
  });
});
