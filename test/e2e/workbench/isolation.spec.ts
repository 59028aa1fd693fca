import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Database } from '../../../src/platform/index.js';
import { eventually } from '../../support/eventually.js';
import { type HostedClient, type HostedPage } from '../../support/hosted-client.js';
import { applyForInstantLoan } from '../../support/instant-loans.js';
import { journeyIn, startJourney } from '../../support/journey-driver.js';
import type { TestService } from '../../support/service.js';
import { sharedService } from '../../support/shared-service.js';
import { WebhookReceiver } from '../../support/webhook-receiver.js';
import { issueKey, type TestKey } from '../auth/auth-harness.js';
import { logged, named } from '../request-log/request-log-bench.js';
import { crawl, type Crawled, idsIn } from './crawl.js';
import { entered } from './workbench-browser.js';

// Other specs check each page. This one finds every page and form by following links, so pages that are added later are
// checked, too.

interface Party {
  readonly partnerId: string;
  readonly key: TestKey;
  readonly browser: HostedClient;
  readonly crawled: Crawled;
  /** Texts that only this partner's pages may show. */
  readonly marks: readonly string[];
}

const WITHOUT_SCOPE = ['/workbench', '/workbench/requests', '/workbench/guide'];
const SANDBOX_ALONE = ['/workbench/signature', '/workbench/sandbox'];
const LISTS = {
  '/workbench/journeys': ['id', 'before', 'status', 'product'],
  '/workbench/requests': ['request', 'subject', 'key', 'code', 'route', 'path', 'before'],
  '/workbench/signature': ['request'],
};

let service: TestService;
let receiver: WebhookReceiver;
let owner: Party;
let stranger: Party;

beforeAll(async () => {
  service = await sharedService();
  receiver = await WebhookReceiver.start();
  const both = [history(service, 'owner'), history(await sharedService(), 'stranger')];
  const before = await Promise.all(both);
  [owner, stranger] = await Promise.all(before.map(party));
}, 120_000);

afterAll(async () => {
  await receiver?.stop();
});

/** One of everything that the workbench shows. */
async function history(partner: TestService, name: string) {
  const { partnerId } = partner;
  const products = ['ONLINE_PERSONAL', 'ONLINE_INSTANT'];
  const key = await issueKey(partner, { products });
  const url = `${receiver.url()}/${name}`;
  await key.client.call('POST', '/webhooks', { body: { url } });
  await key.client.call('POST', '/webhooks', { body: { url: `http://127.0.0.1:9/${name}` } });
  await journeyIn(key.client, 'SANCTIONED');
  await startJourney(key.client, { channel: 'API_HOSTED' });
  await applyForInstantLoan(key.client);
  const { requestId, headers } = named();
  await key.client.get('/products', { headers, overrides: { signedMethod: 'get' } });
  await logged(service, { requestId }, partnerId);
  return { partnerId, key, url, requestId };
}

async function party({ partnerId, key, url, requestId }: Awaited<ReturnType<typeof history>>) {
  const browser = await entered(service, key);
  await delivered(partnerId);
  const crawled = await crawl(browser);
  const [{ name, hint }] = await service
    .get<Database>(Database)
    .query<{ name: string; hint: string }>('SELECT name, hint FROM api_keys WHERE id = $1', [
      key.id,
    ]);
  const marks = [...idsIn(crawled), key.id, name, hint, url, requestId];
  return { partnerId, key, browser, crawled, marks };
}

/** Waits until only deliveries to the failing address are open. */
function delivered(partnerId: string): Promise<void> {
  return eventually(async () => {
    const rows = await service.get<Database>(Database).query(
      `SELECT FROM webhook_queue q JOIN webhook_subscriptions s ON s.id = q.subscription_id
       WHERE s.partner_id = $1 AND s.url NOT LIKE '%:9/%'`,
      [partnerId],
    );
    expect(rows).toEqual([]);
  });
}

/** The partner's marks on a page that were not in the request itself. */
function shownOf({ marks }: Party, { path, text, location }: HostedPage): string[] {
  const asked = decodeURIComponent(path);
  const shown = text + location;
  return marks.filter((mark) => shown.includes(mark) && !asked.includes(mark));
}

/** One id of each prefix, and everything else. */
function oneOfEachKind(marks: readonly string[]): string[] {
  return [...new Map(marks.map((mark) => [mark.replace(/_[0-9a-f]{32}$/, ''), mark])).values()];
}

async function opened(browser: HostedClient, paths: Iterable<string>): Promise<HostedPage[]> {
  const pages: HostedPage[] = [];
  for (const path of paths) pages.push(await browser.get(path));
  return pages;
}

