import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { KeyAdministration, PartnerAdministration } from '../../../src/admin/index.js';
import { SCOPES } from '../../../src/auth/index.js';
import { Database, sha256 } from '../../../src/platform/index.js';
import { WorkbenchLinks } from '../../../src/workbench/access/workbench-links.js';
import { WORKBENCH_LIMITS } from '../../../src/workbench/store/workbench-sessions.repository.js';
import { formOf, HostedClient } from '../../support/hosted-client.js';
import type { TestService } from '../../support/service.js';
import { sharedReplicas, type SharedReplicas } from '../../support/shared-service.js';
import { issueKey, type TestKey } from '../auth/auth-harness.js';
import { entered, linkOf } from './workbench-browser.js';

const CLOSED = 'Your session is over';

let replicas: SharedReplicas;
let service: TestService;
let database: Database;
let keys: KeyAdministration;

beforeAll(async () => {
  replicas = await sharedReplicas();
  service = replicas.first;
  database = service.get<Database>(Database);
  keys = service.get<KeyAdministration>(KeyAdministration);
});

function visitor(): HostedClient {
  return new HostedClient(service.baseUrl);
}

const tokenOf = (link: string) => link.split('/').at(-1)!;

it('says on its pages how long a link and a session last, as they are set', async () => {
  const shipped = { ...WORKBENCH_LIMITS };
  onTestFinished(() => void Object.assign(WORKBENCH_LIMITS, shipped));
  Object.assign(WORKBENCH_LIMITS, { linkMinutes: 13, sessionHours: 11 });
  const link = await linkOf(await issueKey(service));
  const browser = visitor();
  expect((await browser.open(link)).text).toContain('signs this browser in for 11 hours');
  await browser.send303();
  expect((await visitor().get(link)).text).toContain('good once and for 13 minutes');
  const hash = sha256(browser.cookies.get('workbench')!);
  await database.query('UPDATE workbench_sessions SET expires_at = now() WHERE token_hash = $1', [
    hash,
  ]);
  const { text } = await browser.get('/workbench');
  expect(text).toContain('It lasts for 11 hours');
  expect(text).toContain('good once and for 13 minutes');
});

describe('POST /workbench-links', () => {
  it('answers a link, good for five minutes, and keeps its hash alone', async () => {
    const key = await issueKey(service, { scopes: ['workbench:open'] });
    const before = Date.now();
    const { json } = await key.client.call<{ url: string; expiresAt: string }>(
      'POST',
      '/workbench-links',
      {},
    );
    const { url, expiresAt } = json.data;
    expect(url).toMatch(new RegExp(`^${service.baseUrl}/workbench/enter/[A-Za-z0-9_-]{43}$`));
    const seconds = (new Date(expiresAt).getTime() - before) / 1000;
    expect(Math.round(seconds / 60)).toBe(5);
    const rows = await database.query('SELECT * FROM workbench_sessions WHERE key_id = $1', [
      key.id,
    ]);
    expect(rows).toMatchObject([
      { link_hash: sha256(tokenOf(url)), partner_id: service.partnerId },
    ]);
    expect(JSON.stringify(rows)).not.toContain(tokenOf(url));
  });

  it('needs the scope workbench:open', async () => {
    const scopes = SCOPES.filter((scope) => scope !== 'workbench:open');
    const { client } = await issueKey(service, { scopes });
    const { status, json } = await client.call('POST', '/workbench-links', {});
    expect([status, json.code]).toEqual([403, 'scope_missing']);
  });
});

