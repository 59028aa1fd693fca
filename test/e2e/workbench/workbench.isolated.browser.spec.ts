// Isolated: its pages show the demonstration's partner and everything that it does.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  axeCheck,
  axeInBothLights,
  browserTests,
  DESKTOP,
  pageWeight,
  PHONE,
  sidewaysOverflow,
} from '../../support/browser.js';
import { Database } from '../../../src/platform/index.js';
import { AlertsTasks } from '../../../src/webhooks/alerts/alerts.tasks.js';
import { eventually, eventuallyFound } from '../../support/eventually.js';
import { journeyIn, startJourney } from '../../support/journey-driver.js';
import { inForm } from '../../support/long-form.js';
import { longestOf } from '../../support/longest-page.js';
import { partnerClient, type PartnerClient } from '../../support/partner-client.js';
import { startService, type OwnService } from '../../support/service.js';
import { WebhookReceiver } from '../../support/webhook-receiver.js';
import { logged, named } from '../request-log/request-log-bench.js';

const MAX_WEIGHT = 100_000;

const visit = browserTests();
let service: OwnService;
let receiver: WebhookReceiver;
let pages: string[];
let journeyId: string;
let pagesOfDelivery: string;

beforeAll(async () => {
  service = await startService();
  receiver = await WebhookReceiver.start();
  const partner = partnerClient(service);
  for (const url of [receiver.url(), 'http://127.0.0.1:9/refused', 'http://127.0.0.1:9/gone']) {
    await partner.call('POST', '/webhooks', { body: { url } });
  }
  ({ id: journeyId } = await journeyIn(partner, 'SANCTIONED'));
  await startJourney(partner);
  pages = [
    '/workbench',
    '/workbench/journeys',
    '/workbench/journeys?id=jrn_nothing',
    `/workbench/journeys/${journeyId}`,
    '/workbench/journeys/jrn_nothing',
    '/workbench/guide',
    '/workbench/sandbox',
    '/workbench/webhooks',
    await failingWebhook(partner),
    '/workbench/requests',
    '/workbench/requests?code=nothing',
    ...(await pagesOfRefusedCall(partner)),
  ];
  pages.push(pagesOfDelivery);
  await eventually(async () => {
    const { length } = receiver.deliveries;
    if (length < 7) throw new Error(`${length} deliveries have come`);
  });
  await alert();
});

afterAll(async () => {
  await receiver?.stop();
  await service?.close();
});

/** Makes one address inactive after a failure, which the overview shows. */
async function alert(): Promise<void> {
  await eventuallyFound(async () => {
    const [lane] = await service.get<Database>(Database).query(
      `UPDATE webhook_lanes l SET is_active = false, inactive_since = app_now()
       FROM webhook_subscriptions s
       WHERE s.id = l.subscription_id AND s.url LIKE '%/gone' AND l.fails_journey_events
       RETURNING l.subscription_id`,
    );
    return lane;
  });
  await service.get<AlertsTasks>(AlertsTasks).tellOfEndpoints();
}

/** Paths of the failing address's pages. */
async function failingWebhook(partner: PartnerClient): Promise<string> {
  const { json } = await partner.call<{ subscriptions: { subscriptionId: string; url: string }[] }>(
    'GET',
    '/webhooks',
  );
  const failing = json.data.subscriptions.find(({ url }) => url.endsWith('/refused'))!;
  const path = `/webhooks/${failing.subscriptionId}`;
  const { json: page } = await partner.call<{ deliveries: { deliveryId: string }[] }>(
    'GET',
    `${path}/deliveries`,
  );
  pagesOfDelivery = `/workbench${path}/deliveries/${page.data.deliveries[0].deliveryId}`;
  return `/workbench${path}`;
}

/** Paths of the page of a call with a rejected signature, and of the debugger that it fills. */
async function pagesOfRefusedCall(partner: PartnerClient): Promise<string[]> {
  const { requestId, headers } = named();
  await partner.get('/products', { headers, overrides: { signedMethod: 'get' } });
  const { id } = await logged(service, { requestId });
  return [`/workbench/requests/${id}`, `/workbench/signature?request=${id}`];
}

/** In the short form, other pages are checked on a phone in the light scheme only. */
const IN_BOTH_LIGHTS = ['/workbench'];

it.each([
  ['phone', PHONE],
  ['desktop', DESKTOP],
] as const)(
  'the workbench on a %s breaks no rule of accessibility, fits the window and asks no other host',
  async (device, viewport) => {
    const { page, goto, foreignRequests } = await visit(service.baseUrl, { viewport });
    const inBothLights = inForm({ short: IN_BOTH_LIGHTS, long: pages });
    for (const path of pages) {
      await goto(path);
      if (inBothLights.includes(path)) await axeInBothLights(page);
      else if (device === 'phone') await axeCheck(page);
      expect([path, await sidewaysOverflow(page)]).toEqual([path, 0]);
    }
    expect(foreignRequests).toEqual([]);
  },
);

describe('the workbench', () => {
  it('has no page over 100 KB', async () => {
    const { page } = await visit(service.baseUrl, { viewport: DESKTOP });
    for (const path of inForm({ short: [await longestOf(service.baseUrl, pages)], long: pages })) {
      const { total } = await pageWeight(page, path);
      expect([path, total < MAX_WEIGHT, total]).toEqual([path, true, total]);
    }
  });

  it('is used by keyboard alone, without JavaScript', async () => {
    const { page, goto, complaints } = await visit(service.baseUrl, {
      viewport: DESKTOP,
      javaScript: false,
    });
    await goto('/');
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.getByText('webhook.endpoint_disabled', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Journeys', exact: true }).focus();
    await page.keyboard.press('Enter');
    await page.getByLabel('State').selectOption('SANCTIONED');
    await page.getByRole('button', { name: 'Show' }).press('Enter');
    await page.getByRole('link', { name: journeyId }).press('Enter');
    await page.getByRole('heading', { name: `Journey ${journeyId}` }).waitFor();
    expect(complaints).toEqual([]);
  });
});