describe('what one partner sees', () => {
  it('is of everything that there is', () => {
    const prefixes = ['jrn', 'app', 'sub', 'dlv', 'evt', 'req', 'off', 'key'];
    for (const { marks, crawled } of [owner, stranger]) {
      for (const prefix of prefixes) {
        const found = marks.filter((mark) => mark.startsWith(`${prefix}_`));
        expect([prefix, found.length > 0]).toEqual([prefix, true]);
      }
      const statuses = [...crawled.pages.values()].map(({ status }) => status);
      expect(statuses.filter((status) => status !== 200 && status !== 303)).toEqual([]);
      expect(crawled.pages.size).toBeGreaterThan(60);
    }
  });

  it('has nothing of the other on any page that its links lead to', () => {
    for (const [one, other] of [
      [owner, stranger],
      [stranger, owner],
    ]) {
      for (const page of one.crawled.pages.values()) {
        expect([page.path, shownOf(other, page)]).toEqual([page.path, []]);
      }
    }
  });

  it('has nothing of the other at any address that the other’s links lead to', async () => {
    const pages = await opened(stranger.browser, owner.crawled.pages.keys());
    for (const page of pages) expect([page.path, shownOf(owner, page)]).toEqual([page.path, []]);
    const own = /\/(jrn|app|sub|dlv|req)_[0-9a-f]{32}/;
    const statuses = pages.filter(({ path }) => own.test(path)).map(({ status }) => status);
    expect(statuses.length).toBeGreaterThan(20);
    expect(new Set(statuses)).toEqual(new Set([404]));
  });

  it('has nothing of the other by any filter, cursor or search', async () => {
    const [webhook] = idsIn(stranger.crawled).filter((id) => id.startsWith('sub_'));
    const lists = { ...LISTS, [`/workbench/webhooks/${webhook}`]: ['before', 'status'] };
    for (const [list, parameters] of Object.entries(lists)) {
      const asked = parameters.flatMap((name) =>
        oneOfEachKind(owner.marks).map((mark) => `${list}?${name}=${encodeURIComponent(mark)}`),
      );
      for (const page of await opened(stranger.browser, asked)) {
        expect([page.path, page.status, shownOf(owner, page)]).toEqual([page.path, 200, []]);
      }
    }
  });
});

describe('the forms', () => {
  it('that name something of a partner do nothing for another', async () => {
    const actions = [...owner.crawled.actions].filter((action) => /_[0-9a-f]{32}/.test(action));
    expect(actions.length).toBeGreaterThan(6);
    await stranger.browser.open('/workbench/sandbox');
    const csrf = csrfToken(stranger.browser);
    const came = receiver.deliveries.length;
    for (const action of actions) {
      const { status } = await stranger.browser.post(action, { csrf, since: '2020-01-01T00:00' });
      expect([action, status]).toEqual([action, 404]);
    }
    expect(receiver.deliveries.length).toBe(came);
  });

  it('are refused, every one, without the token of their page', async () => {
    expect(owner.crawled.actions).toContain('/workbench/sandbox/time');
    const wrong: Record<string, string>[] = [{}, { csrf: 'x'.repeat(43) }];
    for (const fields of wrong) {
      for (const action of owner.crawled.actions) {
        const { status } = await owner.browser.post(action, fields);
        expect([action, status]).toEqual([action, 403]);
      }
    }
    expect((await owner.browser.get('/workbench')).status).toBe(200);
  });
});

describe('without a session that is good', () => {
  it('every page and every form is refused', async () => {
    const visitor = owner.browser.copy();
    visitor.cookies.set('workbench', 'x'.repeat(43));
    for (const page of await opened(visitor, owner.crawled.pages.keys())) {
      expect([page.path, page.status, shownOf(owner, page)]).toEqual([page.path, 401, []]);
    }
    const csrf = csrfToken(visitor);
    for (const action of owner.crawled.actions) {
      if (action.endsWith('/sign-out')) continue;
      const { status, text } = await visitor.post(action, { csrf });
      expect([action, status < 300, text.includes('req_')]).toEqual([action, false, false]);
    }
  });
});

describe('a key that may open the workbench and nothing else', () => {
  it('sees the pages alone that need no scope, and no link leads it to another', async () => {
    const key = await issueKey(service, { scopes: ['workbench:open'] });
    const bare = await entered(service, key);
    const free = [...WITHOUT_SCOPE, ...SANDBOX_ALONE];
    for (const { path, status } of await opened(bare, owner.crawled.pages.keys())) {
      const bareAddress = path.split('?')[0];
      const isFree =
        free.includes(bareAddress) || bareAddress.startsWith('/workbench/requests/req_');
      expect([path, status]).toEqual([path, isFree ? 200 : 403]);
    }
    const { pages } = await crawl(bare);
    for (const { path, status } of pages.values()) expect([path, status]).toEqual([path, 200]);
  });
});

function csrfToken(browser: HostedClient): string {
  return /name="csrf" value="([^"]+)"/.exec(browser.page!.text)![1];
}