describe('a link to the workbench', () => {
  it('is not used up by whoever merely opens it', async () => {
    const link = await linkOf(await issueKey(service));
    for (let preview = 0; preview < 3; preview += 1) {
      expect((await visitor().get(link)).heading).toBe('Open the workbench');
    }
    const head = await fetch(service.baseUrl + link, { method: 'HEAD' });
    expect(head.status).toBe(200);
    const browser = visitor();
    await browser.open(link);
    expect((await browser.send303()).path).toBe('/workbench');
  });

  it('is used up by its button, once', async () => {
    const link = await linkOf(await issueKey(service));
    const [first, second] = [visitor(), visitor()];
    await first.open(link);
    await second.open(link);
    expect((await first.send303()).path).toBe('/workbench');
    const late = await second.send303();
    expect([late.status, late.heading]).toEqual([410, 'This link has been used']);
    expect(second.cookies.has('workbench')).toBe(false);
  });

  it('lets one in of many that press the button together, on two replicas', async () => {
    const link = await linkOf(await issueKey(service));
    const browsers = [service, replicas.second].flatMap(({ baseUrl }) =>
      Array.from({ length: 4 }, () => new HostedClient(baseUrl)),
    );
    for (const browser of browsers) await browser.open(link);
    await Promise.all(browsers.map((browser) => browser.submit()));
    expect(browsers.filter(({ cookies }) => cookies.has('workbench'))).toHaveLength(1);
  });

  it('leads whoever came in by it inside again', async () => {
    const key = await issueKey(service);
    const link = await linkOf(key);
    const browser = visitor();
    await browser.open(link);
    await browser.send303();
    expect((await browser.get(link)).location).toBe('/workbench');
    const other = await entered(service, key);
    expect((await other.get(link)).status).toBe(410);
  });

  it('runs out after five minutes, and an unknown one is none', async () => {
    const link = await linkOf(await issueKey(service));
    await database.query(
      `UPDATE workbench_sessions SET link_expires_at = now() WHERE link_hash = $1`,
      [sha256(tokenOf(link))],
    );
    const browser = visitor();
    const late = await browser.get(link);
    expect([late.status, late.heading]).toEqual([410, 'This link has run out']);
    const unknown = await browser.get('/workbench/enter/nothing');
    expect([unknown.status, unknown.heading]).toEqual([404, 'This link is not valid']);
  });

  it('takes no form that did not come from its page', async () => {
    const link = await linkOf(await issueKey(service));
    const foreign = await visitor().post(link, {});
    expect(foreign.status).toBe(403);
    const browser = visitor();
    await browser.open(link);
    expect((await browser.submit({}, { fields: { csrf: 'another' } })).status).toBe(403);
    expect((await visitor().get(link)).heading).toBe('Open the workbench');
  });
});

