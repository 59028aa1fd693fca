import { afterEach, beforeAll, expect, it } from 'vitest';
import { ENTRY_LIMITS } from '../../../src/journeys/index.js';
import { atCode, codeFor, HostedClient, plain, startHosted } from '../../support/hosted-client.js';
import type { TestService } from '../../support/service.js';
import { sharedService } from '../../support/shared-service.js';
import { otherThan } from './code-bench.js';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const SHIPPED = { ...ENTRY_LIMITS };
/** No other number on a page has one of these values. */
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

const pageAt = async (path: string) =>
  plain((await new HostedClient(service.baseUrl).get(path)).text);

/** A page that states a limit, and how. Both languages have the same placeholders. */
const PAGES: Readonly<Record<keyof typeof ENTRY_LIMITS, [() => Promise<string>, string]>> = {
  linkDays: [
    async () => {
      const { link } = await startHosted(service);
      await service.travel(ENTRY_LIMITS.linkDays * DAY + MINUTE);
      return pageAt(link);
    },
    'for {n} days',
  ],
  linksAnHour: [() => pageAt('/hosted/link/sent'), '{n} links an hour'],
  codeMinutes: [
    async () => plain((await atCode(service, await startHosted(service))).page!.text),
    'alid for {n} minutes',
  ],
  codeTries: [
    async () => {
      const start = await startHosted(service);
      const client = await atCode(service, start);
      const wrong = { code: otherThan(await codeFor(service, start.mobile)) };
      for (let tries = 0; tries < ENTRY_LIMITS.codeTries; tries += 1) await client.submit(wrong);
      return plain(client.page!.text);
    },
    'entered {n} times',
  ],
  sessionIdleMinutes: [() => pageAt('/hosted/link'), 'after {n} minutes'],
};

it.each(Object.keys(PAGES) as (keyof typeof PAGES)[])(
  'the page that says %s says what it is set to',
  async (limit) => {
    const [draw, text] = PAGES[limit];
    const said = (of: typeof ENTRY_LIMITS) => text.replace('{n}', String(of[limit]));
    expect(await draw()).toContain(said(SHIPPED));
    ENTRY_LIMITS[limit] = CHANGED[limit];
    const page = await draw();
    expect(page).toContain(said(CHANGED));
    expect(page).not.toContain(said(SHIPPED));
  },
);
