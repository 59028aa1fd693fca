// Isolated: its pages show the demonstration's partner and everything that it does.
import type { IncomingMessage, Server } from 'node:http';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  axeCheck,
  axeInBothLights,
  browserTests,
  DESKTOP,
  pageWeight,
  PHONE,
  sidewaysOverflow,
  type Visit,
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
import { logged, makeRows, named } from '../request-log/request-log-bench.js';

const MAX_WEIGHT = 100_000;
const FIRST_LOOK_MS = 5_000;
const LONGEST_WAIT_MS = 60_000;
const NEWS = /^Something new is here\. Updates so far: \d+\.$/;
const OVER = 'Not updated any more. Load the page again.';

/** A separate window: a reused one would keep the fake clock. */
const WITH_OWN_CLOCK = { viewport: DESKTOP, inWindowOfItsOwn: true };

const visit = browserTests();
let service: OwnService;
let receiver: WebhookReceiver;
let pages: string[];
let journeyId: string;
let pagesOfDelivery: string;
/** Requests of the browsers: paths, with ` ahead` for a prefetch. */
let asked: string[] = [];

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
  const server = service.app.getHttpServer() as Server;
  server.on('request', ({ url = '', headers }: IncomingMessage) => {
    if (headers['sec-fetch-mode'] === undefined) return;
    asked.push(url + (headers['sec-purpose'] ? ' ahead' : ''));
  });
});

beforeEach(() => (asked = []));

afterAll(async () => {
  await receiver?.stop();
  await service?.close();
});

/** Makes an address inactive after a failure, so that the overview shows an alert. */
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

/** The path of the failing address's page; also sets `pagesOfDelivery`. */
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

/** The pages of a call with a rejected signature: its log entry, and the debugger. */
async function pagesOfRefusedCall(partner: PartnerClient): Promise<string[]> {
  const { requestId, headers } = named();
  await partner.get('/products', { headers, overrides: { signedMethod: 'get' } });
  const { id } = await logged(service, { requestId });
  return [`/workbench/requests/${id}`, `/workbench/signature?request=${id}`];
}

it('the workbench breaks no rule of accessibility, fits the window and asks no other host', async () => {
  for (const viewport of inForm({ short: [PHONE], long: [PHONE, DESKTOP] })) {
    const { page, goto, foreignRequests } = await visit(service.baseUrl, { viewport });
    const inBothLights = inForm({ short: ['/workbench'], long: pages });
    for (const path of pages) {
      await goto(path);
      if (inBothLights.includes(path)) await axeInBothLights(page);
      else await axeCheck(page);
      expect([path, await sidewaysOverflow(page)]).toEqual([path, 0]);
    }
    expect(foreignRequests).toEqual([]);
  }
});

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

/** Opens a page with a clock that only the test moves. */
async function opened(path: string, of?: Visit): Promise<Visit> {
  const opening = of ?? (await visit(service.baseUrl, WITH_OWN_CLOCK));
  const { page, goto } = opening;
  await page.clock.install({ time: 0 });
  await page.clock.pauseAt(1_000);
  await goto(path);
  asked = [];
  return opening;
}

/** Logs a call about this journey; the route names a journey. */
function callAbout(subjectId: string, minutesAgo = 0): Promise<string[]> {
  const route = '/journey/:journeyId/documents';
  return makeRows(service, [{ minutesAgo, subjectId, route, status: 404, code: 'made_up' }]);
}

const newsOf = (page: Page) => page.locator('.workbench-news');

function setHidden(page: Page, isHidden: boolean): Promise<void> {
  return page.evaluate(`
    Object.defineProperty(document, 'hidden', { value: ${isHidden}, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  `);
}

/** Waits until this page has been requested `times` times. */
async function looked(path: string, times: number): Promise<void> {
  await eventually(async () => {
    const looks = asked.filter((one) => one === path).length;
    if (looks !== times) throw new Error(`${path} was asked for ${looks} times`);
  });
}

/** Requests a known page: all earlier requests have arrived before its response. */
async function askedBy(page: Page): Promise<string[]> {
  await page.evaluate(`fetch('/workbench/guide').then((answer) => answer.text())`);
  return asked.filter((one) => one !== '/workbench/guide');
}

describe('an open page of the workbench', () => {
  it('shows what is new of a journey, leaves the focus and what is opened, and says so', async () => {
    const { page, complaints } = await opened(`/workbench/journeys/${journeyId}`);
    await page.getByText('Body', { exact: true }).first().press('Enter');
    await page.locator('details[open] pre').waitFor();
    const link = page.locator('.timeline a').nth(3);
    await link.focus();
    await page.evaluate('window.focused = document.activeElement');
    await callAbout(journeyId);
    await page.clock.runFor(FIRST_LOOK_MS);
    await page
      .getByText('GET /journey/:journeyId/documents: 404 made_up', { exact: true })
      .waitFor();
    expect(await page.evaluate('document.activeElement === focused')).toBe(true);
    expect(await page.locator('details[open] pre').isVisible()).toBe(true);
    expect(await newsOf(page).textContent()).toMatch(NEWS);
    expect(await page.getByRole('status').isVisible()).toBe(true);
    await page.clock.resume();
    await axeCheck(page);
    expect(complaints).toEqual([]);
  });

  it('asks for nothing while it is hidden, and at once when it is shown again', async () => {
    const path = '/workbench/journeys';
    const { page } = await opened(path);
    await setHidden(page, true);
    await page.clock.runFor(10 * LONGEST_WAIT_MS);
    expect(await askedBy(page)).toEqual([]);
    await setHidden(page, false);
    await page.clock.runFor(1);
    await looked(path, 1);
  });

  it('asks less often while nothing is new, and at last not at all', async () => {
    const { page } = await opened('/workbench/journeys');
    await page.evaluate(`
      const same = document.documentElement.outerHTML;
      window.looks = 0;
      window.fetch = async () => {
        looks += 1;
        return new Response(same);
      };
    `);
    const looks = () => page.evaluate<number>('looks');
    await page.clock.runFor(FIRST_LOOK_MS);
    await page.clock.runFor(FIRST_LOOK_MS);
    expect(await looks()).toBe(1);
    await page.clock.runFor(FIRST_LOOK_MS / 2);
    expect(await looks()).toBe(2);
    for (let minute = 0; minute < 500; minute += 1) await page.clock.runFor(LONGEST_WAIT_MS);
    expect(await looks()).toBe(480);
    expect(await newsOf(page).textContent()).toBe(OVER);
  });
});

describe('a link of the workbench', () => {
  it('has its page fetched ahead when it is hovered over', async () => {
    const { page, goto, complaints } = await visit(service.baseUrl, { viewport: DESKTOP });
    await goto('/workbench/guide');
    const link = page.getByRole('link', { name: 'Requests', exact: true });
    await link.hover();
    await looked('/workbench/requests ahead', 1);
    await link.press('Enter');
    await page.waitForURL('**/workbench/requests');
    const type = `performance.getEntriesByType('navigation')[0].deliveryType`;
    expect(await page.evaluate<string>(type)).toBe('navigational-prefetch');
    // A prefetched page may be minutes old, so it refreshes at once.
    await looked('/workbench/requests', 1);
    expect(complaints).toEqual([]);
  });
});
