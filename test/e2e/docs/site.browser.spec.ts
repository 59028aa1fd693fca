import { beforeAll, describe, expect, it } from 'vitest';
import {
  axeInBothLights,
  browserTests,
  DESKTOP,
  focusedName,
  pageWeight,
  PHONE,
  pressTabTo,
  sidewaysOverflow,
} from '../../support/browser.js';
import { GUIDES } from '../../../src/docs-site/guides.js';
import type { TestService } from '../../support/service.js';
import { sharedService } from '../../support/shared-service.js';

const MAX_WEIGHT = 100_000;
const PAGES = [
  '/docs',
  ...GUIDES.map(({ slug }) => `/docs/${slug}`),
  '/docs/reference',
  '/docs/reference/initiateJourney',
  '/docs/reference/readJourney',
  '/docs/reference/webhook-events',
  '/docs/search?q=signature',
  '/docs/search?q=zzqqy',
];

const visit = browserTests();
let service: TestService;

beforeAll(async () => {
  service = await sharedService();
});

describe.each([
  ['phone', PHONE],
  ['desktop', DESKTOP],
] as const)('the documentation on a %s, in both lights', (device, viewport) => {
  it('breaks no rule of accessibility, fits the window and asks no other host', async () => {
    const { page, goto, foreignRequests } = await visit(service.baseUrl, { viewport });
    const folder = process.env.DOCS_PICTURES;
    for (const [place, path] of PAGES.entries()) {
      await goto(path);
      await axeInBothLights(page);
      expect([path, await sidewaysOverflow(page)]).toEqual([path, 0]);
      if (folder) {
        const name = `${folder}-${device}-${place}.png`;
        await page.screenshot({ path: name, fullPage: true });
      }
    }
    expect(foreignRequests).toEqual([]);
  });
});

describe('the documentation', () => {
  it('has no page over 100 KB with all that it loads', async () => {
    const weights: [path: string, bytes: number][] = [];
    const left = [...PAGES];
    // Most of the time a page is waited for that loads nothing more.
    const weigh = async () => {
      const { page } = await visit(service.baseUrl, { viewport: DESKTOP });
      for (let path = left.shift(); path !== undefined; path = left.shift()) {
        weights.push([path, (await pageWeight(page, path)).total]);
      }
    };
    await Promise.all([weigh(), weigh(), weigh()]);
    expect(weights).toHaveLength(PAGES.length);
    expect(weights.filter(([, bytes]) => bytes >= MAX_WEIGHT)).toEqual([]);
  });

  it('is searched by keyboard alone, without JavaScript', async () => {
    const { page, goto, complaints } = await visit(service.baseUrl, {
      viewport: DESKTOP,
      javaScript: false,
    });
    await goto('/docs');
    await page.getByRole('searchbox').fill('wrong_step');
    await page.getByRole('searchbox').press('Enter');
    await page.getByRole('heading', { name: 'Search' }).waitFor();
    await page.getByRole('link', { name: 'wrong_step', exact: true }).first().press('Enter');
    await page.getByRole('heading', { name: 'Errors', exact: true }).waitFor();
    expect(new URL(page.url()).hash).toBe('#wrong_step');
    expect(complaints).toEqual([]);
  });

  it('shows where the focus is', async () => {
    const { page, goto } = await visit(service.baseUrl, { viewport: DESKTOP });
    await goto('/docs/quick-start');
    for (const name of ['Skip to the content', 'Overview', 'API reference']) {
      await pressTabTo(page, name);
      expect(await focusedName(page)).toBe(name);
    }
  });
});
