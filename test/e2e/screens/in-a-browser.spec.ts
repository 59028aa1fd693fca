import { basename } from 'node:path';
import { expect, it } from 'vitest';
import { browserTests, pageWeight, pressTabTo } from '../../support/browser.js';
import { serviceOfFile } from '../../support/shared-service.js';

const MAX_BYTES_BEFORE_FONTS = 60_000;
/** A Hindi page uses these fonts for figures and Latin names, and a system font for Hindi. */
const FONTS = ['mukta-latin-400.woff2', 'mukta-latin-600.woff2'];

const visit = browserTests();
const service = serviceOfFile();

it('a page in Hindi is light to load, writes Latin letters of a heading in its weight, and asks no other host', async () => {
  const { page, complaints, foreignRequests } = await visit(service.baseUrl, { language: 'hi' });
  const fetched: string[] = [];
  page.on('request', (request) => {
    if (request.resourceType() === 'font') fetched.push(basename(new URL(request.url()).pathname));
  });
  const weight = await pageWeight(page, '/returned');
  expect(weight.withoutFonts).toBeGreaterThan(1_000);
  expect(weight.withoutFonts).toBeLessThan(MAX_BYTES_BEFORE_FONTS);
  expect([...new Set(fetched)].toSorted()).toEqual(FONTS);
  expect(complaints).toEqual([]);

  await page.locator('h1').evaluate((heading) => {
    heading.textContent = 'OTP 2,000';
    // Layout loads the font; until then another font is used.
    heading.getBoundingClientRect();
  });
  await page.evaluate('document.fonts.ready.then(() => undefined)');
  const session = await page.context().newCDPSession(page);
  await session.send('DOM.enable');
  await session.send('CSS.enable');
  const { root } = await session.send('DOM.getDocument');
  const { nodeId } = await session.send('DOM.querySelector', {
    nodeId: root.nodeId,
    selector: 'h1',
  });
  const { fonts } = await session.send('CSS.getPlatformFontsForNode', { nodeId });
  const glyphs = fonts.map(({ postScriptName, glyphCount }) => [postScriptName, glyphCount]);
  expect(glyphs).toEqual([['Mukta-SemiBold', 'OTP 2,000'.length]]);

  expect(foreignRequests).toEqual([]);
});

it('a page is used with the keyboard alone', async () => {
  const { page, goto } = await visit(service.baseUrl);
  await goto('/nowhere');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect.poll(() => new URL(page.url()).hash).toBe('#main');
  await goto('/returned');
  await pressTabTo(page, 'हिन्दी');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'यह चरण पूरा हुआ' }).waitFor();
});
