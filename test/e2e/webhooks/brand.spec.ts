import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Database } from '../../../src/platform/index.js';
import { EventPublisher } from '../../../src/webhooks/index.js';
import { RegisterSubscription } from '../../../src/webhooks/subscriptions/register-subscription.service.js';
import { configure } from '../../support/kept-configuration.js';
import type { TestService } from '../../support/service.js';
import { sharedService } from '../../support/shared-service.js';
import { WebhookReceiver } from '../../support/webhook-receiver.js';
import { someEvent } from './some-event.js';

let service: TestService;
let receiver: WebhookReceiver;

beforeAll(async () => {
  service = await sharedService();
  await configure(service, 'UPDATE configuration SET brand = brand || $1', [
    JSON.stringify({ slug: 'udhaari' }),
  ]);
  receiver = await WebhookReceiver.start();
});

afterAll(() => receiver.stop());

it('an operator’s deliveries have its own brand in their headers, and nobody else’s', async () => {
  const database = service.get<Database>(Database);
  const registered = await service
    .get<RegisterSubscription>(RegisterSubscription)
    .register(service.partnerId, { url: receiver.url(), events: null }, null);
  const { subscriptionId, secret } = registered.answer;
  const publisher = service.get<EventPublisher>(EventPublisher);
  await database.transaction((tx) =>
    publisher.publish(tx, someEvent({ partnerId: service.partnerId })),
  );
  const [{ headers, body }] = await receiver.waitForCount(1);
  expect(headers).toMatchObject({
    'user-agent': 'udhaari-webhooks/1',
    'x-udhaari-signature': createHmac('sha256', secret).update(body).digest('hex'),
    'x-udhaari-event': 'journey.initiated',
    'x-udhaari-event-id': headers['webhook-id'],
    'x-udhaari-attempt': '1',
    'x-udhaari-subscription-id': subscriptionId,
  });
  expect(JSON.stringify(headers)).not.toContain('rinpath');
});
