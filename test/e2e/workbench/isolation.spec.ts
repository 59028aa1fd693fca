import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Database } from '../../../src/platform/index.js';
import { eventually } from '../../support/eventually.js';
import { type HostedClient, type HostedPage } from '../../support/hosted-client.js';
import { applyForInstantLoan } from '../../support/instant-loans.js';
import { journeyIn, startJourney } from '../../support/journey-driver.js';
import { serviceOfFile, sharedService } from '../../support/shared-service.js';
import { WebhookReceiver } from '../../support/webhook-receiver.js';
import { issueKey } from '../auth/auth-harness.js';
import { logged, named } from '../request-log/request-log-bench.js';
import { crawl, type Crawled, idsIn } from './crawl.js';
import { entered } from './workbench-browser.js';

// Other specs check each page. This one finds every page and form by following links, so pages that are added later are
// checked, too.

const FREE = ['', '/requests', '/requests/:id', '/guide', '/signature', '/sandbox'];
const LISTS = {
  '/workbench/journeys': ['id', 'before', 'status', 'product'],
  '/workbench/requests': ['request', 'subject', 'key', 'code', 'route', 'path', 'before'],
  '/workbench/signature': ['request'],
};

const service = serviceOfFile();
let receiver: WebhookReceiver;
/** A browser of a partner with data on every page. */
let owner: HostedClient;
let crawled: Crawled;
/** Texts that only this partner's pages may show. */
let marks: string[];
/** A browser of a partner that has only a webhook. */
let stranger: HostedClient;
let strangersHook: string;

beforeAll(async () => {
  receiver = await WebhookReceiver.start();
  const key = await issueKey(service, { products: ['ONLINE_PERSONAL', 'ONLINE_INSTANT'] });
  const hook = async (url: string, { client } = key) => {
    const { json } = await client.post<{ subscriptionId: string }>('/webhooks', { url });
    return json.data.subscriptionId;
  };
  await hook(receiver.url());
  await hook('http://127.0.0.1:9/refused');
  await journeyIn(key.client, 'SANCTIONED');
  await startJourney(key.client, { channel: 'API_HOSTED' });
  await applyForInstantLoan(key.client);
  const { requestId, headers } = named();
  await key.client.get('/products', { headers, overrides: { signedMethod: 'get' } });
  await logged(service, { requestId });
  await delivered();
  owner = await entered(service, key);
  crawled = await crawl(owner);
  const [{ name, hint }] = await query<{ name: string; hint: string }>(
    'SELECT name, hint FROM api_keys WHERE id = $1',
    [key.id],
  );
  marks = [...idsIn(crawled), key.id, name, hint, receiver.url(), requestId];
  const another = await sharedService();
  const strangersKey = await issueKey(another);
  strangersHook = await hook('http://127.0.0.1:9/another', strangersKey);
  stranger = await entered(another, strangersKey);
}, 120_000);

afterAll(async () => {
  await receiver?.stop();
});

const query = <Row extends object>(sql: string, values: unknown[]) =>
  service.get<Database>(Database).query<Row & Record<string, unknown>>(sql, values);

/** Waits until all deliveries are done, except those to the failing address. */
function delivered(): Promise<void> {
  return eventually(async () => {
    const rows = await query(
      `SELECT FROM webhook_queue q JOIN webhook_subscriptions s ON s.id = q.subscription_id
       WHERE s.partner_id = $1 AND s.url NOT LIKE '%:9/%'`,
      [service.partnerId],
    );
    expect(rows).toEqual([]);
  });
}

/** The owner's texts on a page, without those from the request itself. */
function shownOf({ path, text, location }: HostedPage): string[] {
  const asked = decodeURIComponent(path);
  const shown = text + location;
  return marks.filter((mark) => shown.includes(mark) && !asked.includes(mark));
}

const pathOf = (address: string) =>
  address
    .split('?')[0]
    .replace('/workbench', '')
    .replaceAll(/\w{3}_[0-9a-f]{32}/g, ':id');

/** One text of each kind; ids and query values do not count. */
function oneOfEachKind(texts: Iterable<string>): string[] {
  const kindOf = (text: string) => text.replaceAll(/_[0-9a-f]{32}/g, '').replaceAll(/=[^&]+/g, '=');
  return [...new Map([...texts].map((text) => [kindOf(text), text])).values()];
}

