import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { JourneyHistoryRepository } from '../../../src/journeys/store/journey-history.repository.js';
import { Database } from '../../../src/platform/index.js';
import { EventHistories } from '../../../src/webhooks/index.js';
import { eventuallyFound } from '../../support/eventually.js';
import { startHosted } from '../../support/hosted-client.js';
import { journeyIn } from '../../support/journey-driver.js';
import { serviceOfFile } from '../../support/shared-service.js';
import { WebhookReceiver } from '../../support/webhook-receiver.js';
import { issueKey } from '../auth/auth-harness.js';

// Skips the pages' check of the journey's owner: all other reads of a page must be limited to the partner, too.

const service = serviceOfFile();
let receiver: WebhookReceiver;
let id: string;

beforeAll(async () => {
  receiver = await WebhookReceiver.start();
  const { client } = await issueKey(service);
  await client.call('POST', '/webhooks', { body: { url: receiver.url() } });
  ({ id } = await journeyIn(client, 'OFFERS_RECEIVED'));
});

afterAll(async () => {
  await receiver?.stop();
});

describe('what a timeline reads is the partner’s own', () => {
  it('moves, offers, links, events, deliveries and attempts', async () => {
    const records = service.get<JourneyHistoryRepository>(JourneyHistoryRepository);
    const histories = service.get<EventHistories>(EventHistories);
    const hosted = await startHosted(service);
    const sent = await eventuallyFound(async () => {
      const { deliveries, attempts } = await histories.ofJourney(service.partnerId, id);
      return deliveries.find((one) => attempts.some(({ deliveryId }) => deliveryId === one.id));
    });
    const readBy = async (partnerId: string) => {
      const { events, deliveries, attempts } = await histories.ofJourney(partnerId, id);
      const delivery = await histories.delivery(partnerId, sent.subscriptionId, sent.id);
      return [
        await records.moves({ id, partnerId }),
        await records.offers({ id, partnerId }),
        await records.links({ id: hosted.id, partnerId }),
        events,
        deliveries,
        attempts,
        delivery?.attempts ?? [],
      ].map(({ length }) => length > 0);
    };
    expect(await readBy(service.partnerId)).toEqual(Array.from({ length: 7 }, () => true));
    expect(await readBy('limited')).toEqual(Array.from({ length: 7 }, () => false));
  });

  it('deliveries and attempts also were one ever another’s', async () => {
    const histories = service.get<EventHistories>(EventHistories);
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
    expect(await seen()).toEqual([true, true]);
    for (const [column, expected] of [
      ['webhook_attempts SET partner_id = $1 WHERE delivery_id', [true, false]],
      ['webhook_deliveries SET partner_id = $1 WHERE id', [false, false]],
    ]) {
      const database = service.get<Database>(Database);
      await database.query(`UPDATE ${String(column)} = $2`, ['limited', deliveryId]);
      expect(await seen()).toEqual(expected);
    }
  });
});