describe('a session of the workbench', () => {
  it('has a cookie that no script reads and no other site sends with its forms', async () => {
    const browser = visitor();
    await browser.open(await linkOf(await issueKey(service)));
    const { headers } = await browser.submit();
    const cookie = headers.getSetCookie().find((line) => line.startsWith('workbench='))!;
    expect(cookie).toMatch(/^workbench=[A-Za-z0-9_-]{43}; Path=\/; HttpOnly; SameSite=Lax$/);
    const token = browser.cookies.get('workbench')!;
    const [kept] = await database.query('SELECT * FROM workbench_sessions WHERE token_hash = $1', [
      sha256(token),
    ]);
    expect(JSON.stringify(kept)).not.toContain(token);
  });

  it('lasts for eight hours', async () => {
    const browser = await entered(service, await issueKey(service));
    const hash = sha256(browser.cookies.get('workbench')!);
    const [{ hours }] = await database.query<{ hours: number }>(
      `SELECT extract(epoch FROM expires_at - opened_at)::integer / 3600 AS hours
       FROM workbench_sessions WHERE token_hash = $1`,
      [hash],
    );
    expect(hours).toBe(8);
    await database.query('UPDATE workbench_sessions SET expires_at = now() WHERE token_hash = $1', [
      hash,
    ]);
    const page = await browser.get('/workbench');
    expect([page.status, page.heading]).toEqual([401, CLOSED]);
  });

  it('goes on when the sandbox’s time is moved', async () => {
    const browser = await entered(service, await issueKey(service));
    await replicas.travel(9 * 3_600_000);
    expect((await browser.get('/workbench')).status).toBe(200);
  });

  it('is over once the engineer has signed out, also for a copy of the cookie', async () => {
    const browser = await entered(service, await issueKey(service));
    const copy = browser.copy(replicas.second.baseUrl);
    const form = formOf({ ...browser.page!, text: inMain(browser.page!.text) });
    expect(form.action).toBe('/workbench/sign-out');
    expect((await browser.post(form.action, {})).status).toBe(403);
    await browser.follow(await browser.post(form.action, form.hidden));
    expect(browser.cookies.has('workbench')).toBe(false);
    expect((await copy.get('/workbench')).heading).toBe(CLOSED);
  });

  async function expectEnd(end: (key: TestKey) => Promise<unknown>, partnerId = service.partnerId) {
    const key = await issueKey(service, { partnerId });
    const browser = await entered(service, key);
    const elsewhere = browser.copy(replicas.second.baseUrl);
    await end(key);
    expect((await browser.get('/workbench/journeys')).heading).toBe(CLOSED);
    expect((await elsewhere.get('/workbench')).heading).toBe(CLOSED);
    return browser;
  }

  it('ends when its key is revoked, on every replica', async () => {
    await expectEnd(({ id }) => keys.revoke(id));
  });

  it('ends for good when its key is suspended', async () => {
    const issued: string[] = [];
    const browser = await expectEnd(({ id }) => {
      issued.push(id);
      return keys.suspend(id);
    });
    await keys.resume(issued[0]);
    expect((await browser.get('/workbench')).heading).toBe(CLOSED);
  });

  it('ends when its partner is suspended', async () => {
    const partners = service.get<PartnerAdministration>(PartnerAdministration);
    await expectEnd(() => partners.suspend('limited'), 'limited');
    await partners.resume('limited');
  });

  it('ends when its key may not open the workbench any more', async () => {
    await expectEnd(({ id }) =>
      database.query(`UPDATE api_keys SET scopes = '{leads:read}' WHERE id = $1`, [id]),
    );
  });

  it('is taken away two days after it was asked for, and not before', async () => {
    const browser = await entered(service, await issueKey(service));
    const hash = sha256(browser.cookies.get('workbench')!);
    const links = service.get<WorkbenchLinks>(WorkbenchLinks);
    const count = async () =>
      (await database.query('SELECT FROM workbench_sessions WHERE token_hash = $1', [hash])).length;
    await links.deleteOld();
    expect(await count()).toBe(1);
    await database.query(
      `UPDATE workbench_sessions SET created_at = now() - interval '2 days' WHERE token_hash = $1`,
      [hash],
    );
    await links.deleteOld();
    expect(await count()).toBe(0);
  });

  it('and one of an applicant in the same browser void each other’s forms not', async () => {
    const browser = await entered(service, await issueKey(service));
    const form = formOf({ ...browser.page!, text: inMain(browser.page!.text) });
    browser.cookies.set('session', 'of-an-applicant');
    const { status, location } = await browser.post(form.action, form.hidden);
    expect([status, location]).toEqual([303, '/workbench']);
  });
});

/** The page with the form of its header in its main part, where forms are looked for. */
function inMain(text: string): string {
  return text.replace('<header', '<main><header').replace('</header>', '</header></main>');
}

describe('without a session', () => {
  it('the sandbox’s front page leads to the demonstration partner’s workbench', async () => {
    const browser = visitor();
    expect((await browser.get('/')).location).toBe('/workbench');
    const page = await browser.open('/');
    expect([page.status, page.heading]).toEqual([200, 'Overview']);
    expect(page.text).toContain('Workbench of Demonstration Partner');
    expect(await database.query(`SELECT FROM workbench_sessions WHERE key_id IS NULL`)).toEqual([]);
  });
});
