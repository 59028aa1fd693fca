import { beforeAll, describe, expect, it } from 'vitest';
import { Database } from '../../../src/platform/index.js';
import { EVENT_NAMES, EventPublisher } from '../../../src/webhooks/index.js';
import { driveTo, startJourney } from '../../support/journey-driver.js';
import { type PartnerClient, partnerClient } from '../../support/partner-client.js';
import type { TestService } from '../../support/service.js';
import { sharedService } from '../../support/shared-service.js';
import { WebhookReceiver } from '../../support/webhook-receiver.js';
import { someEvent } from './some-event.js';

interface Page {
  events: { id: string; event: string; journeyId: string; sequence: number }[];
  next: string;
  hasMore: boolean;
}

let service: TestService;
let partner: PartnerClient;
let stranger: Pick<TestService, 'partnerId' | 'credentials'> & { client: PartnerClient };

beforeAll(async () => {
  service = await sharedService();
  partner = partnerClient(service);
  const another = await sharedService();
  stranger = { ...another, client: partnerClient(another) };
});

async function page(query = '', client = partner): Promise<Page> {
  const { status, json } = await client.get<Page>(`/events${query}`);
  expect(status).toBe(200);
  return json.data;
}

async function end(client = partner): Promise<string> {
  let at = await page('', client);
  while (at.hasMore) at = await page(`?after=${at.next}`, client);
  return at.next;
}

async function publish(partnerId: string, journeyId: string): Promise<void> {
  const publisher = service.get<EventPublisher>(EventPublisher);
  await service
    .get<Database>(Database)
    .transaction((tx) => publisher.publish(tx, someEvent({ partnerId, journeyId })));
}

describe('GET /events answers 200', () => {
  it('with the events of a partner that has no webhook, in their order', async () => {
    const start = await end();
    const journey = await startJourney(partner);
    await driveTo(partner, journey, 'SANCTIONED');
    const events: Page['events'] = [];
    for (let at = await page(`?after=${start}&limit=3`); ;) {
      events.push(...at.events);
      if (!at.hasMore) break;
      at = await page(`?after=${at.next}&limit=3`);
    }
    const ours = events.filter(({ journeyId }) => journeyId === journey.id);
    expect(ours.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(ours[0].event).toBe('journey.initiated');
    expect(ours[6].event).toBe('journey.completed');
  });

  it('with the very bytes that a receiver gets', async () => {
    const receiver = await WebhookReceiver.start();
    try {
      const start = await end();
      await partner.post('/webhooks', { url: receiver.url() });
      const journey = await startJourney(partner, { pan: 'SANDX0001A' });
      await driveTo(partner, journey, 'REJECTED');
      await receiver.waitForCount(2);
      const answer = await partner.get<Page>(`/events?after=${start}`);
      const bodies = receiver.deliveries
        .toSorted((a, b) => a.json().sequence - b.json().sequence)
        .map(({ body }) => body.toString('utf8'));
      expect(bodies).toHaveLength(2);
      expect(answer.body.toString('utf8')).toContain(`"events":[${bodies.join(',')}]`);
    } finally {
      await receiver.stop();
    }
  });

  it('with nothing of another partner', async () => {
    const { client } = stranger;
    const [ours, theirs] = [await end(), await end(client)];
    await publish(stranger.partnerId, 'jrn_theirs');
    await publish(service.partnerId, 'jrn_ours');
    const journeysOf = async (after: string, by: PartnerClient) =>
      (await page(`?after=${after}`, by)).events.map(({ journeyId }) => journeyId);
    expect(await journeysOf(ours, partner)).toEqual(['jrn_ours']);
    expect(await journeysOf(theirs, client)).toEqual(['jrn_theirs']);
    const foreign = await client.get(`/events?after=${await end()}`);
    expect(foreign).toMatchObject({ status: 410, json: { code: 'cursor_expired' } });
  });
});

describe('GET /events answers 400', () => {
  it('and names every parameter that cannot be understood', async () => {
    const { status, json } = await partner.get('/events?after=1&events=journey.lost&limit=101');
    expect(status).toBe(400);
    expect(json.details).toEqual([
      { field: 'after', message: 'must be `next` from an earlier response of this call' },
      { field: 'events', message: `must be names from ${EVENT_NAMES.join(', ')}` },
      { field: 'limit', message: 'must be a whole number from 1 to 100' },
    ]);
  });

  it.each(['after=evc_MQ', 'limit=0', 'limit=1.5', 'events=,'])('to %s', async (query) => {
    expect((await partner.get(`/events?${query}`)).json.code).toBe('validation_failed');
  });
});

describe('GET /events answers 410', () => {
  it('to a cursor whose following events are no longer kept', async () => {
    const { client } = stranger;
    const start = await end(client);
    await publish(stranger.partnerId, 'jrn_old');
    const database = service.get<Database>(Database);
    await database.query(
      `UPDATE webhook_streams SET placed_to = placed_to + 1, removed_to = placed_to + 1
       WHERE partner_id = $1`,
      [stranger.partnerId],
    );
    const { status, json } = await client.get(`/events?after=${start}`);
    expect({ status, code: json.code }).toEqual({ status: 410, code: 'cursor_expired' });
    expect((await client.get('/events')).status).toBe(200);
  });
});
