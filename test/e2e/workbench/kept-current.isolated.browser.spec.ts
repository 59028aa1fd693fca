// Isolated: its pages show the demonstration's partner and everything that it does.
import type { IncomingMessage, Server } from 'node:http';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { axeCheck, browserTests, DESKTOP, type Visit } from '../../support/browser.js';
import { eventually } from '../../support/eventually.js';
import { journeyIn, startJourney } from '../../support/journey-driver.js';
import { partnerClient } from '../../support/partner-client.js';
import { startService, type OwnService } from '../../support/service.js';
import { makeRows } from '../request-log/request-log-bench.js';

const FIRST_LOOK_MS = 5_000;
const LONGEST_WAIT_MS = 60_000;
const NEWS = /^Something new is here\. Updates so far: \d+\.$/;
const OVER = 'Not updated any more. Load the page again.';

/** A reused window would keep the clock. */
const WITH_OWN_CLOCK = { viewport: DESKTOP, inWindowOfItsOwn: true };

const visit = browserTests();
let service: OwnService;
let journeyId: string;
/** The requests of browsers: `/workbench`, with ` ahead` if it is prefetched. */
let asked: string[] = [];

beforeAll(async () => {
  service = await startService();
  const partner = partnerClient(service);
  ({ id: journeyId } = await journeyIn(partner, 'SANCTIONED'));
  await startJourney(partner);
  const server = service.app.getHttpServer() as Server;
  server.on('request', ({ url = '', headers }: IncomingMessage) => {
    if (headers['sec-fetch-mode'] === undefined) return;
    asked.push(url + (headers['sec-purpose'] ? ' ahead' : ''));
  });
});

beforeEach(() => (asked = []));

afterAll(() => service?.close());

/** A page whose time stops until the test moves it. */
async function opened(path: string, of?: Visit): Promise<Visit> {
  const opening = of ?? (await visit(service.baseUrl, WITH_OWN_CLOCK));
  const { page, goto } = opening;
  await page.clock.install({ time: 0 });
  await page.clock.pauseAt(1_000);
  await goto(path);
  asked = [];
  return opening;
}

/** A call about a journey, by its route. */
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

/** Waits until this page has reloaded itself `times` times and shows the result. */
async function looked(path: string, times: number): Promise<void> {
  await eventually(async () => {
    const looks = asked.filter((one) => one === path).length;
    if (looks !== times) throw new Error(`${path} was asked for ${looks} times`);
  });
}

/** The requests of the page; all earlier ones have arrived by then. */
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
    // It may be minutes old, so it reloads at once.
    await looked('/workbench/requests', 1);
    expect(complaints).toEqual([]);
  });
});
