import { basename } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  axeInBothLights,
  browserTests,
  DESKTOP,
  pageWeight,
  PHONE,
  pressTabTo,
  sidewaysOverflow,
  zoomText,
} from '../../support/browser.js';
import type { TestService } from '../../support/service.js';
import { sharedService } from '../../support/shared-service.js';

const MAX_BYTES_BEFORE_FONTS = 60_000;
const NARROW = { width: 320, height: 600 };

const visit = browserTests();
let service: TestService;

/** Where the last page of a journey leads. */
const PARTNER_PAGE = `/sandbox/partner?journeyId=jrn_${'0'.repeat(32)}&outcome=SANCTIONED`;

beforeAll(async () => {
  service = await sharedService();
});

describe.each(['en', 'hi'] as const)('in %s', (language) => {
  it.each(['/returned', '/nowhere', '/data', PARTNER_PAGE])(
    '%s is accessible in both lights and needs no other host',
    async (path) => {
      const { page, goto, foreignRequests } = await visit(service.baseUrl, { language });
      await goto(path);
      await axeInBothLights(page);
      expect(await page.getAttribute('html', 'lang')).toBe(language);
      expect(foreignRequests).toEqual([]);
    },
  );

  it.each([NARROW, PHONE, DESKTOP])(
    'fits a screen of %o, with large text too',
    async (viewport) => {
      const { page, goto } = await visit(service.baseUrl, { language, viewport });
      for (const path of ['/nowhere', PARTNER_PAGE]) {
        await goto(path);
        expect(await sidewaysOverflow(page)).toBe(0);
        await zoomText(page, 2);
        expect(await sidewaysOverflow(page)).toBe(0);
      }
    },
  );
});

it.each([
  // Of a Hindi page the letters are the system's; its figures and names are in the font.
  ['en', ['mukta-latin-400.woff2', 'mukta-latin-600.woff2']],
  ['hi', ['mukta-latin-400.woff2', 'mukta-latin-600.woff2']],
] as const)('is light to load in %s, with these fonts: %j', async (language, fonts) => {
  const { page, goto, complaints } = await visit(service.baseUrl, { language });
  const fetched = new Set<string>();
  page.on('request', (request) => {
    if (request.resourceType() === 'font') fetched.add(basename(new URL(request.url()).pathname));
  });
  await goto('/returned');
  const weight = await pageWeight(page);
  expect(weight.withoutFonts).toBeGreaterThan(1_000);
  expect(weight.withoutFonts).toBeLessThan(MAX_BYTES_BEFORE_FONTS);
  expect([...fetched].toSorted()).toEqual(fonts);
  expect(complaints).toEqual([]);
});

it('writes the Latin letters and digits of a Hindi heading in the weight of a heading', async () => {
  const { page, goto } = await visit(service.baseUrl, { language: 'hi' });
  await goto('/returned');
  await page.locator('h1').evaluate((heading) => {
    heading.textContent = 'OTP 2,000';
    // Laid out, it asks for its font; until that is there another one stands in.
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
});

it.each([true, false])('changes its language on the page (JavaScript: %s)', async (javaScript) => {
  const { page, goto } = await visit(service.baseUrl, { javaScript });
  await goto('/returned');
  await page.getByRole('button', { name: 'हिन्दी' }).click();
  await page.getByRole('heading', { name: 'यह चरण पूरा हुआ' }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/returned');
  await page.getByRole('button', { name: 'English' }).click();
  await page.getByRole('heading', { name: 'This step is done' }).waitFor();
});

it('is used with the keyboard alone', async () => {
  const { page, goto } = await visit(service.baseUrl);
  await goto('/returned');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect.poll(() => new URL(page.url()).hash).toBe('#main');
  await goto('/nowhere');
  await pressTabTo(page, 'हिन्दी');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'यहाँ कोई पेज नहीं है' }).waitFor();
});

it('refuses what is inline, and every other host', async () => {
  const { page, goto, foreignRequests } = await visit(service.baseUrl);
  await goto('/returned');
  const isRun = await page.evaluate<boolean>(`(() => {
    const script = document.createElement('script');
    script.textContent = 'window.wasRun = true';
    document.body.append(script);
    const image = document.createElement('img');
    image.src = 'https://elsewhere.example/pixel.png';
    document.body.append(image);
    return window.wasRun === true;
  })()`);
  expect(isRun).toBe(false);
  expect(foreignRequests).toEqual([]);
});
