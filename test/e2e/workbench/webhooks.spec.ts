import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Database } from '../../../src/platform/index.js';
import { eventually } from '../../support/eventually.js';
import { formOf, type HostedClient, type HostedPage, plain } from '../../support/hosted-client.js';
import { startJourney } from '../../support/journey-driver.js';
import { serviceOfFile } from '../../support/shared-service.js';
import { WebhookReceiver } from '../../support/webhook-receiver.js';
import { issueKey, type TestKey } from '../auth/auth-harness.js';
import { expectSigned } from '../webhooks/signed-delivery.js';
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

function secretOn({ text }: HostedPage): string {
  return /whsec_[A-Za-z0-9+/]+=/.exec(plain(text))![0];
}

async function listed() {
  const { json } = await key.client.get<{
    subscriptions: { subscriptionId: string; url: string; subscribedEvents: string[] }[];
  }>('/webhooks');
  return json.data.subscriptions;
}

describe('the webhooks’ pages', () => {
  it('add a webhook for the chosen events and show its secret, and add no second one when the form is sent twice', async () => {
    const page = await browser.open('/workbench/webhooks');
    const { hidden, action } = formOf(page, '/workbench/webhooks');
    const chosen = { ...hidden, 'journey.initiated': '1', 'lead.status_changed': '1' };
    const refused = await browser.post(action, { ...chosen, url: 'https://a b/' });
    expect(plain(refused.text)).toContain('The URL must not contain blanks or control characters.');
    expect(refused.text.match(/name="[\w.]+" value="1" checked/g)).toHaveLength(2);
    const url = receiver.url('/added');
    const added = await browser.post(action, { ...chosen, url });
    const secret = secretOn(added);
    expect(secretOn(await browser.post(action, { ...chosen, url }))).toBe(secret);
    const [hook, ...more] = (await listed()).filter((one) => one.url === url);
    expect([hook.subscribedEvents, more]).toEqual([
      ['journey.initiated', 'lead.status_changed'],
      [],
    ]);
    const shown = await browser.get(`/workbench/webhooks/${hook.subscriptionId}`);
    expect([shown.status, plain(shown.text).includes(secret)]).toEqual([200, false]);
    await startJourney(key.client);
    expectSigned(await receiver.waitFor((one) => one.path === '/added'), secret);
  });

  it('add one for all events of journeys when none is chosen, with the warning of the call', async () => {
    await browser.open('/workbench/webhooks');
    const { text } = await browser.submit(
      { url: receiver.url() },
      { action: '/workbench/webhooks' },
    );
    expect(text).toContain('has the same url');
    expect(plain(text)).toMatch(/Events ?all \d+ journey events/);
  });

  it('rotate the secret and show the new one, which signs from then on', async () => {
    await browser.open(path);
    const rotated = await browser.submit({}, { action: `${path}/rotate-secret` });
    const secret = secretOn(rotated);
    expect(plain((await browser.open(path)).text)).not.toContain(secret);
    await browser.submit({}, { action: `${path}/test` });
    expectSigned(await receiver.waitForEvent('webhook.test'), secret);
  });

  it('are where the address of a form leads that is opened again', async () => {
    for (const posted of ['test', 'rotate-secret', 'enable'])
      expect((await browser.get(`${path}/${posted}`)).location).toBe(path);
    const delivery = `${path}/deliveries/dlv_1`;
    expect((await browser.get(`${delivery}/redeliver`)).location).toBe(delivery);
    for (const posted of ['/time', '/scenarios/rejected'])
      expect((await browser.get(`/workbench/sandbox${posted}`)).location).toBe(
        '/workbench/sandbox',
      );
  });

  it('disable a webhook, whose events then wait until it is enabled', async () => {
    await browser.open(path);
    const disabled = await browser.send303({}, { action: `${path}/disable` });
    expect(plain(disabled.text)).toContain('The subscription is disabled.');
    expect(disabled.text).not.toContain(`${path}/disable`);
    await startJourney(key.client);
    const waiting = await browser.open(`${path}?status=PAUSED`);
    expect(waiting.text).toContain('/deliveries/dlv_');
    expect(receiver.deliveries).toEqual([]);
    const enabled = await browser.send303({}, { action: `${path}/enable` });
    expect(plain(enabled.text)).toContain('The subscription is enabled.');
    await receiver.waitForEvent('journey.initiated');
  });

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
