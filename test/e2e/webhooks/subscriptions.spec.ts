import { beforeEach, describe, expect, it } from 'vitest';
import { WEBHOOK_EVENTS } from '../../../src/webhooks/index.js';
import { Database } from '../../../src/platform/index.js';
import { type PartnerClient, partnerClient } from '../../support/partner-client.js';
import type { TestService } from '../../support/service.js';
import { sharedService } from '../../support/shared-service.js';

// Another partner's subscription: ../auth/sessions.spec.ts. A key without the scope: ../auth/scopes.spec.ts.

const URL = 'https://partner.example/hooks';
const MOST = 200;

interface Registered {
  subscriptionId: string;
  secret: string;
}

let service: TestService;
let partner: PartnerClient;
let database: Database;

beforeEach(async () => {
  service = await sharedService();
  partner = partnerClient(service);
  database = service.get<Database>(Database);
});

async function register(body: object = { url: URL }, by = partner): Promise<Registered> {
  const answer = await by.post<Registered>('/webhooks', body);
  expect(answer.status).toBe(200);
  return answer.json.data;
}

async function ofAnotherPartner(): Promise<void> {
  await register({ url: URL }, partnerClient(await sharedService()));
}

describe('POST /webhooks answers 200', () => {
  it('with the id and the secret, which is stored nowhere in plain', async () => {
    const { subscriptionId, secret } = await register();
    expect(subscriptionId).toMatch(/^sub_[0-9a-f]{32}$/);
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const [{ row }] = await database.query<{ row: string }>(
      'SELECT s::text AS row FROM webhook_subscriptions s WHERE id = $1',
      [subscriptionId],
    );
    expect(row).not.toContain(secret.slice('whsec_'.length));
  });

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
  // Every other address: src/platform/outbound/address-problem.spec.ts.
  it.each([
    ['https://169.254.169.254/latest/meta-data', ['journey.paid']],
    [undefined, ['webhook.test']],
    [7, 'x'],
  ])('for the address %j and the events %j', async (url, events) => {
    const answer = await partner.post('/webhooks', { url, events });
    expect([answer.status, answer.json]).toMatchObject([
      400,
      {
        success: false,
        error: 'Validation failed',
        code: 'validation_failed',
        details: [{ field: 'url' }, { field: 'events' }],
      },
    ]);
  });

  it('for one more than a partner may have, also when many ask at once', async () => {
    // Another partner's subscription does not count.
    await ofAnotherPartner();
    await database.query(
      `INSERT INTO webhook_subscriptions (id, partner_id, url, secret_sealed, created_at)
       SELECT 'sub_' || md5($1 || n), $1, $2, 'sealed', app_now() FROM generate_series(1, $3) AS n`,
      [service.partnerId, URL, MOST - 5],
    );
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => partner.post('/webhooks', { url: URL })),
    );
    const refused = answers.filter(({ status }) => status === 400);
    expect(refused.map(({ json }) => json.code)).toEqual(
      Array.from({ length: 7 }, () => 'subscription_limit_reached'),
    );
    const registered = await database.query(
      'SELECT FROM webhook_subscriptions WHERE partner_id = $1',
      [service.partnerId],
    );
    expect(registered).toHaveLength(MOST);
  });
});

describe('GET /webhooks answers 200', () => {
  it('with every subscription of the partner, oldest first, its events spelled out, and no secret', async () => {
    const first = await register({ url: `${URL}/1`, events: ['journey.completed'] });
    const others = [
      await register({ url: `${URL}/2` }),
      await register({ url: URL, events: null }),
    ];
    await ofAnotherPartner();
    const answer = await partner.get<{ subscriptions: object[] }>('/webhooks');
    expect(answer.json.data.subscriptions).toEqual([
      {
        subscriptionId: first.subscriptionId,
        url: `${URL}/1`,
        subscribedEvents: ['journey.completed'],
        isActive: true,
        failureCount: 0,
        lastDeliveryAt: null,
      },
      ...others.map(({ subscriptionId }) =>
        expect.objectContaining({ subscriptionId, subscribedEvents: WEBHOOK_EVENTS }),
      ),
    ]);
    expect(answer.body.toString()).not.toContain('whsec_');
  });
});

describe('DELETE /webhooks/{subscriptionId}', () => {
  it('answers 200, wipes the secrets, and 404 from then on', async () => {
    const { subscriptionId } = await register();
    const path = `/webhooks/${subscriptionId}`;
    await partner.post(`${path}/rotate-secret`);
    const answer = await partner.delete(path);
    expect([answer.status, answer.json.data]).toEqual([200, { deleted: true }]);
    expect(
      await database.query(
        'SELECT secret_sealed, previous_secrets FROM webhook_subscriptions WHERE id = $1',
        [subscriptionId],
      ),
    ).toEqual([{ secret_sealed: null, previous_secrets: [] }]);
    expect((await partner.get('/webhooks')).json.data.subscriptions).toEqual([]);
    expect((await partner.delete(path)).json.code).toBe('subscription_not_found');
    expect((await partner.post(`${path}/rotate-secret`)).status).toBe(404);
  });
});
