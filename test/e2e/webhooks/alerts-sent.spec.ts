import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Database } from '../../../src/platform/index.js';
import { AlertsTasks } from '../../../src/webhooks/alerts/alerts.tasks.js';
import { EventPublisher } from '../../../src/webhooks/index.js';
import { eventually } from '../../support/eventually.js';
import { plain } from '../../support/hosted-client.js';
import { pauseTask } from '../../support/paused-task.js';
import type { TestService } from '../../support/service.js';
import { sharedService } from '../../support/shared-service.js';
import { WebhookReceiver } from '../../support/webhook-receiver.js';
import { issueKey, type TestKey } from '../auth/auth-harness.js';
import { entered } from '../workbench/workbench-browser.js';
import { expectSigned } from './signed-delivery.js';
import { someEvent } from './some-event.js';

// An alert from its start to its delivery. alerts.spec.ts covers when and how often one is raised.

const DISABLED = 'webhook.endpoint_disabled';

interface Registered {
  readonly subscriptionId: string;
  readonly secret: string;
}

let service: TestService;
let receiver: WebhookReceiver;
let gone: WebhookReceiver;
let key: TestKey;

beforeAll(async () => {
  service = await sharedService();
  // Only a test runs them.
  pauseTask(service, AlertsTasks, 'webhooks-endpoint-alerts', 'tellOfEndpoints');
  pauseTask(service, AlertsTasks, 'webhooks-limit-alerts', 'tellOfLimits');
  [receiver, gone] = [await WebhookReceiver.start(), await WebhookReceiver.start()];
  gone.answerAlways(410);
  key = await issueKey(service, { partnerId: service.partnerId });
});

afterAll(async () => {
  await receiver?.stop();
  await gone?.stop();
});

async function register(url: string, events?: string[]): Promise<Registered> {
  const answer = await key.client.post<Registered>('/webhooks', { url, events });
  expect(answer.status).toBe(200);
  return answer.json.data;
}

describe('an endpoint that answers 410', () => {
  it('is sent to the receiver that names the alert, by call and on the workbench', async () => {
    const alerted = await register(receiver.url(), [DISABLED]);
    const { subscriptionId } = await register(gone.url());
    const publisher = service.get<EventPublisher>(EventPublisher);
    await service
      .get<Database>(Database)
      .transaction((tx) => publisher.publish(tx, someEvent({ partnerId: service.partnerId })));
    await eventually(async () => {
      const { json } = await key.client.get<{ subscriptions: { isActive: boolean }[] }>(
        '/webhooks',
      );
      expect(json.data.subscriptions.map(({ isActive }) => isActive)).toEqual([true, false]);
    });
    await service.get<AlertsTasks>(AlertsTasks).tellOfEndpoints();

    const delivery = await receiver.waitForEvent(DISABLED);
    expectSigned(delivery, alerted.secret);
    expect(delivery.headers['x-rinpath-event']).toBe(DISABLED);
    expect(delivery.json()).toMatchObject({ data: { subscriptionId, reason: 'GONE' } });
    const read = await key.client.get(`/events?events=${DISABLED}`);
    expect(read.body.toString('utf8')).toContain(`"events":[${delivery.body.toString('utf8')}]`);

    const overview = async (by: TestKey) =>
      plain((await (await entered(service, by)).open('/workbench')).text);
    expect(await overview(key)).toContain(`Alerts of the last seven days ${DISABLED}`);
    expect(await overview(await issueKey(service, { partnerId: 'limited' }))).not.toContain(
      DISABLED,
    );
    expect(receiver.deliveries).toHaveLength(1);
  });
});
