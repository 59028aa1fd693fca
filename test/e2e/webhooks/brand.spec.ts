import { createHmac } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { Database } from '../../../src/platform/index.js';
import { EventPublisher } from '../../../src/webhooks/index.js';
import { RegisterSubscription } from '../../../src/webhooks/subscriptions/register-subscription.service.js';
import { startService, type OwnService } from '../../support/service.js';
import { shippedConfiguration } from '../../support/shipped-configuration.js';
import { WebhookReceiver } from '../../support/webhook-receiver.js';
import { someEvent } from './delivery-bench.js';

const folder = mkdtempSync(join(tmpdir(), 'rinpath-brand-'));
let service: OwnService;
let receiver: WebhookReceiver;

beforeAll(async () => {
  const configFile = join(folder, 'sandbox.yaml');
  const shipped = parse(shippedConfiguration()) as { brand: object };
  const brand = { ...shipped.brand, slug: 'udhaari' };
  // Keys begin with the brand's slug, so those that are shipped are none of this one.
  writeFileSync(configFile, stringify({ ...shipped, brand, partners: [] }));
  service = await startService({ configFile });
  receiver = await WebhookReceiver.start();
});

afterAll(async () => {
  await receiver.stop();
  await service.close();
  rmSync(folder, { recursive: true });
});

it('an operator’s deliveries have its own brand in their headers, and nobody else’s', async () => {
  const database = service.get<Database>(Database);
  await database.query(`INSERT INTO partners (id, name) VALUES ('acme', 'Acme')`);
  const registered = await service
    .get<RegisterSubscription>(RegisterSubscription)
    .register('acme', { url: receiver.url(), events: null }, null);
  const { subscriptionId, secret } = registered.answer;
  const publisher = service.get<EventPublisher>(EventPublisher);
  await database.transaction((tx) => publisher.publish(tx, someEvent({ partnerId: 'acme' })));
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
