import { randomBytes } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Database } from '../../../src/platform/index.js';
import { type PartnerClient, partnerClient } from '../../support/partner-client.js';
import type { TestService } from '../../support/service.js';
import { sharedService } from '../../support/shared-service.js';

// What is looked for by its status among many others: no index holds a status (docs/adr/0013).

const MAX_LOOKED_AT = 10_000;

interface PageShown {
  deliveries: { deliveryId: string; status: string; nextAttemptAt: string | null }[];
  nextBefore: string | null;
}

let service: TestService;
let partner: PartnerClient;
let database: Database;
let id: string;
/** What the ids of the test's deliveries begin with. */
let prefix: string;

beforeAll(async () => {
  service = await sharedService();
  partner = partnerClient(service);
  database = service.get<Database>(Database);
});

beforeEach(async () => {
  prefix = randomBytes(8).toString('hex');
  const { json } = await partner.post<{ subscriptionId: string }>('/webhooks', {
    url: 'http://127.0.0.1:9/nobody',
  });
  id = json.data.subscriptionId;
  // Nothing is sent of what these tests write.
  await database.query(
    `UPDATE webhook_lanes SET is_active = false, inactive_since = app_now()
     WHERE subscription_id = $1`,
    [id],
  );
});

function idAt(place: number): string {
  return `dlv_${prefix}${String(place).padStart(16, '0')}`;
}

/** Writes deliveries at the places from `from` to `to`; the higher the newer. */
async function write(status: string, from: number, to = from): Promise<void> {
  await database.query(
    `WITH event AS (
       INSERT INTO webhook_events (id, partner_id, journey_id, name, sequence, body, created_at)
       SELECT 'evt_' || $6 || lpad(n::text, 16, '0'), $5, 'jrn_' || $6 || n, 'journey.completed', 1, '{}',
         app_now() FROM generate_series($3::int, $4::int) AS n
       RETURNING id
     ),
     delivery AS (
       INSERT INTO webhook_deliveries
         (id, partner_id, subscription_id, event_id, status, created_at, finished_at)
       SELECT replace(id, 'evt', 'dlv'), $5, $1, id, $2, app_now(),
         CASE WHEN $2 <> 'PENDING' THEN app_now() END FROM event
       RETURNING id, event_id
     )
     INSERT INTO webhook_queue (delivery_id, partner_id, subscription_id, event_id, attempts, next_attempt_at)
     SELECT id, $5, $1, event_id, (right(id, 1) > '4')::int, app_now() FROM delivery
     WHERE $2 = 'PENDING'`,
    [id, status, from, to, service.partnerId, prefix],
  );
}

async function page(query: string): Promise<PageShown> {
  const { status, json } = await partner.get<PageShown>(`/webhooks/${id}/deliveries?${query}`);
  expect(status).toBe(200);
  return json.data;
}

/** Goes through every page; answers what each one held. */
async function everyPage(query: string): Promise<string[][]> {
  const pages: string[][] = [];
  let before = '';
  do {
    const { deliveries, nextBefore } = await page(query + before);
    pages.push(deliveries.map(({ deliveryId }) => deliveryId));
    before = nextBefore === null ? '' : `&before=${nextBefore}`;
  } while (before !== '');
  return pages;
}

describe('what is finished, by its status', () => {
  it('is found page by page, each of which looks at no more than so many', async () => {
    await write('EXHAUSTED', 1);
    await write('SUCCEEDED', 2, MAX_LOOKED_AT + 5);
    await write('CANCELLED', MAX_LOOKED_AT + 6);
    const first = await page('status=EXHAUSTED');
    expect(first).toEqual({ deliveries: [], nextBefore: idAt(7) });
    const second = await page(`status=EXHAUSTED&before=${idAt(7)}`);
    expect(second).toMatchObject({ deliveries: [{ deliveryId: idAt(1) }], nextBefore: null });
    expect(await everyPage('status=CANCELLED')).toEqual([[idAt(MAX_LOOKED_AT + 6)], []]);
  });

  it('comes once each, none left out, with pages full on the way', async () => {
    await write('SUCCEEDED', 1, MAX_LOOKED_AT);
    await write('EXHAUSTED', MAX_LOOKED_AT + 1, MAX_LOOKED_AT + 7);
    const pages = await everyPage('status=EXHAUSTED&limit=3');
    expect(pages.map(({ length }) => length)).toEqual([3, 3, 1, 0]);
    expect(pages.flat()).toEqual([7, 6, 5, 4, 3, 2, 1].map((place) => idAt(MAX_LOOKED_AT + place)));
  });
});

describe('what is open', () => {
  it('is found at once, however many newer ones are finished', async () => {
    await write('PENDING', 1, 8);
    await write('SUCCEEDED', 9, MAX_LOOKED_AT + 20);
    const pages = await everyPage('status=PAUSED&limit=5');
    expect(pages).toEqual([[8, 7, 6, 5, 4].map(idAt), [3, 2, 1].map(idAt)]);
    const { deliveries } = await page('status=PAUSED&limit=1');
    expect(deliveries[0]).toMatchObject({
      status: 'PAUSED',
      nextAttemptAt: expect.stringMatching(/Z$/) as string,
    });
  });

  it('is PENDING or PAUSED as its subscription is active or not, and never both', async () => {
    await write('PENDING', 1, 3);
    expect((await page('status=PENDING')).deliveries).toEqual([]);
    expect((await page('status=PAUSED')).deliveries).toHaveLength(3);
  });

  it('is found page by page when more is open than is looked at', async () => {
    await write('PENDING', 1, MAX_LOOKED_AT + 1);
    await write('SUCCEEDED', MAX_LOOKED_AT + 2, 2 * MAX_LOOKED_AT + 1);
    expect(await page('status=PAUSED')).toEqual({
      deliveries: [],
      nextBefore: idAt(MAX_LOOKED_AT + 2),
    });
    const next = await page(`status=PAUSED&limit=2&before=${idAt(MAX_LOOKED_AT + 2)}`);
    expect(next).toMatchObject({
      deliveries: [{ deliveryId: idAt(MAX_LOOKED_AT + 1) }, { deliveryId: idAt(MAX_LOOKED_AT) }],
      nextBefore: idAt(MAX_LOOKED_AT),
    });
  });
});
