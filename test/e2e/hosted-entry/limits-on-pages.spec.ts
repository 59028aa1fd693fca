import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ENTRY_LIMITS } from '../../../src/journeys/index.js';
import {
  atCode,
  codeFor,
  HostedClient,
  newMobile,
  plain,
  startHosted,
} from '../../support/hosted-client.js';
import type { TestService } from '../../support/service.js';
import { sharedService } from '../../support/shared-service.js';
import { otherThan } from './code-bench.js';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
type Language = 'en' | 'hi';

const SHIPPED = { ...ENTRY_LIMITS };
/** None of them is a number that a page says for another reason. */
const CHANGED: typeof ENTRY_LIMITS = {
  linkDays: 5,
  linksAnHour: 17,
  codeMinutes: 11,
  codeTries: 4,
  sessionIdleMinutes: 41,
};

let service: TestService;

beforeAll(async () => {
  service = await sharedService();
});

afterEach(() => {
  Object.assign(ENTRY_LIMITS, SHIPPED);
});

const browser = (language: Language) => new HostedClient(service.baseUrl, { language });

async function codePage(language: Language) {
  const start = await startHosted(service, { mobile: newMobile() });
  const client = await atCode(service, start, { language });
  return { start, client, hint: plain(client.page!.text) };
}

/** The pages that say a limit, as they are drawn while it is set. */
const PAGES: Readonly<Record<keyof typeof ENTRY_LIMITS, (of: Language) => Promise<string[]>>> = {
  linkDays: async (language) => {
    const start = await startHosted(service);
    await service.travel(ENTRY_LIMITS.linkDays * DAY + MINUTE);
    return [plain((await browser(language).get(start.link)).text)];
  },
  linksAnHour: async (language) => [plain((await browser(language).get('/hosted/link/sent')).text)],
  codeMinutes: async (language) => {
    const { hint } = await codePage(language);
    return [hint];
  },
  codeTries: async (language) => {
    const { client, start } = await codePage(language);
    const wrong = { code: otherThan(await codeFor(service, start.mobile)) };
    for (let tries = 1; tries < ENTRY_LIMITS.codeTries; tries += 1) await client.submit(wrong);
    return [plain((await client.submit(wrong)).text)];
  },
  sessionIdleMinutes: async (language) => [
    plain((await browser(language).get('/hosted/link')).text),
  ],
};

const SAID: Readonly<Record<keyof typeof ENTRY_LIMITS, Record<Language, (n: number) => string>>> = {
  linkDays: {
    en: (n) => `for ${n} days`,
    hi: (n) => `${n} दिन तक`,
  },
  linksAnHour: { en: (n) => `${n} links an hour`, hi: (n) => `एक घंटे में ${n} लिंक` },
  codeMinutes: { en: (n) => `alid for ${n} minutes`, hi: (n) => `${n} मिनट तक` },
  codeTries: { en: (n) => `entered ${n} times`, hi: (n) => `${n} बार ग़लत` },
  sessionIdleMinutes: { en: (n) => `after ${n} minutes`, hi: (n) => `${n} मिनट बाद` },
};

const LIMITS = Object.keys(SHIPPED) as (keyof typeof ENTRY_LIMITS)[];

describe.each(LIMITS)('the pages that say %s', (limit) => {
  it.each<Language>(['en', 'hi'])(
    'say what it is set to, and nothing else, in %s',
    async (language) => {
      const said = SAID[limit][language];
      for (const page of await PAGES[limit](language)) expect(page).toContain(said(SHIPPED[limit]));
      ENTRY_LIMITS[limit] = CHANGED[limit];
      for (const page of await PAGES[limit](language)) {
        expect(page).toContain(said(CHANGED[limit]));
        expect(page).not.toContain(said(SHIPPED[limit]));
      }
    },
  );
});
