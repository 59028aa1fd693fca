import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { JourneyHistoryRepository } from '../../../src/journeys/store/journey-history.repository.js';
import { Database } from '../../../src/platform/index.js';
import { EventHistories } from '../../../src/webhooks/index.js';
import { eventuallyFound } from '../../support/eventually.js';
import { startHosted } from '../../support/hosted-client.js';
import { journeyIn } from '../../support/journey-driver.js';
import type { TestService } from '../../support/service.js';
import { sharedService } from '../../support/shared-service.js';
import { WebhookReceiver } from '../../support/webhook-receiver.js';
import { issueKey } from '../auth/auth-harness.js';

// The pages first check whose journey it is. The tests skip that check: what the pages then read must be the partner's,
// too.

let service: TestService;
let receiver: WebhookReceiver;
let id: string;

beforeAll(async () => {
  service = await sharedService();
  receiver = await WebhookReceiver.start();
  const { client } = await issueKey(service);
  await client.call('POST', '/webhooks', { body: { url: receiver.url() } });
  ({ id } = await journeyIn(client, 'OFFERS_RECEIVED'));
});

afterAll(async () => {
  await receiver?.stop();
});

describe('what a timeline reads', () => {
  it('of moves, offers and links is the partner’s own', async () => {
    const records = service.get<JourneyHistoryRepository>(JourneyHistoryRepository);
    const hosted = await startHosted(service);
    for (const [partnerId, isOwner] of [
      [service.partnerId, true],
      ['limited', false],
    ] as const) {
      const found = [
        (await records.moves({ id, partnerId })).length > 0,
        (await records.offers({ id, partnerId })).length > 0,
        (await records.links({ id: hosted.id, partnerId })).length > 0,
      ];
      expect([partnerId, ...found]).toEqual([partnerId, isOwner, isOwner, isOwner]);
    }
  });

  it('of events and deliveries is the partner’s own', async () => {
    const histories = service.get<EventHistories>(EventHistories);
    const sent = await eventuallyFound(async () => {
      const { events, deliveries, attempts } = await histories.ofJourney(service.partnerId, id);
      expect(events.length).toBeGreaterThan(0);
      return deliveries.find((one) => attempts.some(({ deliveryId }) => deliveryId === one.id));
    });
    const own = await histories.delivery(service.partnerId, sent.subscriptionId, sent.id);
    expect(own?.attempts.length).toBeGreaterThan(0);
    expect(await histories.delivery('limited', sent.subscriptionId, sent.id)).toBeNull();
    expect(await histories.ofJourney('limited', id)).toMatchObject({
      events: [],
      deliveries: [],
      attempts: [],
    });
  });

  it('of deliveries and attempts is the partner’s own, were one ever another’s', async () => {
    const histories = service.get<EventHistories>(EventHistories);
    const database = service.get<Database>(Database);
    const { deliveryId } = await eventuallyFound(
      async () => (await histories.ofJourney(service.partnerId, id)).attempts[0],
    );
    const seen = async () => {
      const { deliveries, attempts } = await histories.ofJourney(service.partnerId, id);
      return [
        deliveries.some((delivery) => delivery.id === deliveryId),
        attempts.some((attempt) => attempt.deliveryId === deliveryId),
      ];
    };
    const give = (table: string, column: string) =>
      database.query(`UPDATE ${table} SET partner_id = 'limited' WHERE ${column} = $1`, [
        deliveryId,
      ]);
    expect(await seen()).toEqual([true, true]);
    await give('webhook_attempts', 'delivery_id');
    expect(await seen()).toEqual([true, false]);
    await give('webhook_deliveries', 'id');
    expect(await seen()).toEqual([false, false]);
  });
});