async function opened(browser: HostedClient, paths: Iterable<string>): Promise<HostedPage[]> {
  const pages: HostedPage[] = [];
  for (const path of paths) pages.push(await browser.get(path));
  return pages;
}

const pages = () => oneOfEachKind(crawled.pages.keys());
const actions = () => oneOfEachKind(crawled.actions);

describe('what one partner sees', () => {
  it('is of everything that there is', () => {
    for (const prefix of ['jrn', 'app', 'sub', 'dlv', 'evt', 'req', 'off', 'key']) {
      expect([prefix, marks.some((mark) => mark.startsWith(`${prefix}_`))]).toEqual([prefix, true]);
    }
    const statuses = [...crawled.pages.values()].map(({ status }) => status);
    expect(statuses.filter((status) => status !== 200 && status !== 303)).toEqual([]);
    expect(crawled.pages.size).toBeGreaterThan(60);
  });

  it('has nothing of another on any page that its links lead to, nor at an address that the other’s lead to', async () => {
    const own = (await crawl(stranger)).pages;
    expect(own.size).toBeGreaterThan(10);
    const others = await opened(stranger, pages());
    for (const page of [...own.values(), ...others]) {
      expect([page.path, shownOf(page)]).toEqual([page.path, []]);
    }
    const ofOwner = others.filter(({ path }) => pathOf(path).includes(':id'));
    expect(ofOwner.length).toBeGreaterThan(3);
    expect(new Set(ofOwner.map(({ status }) => status))).toEqual(new Set([404]));
  });

  it('has nothing of another by any filter, cursor or search', async () => {
    const lists = { ...LISTS, [`/workbench/webhooks/${strangersHook}`]: ['before', 'status'] };
    for (const [list, parameters] of Object.entries(lists)) {
      const asked = parameters.flatMap((name) =>
        oneOfEachKind(marks).map((mark) => `${list}?${name}=${encodeURIComponent(mark)}`),
      );
      for (const page of await opened(stranger, asked)) {
        expect([page.path, page.status, shownOf(page)]).toEqual([page.path, 200, []]);
      }
    }
  });
});

describe('the forms', () => {
  it('that name something of a partner do nothing for another', async () => {
    const naming = actions().filter((action) => pathOf(action).includes(':id'));
    expect(naming.length).toBeGreaterThan(3);
    await stranger.open('/workbench/sandbox');
    const csrf = csrfToken(stranger);
    const came = receiver.deliveries.length;
    for (const action of naming) {
      const { status } = await stranger.post(action, { csrf, since: '2020-01-01T00:00' });
      expect([action, status]).toEqual([action, 404]);
    }
    expect(receiver.deliveries.length).toBe(came);
  });

  it('are refused, every one, without the token of their page', async () => {
    expect(actions()).toContain('/workbench/sandbox/time');
    const wrong: Record<string, string>[] = [{}, { csrf: 'x'.repeat(43) }];
    for (const fields of wrong) {
      for (const action of actions()) {
        const { status } = await owner.post(action, fields);
        expect([action, status]).toEqual([action, 403]);
      }
    }
    expect((await owner.get('/workbench')).status).toBe(200);
  });
});

describe('without a session that is good', () => {
  it('every page and every form is refused', async () => {
    const visitor = owner.copy();
    visitor.cookies.set('workbench', 'x'.repeat(43));
    for (const page of await opened(visitor, pages())) {
      expect([page.path, page.status, shownOf(page)]).toEqual([page.path, 401, []]);
    }
    const csrf = csrfToken(visitor);
    for (const action of actions()) {
      if (action.endsWith('/sign-out')) continue;
      const { status, text } = await visitor.post(action, { csrf });
      expect([action, status < 300, text.includes('req_')]).toEqual([action, false, false]);
    }
  });
});

describe('a key that may open the workbench and nothing else', () => {
  it('sees only the pages that need no scope, and no link leads it to another', async () => {
    const bare = await entered(service, await issueKey(service, { scopes: ['workbench:open'] }));
    for (const { path, status } of await opened(bare, pages())) {
      expect([path, status]).toEqual([path, FREE.includes(pathOf(path)) ? 200 : 403]);
    }
    const linked = [...(await crawl(bare)).pages.values()];
    expect(linked.filter(({ status }) => status !== 200)).toEqual([]);
  });
});

function csrfToken(browser: HostedClient): string {
  return /name="csrf" value="([^"]+)"/.exec(browser.page!.text)![1];
}
