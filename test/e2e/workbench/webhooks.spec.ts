import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Database } from '../../../src/platform/index.js';
import { eventually } from '../../support/eventually.js';
import { type HostedClient, plain } from '../../support/hosted-client.js';
import { startJourney } from '../../support/journey-driver.js';
import { serviceOfFile } from '../../support/shared-service.js';
import { WebhookReceiver } from '../../support/webhook-receiver.js';
import { issueKey, type TestKey } from '../auth/auth-harness.js';
import { entered } from './workbench-browser.js';

const service = serviceOfFile();
let receiver: WebhookReceiver;
let key: TestKey;
let browser: HostedClient;
let path: string;

beforeAll(async () => {
  key = await issueKey(service);
  browser = await entered(service, key);
});

beforeEach(async () => {
  receiver = await WebhookReceiver.start();
  const { json } = await key.client.call<{ subscriptionId: string }>('POST', '/webhooks', {
    body: { url: receiver.url() },
  });
  path = `/workbench/webhooks/${json.data.subscriptionId}`;
  return () => receiver.stop();
});

describe('the webhooks’ pages', () => {
  it('show the exact body and each attempt with what was answered', async () => {
    receiver.answerAlways({ status: 500, body: 'try <later>' });
    const { id } = await startJourney(key.client);
    const sent = await receiver.waitFor((delivery) => delivery.json().journeyId === id);
    const database = service.get<Database>(Database);
    const [{ deliveryId }] = await database.query<{ deliveryId: string }>(
      `SELECT id AS "deliveryId" FROM webhook_deliveries WHERE event_id = $1 AND subscription_id = $2`,
      [sent.json().id, path.split('/').at(-1)],
    );
    await eventually(async () => {
      const { text } = await browser.open(`${path}/deliveries/${deliveryId}`);
      expect(plain(text)).toMatch(/Attempt 1: 500 .* try <later>/);
      const [, body] = /<pre class="payload">(.*?)<\/pre>/s.exec(text)!;
      expect(plain(body)).toBe(sent.body.toString('utf8'));
    });
    expect((await browser.open(`${path}?status=PENDING`)).text).toContain(deliveryId);
    expect((await browser.open(`${path}?status=SUCCEEDED`)).text).not.toContain(deliveryId);
  });

  it('send a test event and say what came of it, and redeliver one that is finished, with the same bytes', async () => {
    await browser.open(path);
    const tested = await browser.submit({}, { action: `${path}/test` });
    expect(plain(tested.text)).toMatch(/Test event: 200, after \d+ ms/);
    await receiver.waitFor((one) => one.headers['x-rinpath-event'] === 'webhook.test');
    await startJourney(key.client);
    const delivery = await eventually(async () => {
      const { text } = await browser.open(`${path}?status=SUCCEEDED`);
      const [, href] = /href="([^"]+\/deliveries\/dlv_[0-9a-f]+)"/.exec(text)!;
      return href;
    });
    await browser.open(delivery);
    const page = await browser.send303({}, { action: `${delivery}/redeliver` });
    expect(plain(page.text)).toContain('It is due now');
    const again = await receiver.waitFor((one) => one.headers['x-rinpath-attempt'] === '2');
    expect(receiver.deliveries.filter(({ body }) => body.equals(again.body))).toHaveLength(2);
  });
});
