import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
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
import { projectPath } from '../../../src/platform/index.js';
import { inForm } from '../../support/long-form.js';
import { longestOf } from '../../support/longest-page.js';
import { serviceOfFile } from '../../support/shared-service.js';

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
const service = serviceOfFile();

/** One page of each kind. */
const KINDS = [
  '/docs/testing',
  '/docs/signing',
  '/docs/reference/initiateJourney',
  '/docs/reference/webhook-events',
  '/docs/search?q=signature',
];

it('the documentation breaks no rule of accessibility, fits the window and asks no other host', async () => {
  for (const viewport of inForm({ short: [PHONE], long: [PHONE, DESKTOP] })) {
    const { page, goto, foreignRequests } = await visit(service.baseUrl, { viewport });
    for (const path of PAGES) {
      await goto(path);
      if (inForm({ short: KINDS, long: PAGES }).includes(path)) await axeInBothLights(page);
      expect([path, await sidewaysOverflow(page)]).toEqual([path, 0]);
    }
    expect(foreignRequests).toEqual([]);
  }
});

describe('the documentation', () => {
  it('has no page over 100 KB with all that it loads', async () => {
    const { page } = await visit(service.baseUrl, { viewport: DESKTOP });
    for (const path of inForm({ short: [await longestOf(service.baseUrl, PAGES)], long: PAGES })) {
      const { total } = await pageWeight(page, path);
      expect([path, total < MAX_WEIGHT, total]).toEqual([path, true, total]);
    }
  });

  it('is searched by keyboard only, without JavaScript, and shows where the focus is', async () => {
    const options = { viewport: DESKTOP, javaScript: false };
    const { page, goto, complaints } = await visit(service.baseUrl, options);
    await goto('/docs');
    for (const name of ['Skip to the content', 'Overview', 'API reference']) {
      await pressTabTo(page, name);
      expect(await focusedName(page)).toBe(name);
    }
    await page.getByRole('searchbox').fill('wrong_step');
    await page.getByRole('searchbox').press('Enter');
    await page.getByRole('heading', { name: 'Search' }).waitFor();
    await page.getByRole('link', { name: 'wrong_step', exact: true }).first().press('Enter');
    await page.getByRole('heading', { name: 'Errors', exact: true }).waitFor();
    expect(new URL(page.url()).hash).toBe('#wrong_step');
    expect(complaints).toEqual([]);
  });

  it('shows code in tabs that arrow keys change, kept for the next page, and copies it', async () => {
    const { page, context, goto, complaints } = await visit(service.baseUrl, { viewport: PHONE });
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await goto('/docs/signing');
    const tab = (name: string) => page.getByRole('tab', { name });
    await tab('curl').focus();
    for (const name of ['Node', 'Python']) {
      await page.keyboard.press('ArrowRight');
      expect(await focusedName(page)).toBe(name);
      expect(await tab(name).getAttribute('aria-selected')).toBe('true');
    }
    const panel = page.getByRole('tabpanel');
    expect(await panel.count()).toBe(1);
    await panel.getByRole('button', { name: 'Copy' }).click();
    await panel.getByRole('button', { name: 'Copied' }).waitFor();
    const program = await readFile(projectPath('docs/snippets/signed-call/signed_call.py'), 'utf8');
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(copied.split('\n').slice(-8).join('\n')).toBe(
      program.trim().split('\n').slice(-8).join('\n'),
    );
    await goto('/docs/webhooks');
    expect(await tab('Python').getAttribute('aria-selected')).toBe('true');
    expect(complaints).toEqual([]);
  });

  it('shows the code of every language without JavaScript', async () => {
    const { page, goto } = await visit(service.baseUrl, { viewport: PHONE, javaScript: false });
    await goto('/docs/signing');
    for (const name of ['curl', 'Node', 'Python', 'Java', 'Go', 'PHP']) {
      const code = page.locator('.tab', { has: page.getByText(name, { exact: true }) });
      expect([name, await code.locator('pre').isVisible()]).toEqual([name, true]);
    }
    expect(await page.getByRole('button', { name: 'Copy' }).count()).toBe(0);
  });
});
