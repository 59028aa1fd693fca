import { readdirSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { addDays, dayInIndia, instantInIndia } from '../../../src/loans/index.js';
import { projectPath } from '../../../src/platform/index.js';
import {
  axeColourCheck,
  axeInBothLights,
  browserTests,
  DESKTOP,
  drawn,
  PHONE,
  sidewaysOverflow,
  type VisitOptions,
  zoomText,
} from '../../support/browser.js';
import { onEachScreen } from '../../support/drawn-screens.js';
import { IS_LONG_FORM } from '../../support/long-form.js';
import { type PageSize, sizeOfShown } from '../../support/page-size.js';
import { InstantLoanBench } from '../instant-loans/instant-loan-bench.js';
import { type Language, ScreenWalks, type Shot } from './screen-walks.js';

/** The budget of each page in English: words, and window heights. */
const PAGES: Readonly<Record<string, readonly [words: number, screens: number]>> = {
  start: [90, 1],
  'start-amount': [105, 1],
  code: [70, 1],
  consent: [145, 1.3],
  details: [85, 1.2],
  'details-errors': [105, 1.4],
  check: [115, 1.4],
  waiting: [95, 1],
  offers: [220, 2],
  'offers-one': [145, 1.3],
  'offers-without': [200, 1.7],
  confirm: [220, 2],
  amount: [75, 1],
  'gold-offers': [290, 2.5],
  'gold-branch': [190, 1.8],
  kyc: [105, 1],
  'bank-account': [80, 1.3],
  mandate: [130, 1.4],
  esign: [130, 1.4],
  money: [90, 1],
  done: [110, 1.4],
  'instant-choose': [300, 2.3],
  'instant-pay': [290, 2],
  'instant-waiting': [125, 1.1],
  'instant-approved': [130, 1.3],
  'instant-declined': [115, 1.1],
  'no-offers': [105, 1],
  stop: [90, 1],
  expired: [70, 1],
};
/** The word budget of a whole journey, and the walks that visit its pages. */
const JOURNEYS: readonly [words: number, walks: readonly string[], pages: string][] = [
  [
    1600,
    ['entry', 'personal'],
    'start code consent check waiting offers confirm kyc bank-account mandate esign money done',
  ],
  [
    1700,
    ['entry', 'personal'],
    'start-amount code consent details check waiting offers confirm kyc bank-account mandate esign money done',
  ],
  [
    1730,
    ['entry', 'gold'],
    'start code consent check waiting gold-offers confirm gold-branch kyc bank-account esign money done',
  ],
  [845, ['instant'], 'instant-choose instant-pay instant-waiting instant-approved'],
];
/** Hindi needs more words for the same text. */
const HINDI_WORDS = 1.25;
/** Applicants read these pages completely, so the button is at the end. */
const BUTTON_AT_THE_END = ['check', 'confirm'];
/** While the applicant waits there is no button. */
const WITHOUT_BUTTON = ['waiting', 'instant-waiting'];
/** Compressed; a statement lists every instalment. */
const MAX_BYTES = 10_000;
const MAX_STATEMENT_BYTES = 20_000;
/** In pixels; two lines are taller. */
const LINE_AND_A_HALF = 30;
/** A window as high as the page shows nothing sticky. */
const TALL = { width: 320, height: 6_000 };

const NAMED = 'Demonstration Partner';
const LINKED = /<a href="\/(?:hosted\/data|data\/spec-\d+\.[^"]+|pay\/app_[\w.-]+\/data)">/;
/** Pages of other specs. */
const ELSEWHERE = [
  'entry/link-preview',
  'entry/too-many',
  'instant/ended',
  'instant/gone',
  'steps/bank-branch',
  'steps/fee',
];

/** Matches pages that reload or redirect automatically. */
const LEADS_ON = /(?<!<noscript>)<meta http-equiv="refresh" content="[^"]*">/;

/** `npm run screenshots` sets this folder. */
const FOLDER = process.env.SCREENSHOTS;

const visit = browserTests();
// The walks are slow on a busy machine.
vi.setConfig({ hookTimeout: 600_000, testTimeout: FOLDER === undefined ? 180_000 : 3_600_000 });

let bench: InstantLoanBench;
let shots: readonly Shot[];
let server: Server;
let origin: string;
/** Templates of applicants' pages without the partner's name or the data link, and all templates. */
const lacking = new Set<string>();
const templates = new Set<string>();

beforeAll(async () => {
  bench = await InstantLoanBench.open();
  const { service } = bench;
  // At night a page adds a note beside a time, which needs more words.
  const now = service.now();
  await service.travel(instantInIndia(addDays(dayInIndia(now), 1), 11).getTime() - now.getTime());
  const walks = new ScreenWalks(bench, IS_LONG_FORM || FOLDER !== undefined);
  let isOfApplicant = true;
  onEachScreen(service, ({ name, html }) => {
    templates.add(name);
    // Simulated pages of other companies have no budget.
    if (!isOfApplicant || name.startsWith('sandbox/')) return;
    if (!html.includes(NAMED) || !LINKED.test(html)) lacking.add(name);
  });
  await walks.applicants();
  isOfApplicant = false;
  await walks.signedOut();
  ({ shots } = walks);
  server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(async () => {
  server?.close();
  await bench?.close();
});

/** Serves a recorded page and its assets. */
async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [, place] = /^\/shots\/(\d+)$/.exec(request.url!) ?? [];
  if (place !== undefined) {
    const { html, policy } = shots[Number(place)];
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.setHeader('content-security-policy', policy);
    // Otherwise the page would reload or redirect while it is checked.
    const still = html
      .replaceAll(/data-refresh-seconds="\d+"/g, 'data-refresh-seconds="900"')
      .replace(LEADS_ON, '');
    response.end(still);
    return;
  }
  const asset = await fetch(bench.service.baseUrl + request.url!);
  for (const name of ['content-type', 'cache-control'])
    response.setHeader(name, asset.headers.get(name) ?? '');
  response.statusCode = asset.status;
  response.end(Buffer.from(await asset.arrayBuffer()));
}

/** Opens each of these pages in a window. */
async function eachShot(
  page: Page,
  wanted: (shot: Shot) => boolean,
  look: (shot: Shot) => Promise<void>,
): Promise<void> {
  for (const [place, shot] of shots.entries()) {
    if (!wanted(shot)) continue;
    await page.goto(`/shots/${place}`);
    try {
      await look(shot);
    } catch (error) {
      throw new Error(`${shot.walk}: ${shot.path} in ${shot.language}`, { cause: error });
    }
  }
}

describe('every page', () => {
  it('names the partner whose applicant it is for, and leads to who has the data; none is left out', () => {
    expect([...lacking]).toEqual([]);
    const all = ['entry', 'offers', 'steps', 'instant'].flatMap((folder) =>
      readdirSync(projectPath(`views/${folder}`)).map((file) => `${folder}/${file.slice(0, -4)}`),
    );
    expect(all.filter((name) => !templates.has(name)).toSorted()).toEqual(ELSEWHERE);
  });

  it('is small: its bytes, compressed, beside what the browser has already', () => {
    const isStatement = ({ html }: Shot) => html.includes('class="kfs-form');
    const large = shots.filter((shot) => {
      const most = isStatement(shot) ? MAX_STATEMENT_BYTES : MAX_BYTES;
      return gzipSync(shot.html).length >= most;
    });
    expect(large.map(({ walk, path }) => `${walk} ${path}`)).toEqual([]);
  });

  it('no rule of WCAG 2.2 AA is broken in either light, nothing is cut off with text at twice its size, no other host is asked', async () => {
    const { page, complaints, foreignRequests } = await visit(origin, {
      language: 'hi',
      viewport: TALL,
    });
    const isLooked = ({ language }: Shot) => language === 'hi' || IS_LONG_FORM;
    await eachShot(page, isLooked, async () => {
      await page.evaluate(
        `document.querySelectorAll('details').forEach((one) => (one.open = true))`,
      );
      await axeInBothLights(page);
      expect(await sidewaysOverflow(page)).toBe(0);
      await zoomText(page, 2);
      expect(await sidewaysOverflow(page)).toBe(0);
      expect([complaints, foreignRequests]).toEqual([[], []]);
    });
    if (FOLDER !== undefined) await takePictures(FOLDER);
  });

  it('keeps to its budget of words and screens in both languages, and so do journeys as a whole', async () => {
    const { page } = await visit(origin);
    const words: Record<string, Record<Language, Record<string, number>>> = {};
    await eachShot(
      page,
      ({ name }) => name !== undefined,
      async ({ walk, name, language }) => {
        const size = await sizeOfShown(page);
        expect([name, excessOf(name!, language, size)]).toEqual([name, []]);
        words[walk] ??= { en: {}, hi: {} };
        words[walk][language][name!] = size.words;
      },
    );
    for (const [most, walks, pages] of JOURNEYS) {
      for (const language of ['en', 'hi'] as const) {
        const own = Object.assign({}, ...walks.map((walk) => words[walk][language])) as Record<
          string,
          number
        >;
        const sum = pages.split(' ').reduce((before, name) => before + own[name], 0);
        expect(sum, `${pages} in ${language}`).toBeLessThanOrEqual(wordsIn(language, most));
      }
    }
  });

  it('has at 400 % a header that leaves room for it, numbers in one line and nothing to scroll sideways, and in forced colours marks that can be distinguished', async () => {
    const { page } = await visit(origin, {
      viewport: { width: 320, height: 256 },
      forcedColors: 'active',
    });
    const names = ['offers', 'money', 'instant-choose', 'instant-pay'];
    const isCompared = ({ path }: Shot) => /^\/pay\/.+\/offers$/.test(path);
    await eachShot(
      page,
      (shot) =>
        isCompared(shot) ||
        (names.includes(shot.name ?? '') && shot.language === 'en' && shot.walk !== 'gold'),
      async ({ name }) => {
        // The walks move the sandbox's time, which changes the header.
        await page.evaluate(`document.querySelector('.sandbox-time')?.remove()`);
        // Another font would make the header higher.
        await drawn(page);
        expect((await page.locator('.top').boundingBox())!.height).toBeLessThan(55);
        await axeColourCheck(page);
        expect(await sidewaysOverflow(page)).toBe(0);
        for (const number of await page.locator('.reg .number').all())
          expect((await number.boundingBox())!.height).toBeLessThan(LINE_AND_A_HALF);
        if (name !== 'money') return;
        const [done, now] = await page.evaluate<string[]>(`['.is-done', '.is-now'].map((mark) =>
          getComputedStyle(document.querySelector('.time ' + mark), '::before').borderTopColor)`);
        expect(done).not.toBe(now);
      },
    );
  });
});

async function takePictures(folder: string): Promise<void> {
  const looks: Record<string, VisitOptions> = {
    phone: { viewport: PHONE },
    'phone-dark': { viewport: PHONE, colorScheme: 'dark' },
    'phone-forced-colours': { viewport: PHONE, forcedColors: 'active' },
    desktop: { viewport: DESKTOP },
  };
  for (const [look, options] of Object.entries(looks)) {
    const { page } = await visit(origin, options);
    let place = 0;
    await eachShot(
      page,
      () => true,
      async ({ walk, path, language }) => {
        await drawn(page);
        place += 1;
        const name = `${String(place).padStart(3, '0')}-${walk}${path.replaceAll(/\W+/g, '-')}`;
        const file = `${folder}/${look}-${language}/${name.slice(0, 60)}.png`;
        await page.screenshot({ path: file, fullPage: true });
      },
    );
  }
}

/** By how much a page exceeds its budget. */
function excessOf(name: string, language: Language, size: PageSize): string[] {
  if (!(name in PAGES)) return ['has no budget'];
  const [most, height] = PAGES[name];
  const words = wordsIn(language, most);
  const screens = size.screens.toFixed(2);
  return [
    size.words > words && `${size.words} words, at most ${words}`,
    Number(screens) > height && `${screens} screens, at most ${height}`,
    size.lastButtonAt > height && `its last button ends at ${size.lastButtonAt} screens`,
    WITHOUT_BUTTON.includes(name) !== (size.buttons === 0) && `${size.buttons} buttons`,
    size.buttons > 0 &&
      !size.isButtonSeen &&
      !BUTTON_AT_THE_END.includes(name) &&
      'its button is out of sight',
  ].filter((found) => found !== false);
}

function wordsIn(language: Language, english: number): number {
  return language === 'hi' ? Math.floor(english * HINDI_WORDS) : english;
}
