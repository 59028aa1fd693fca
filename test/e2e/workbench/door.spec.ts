import { beforeAll, describe, expect, it } from 'vitest';
import { KeyAdministration, PartnerAdministration } from '../../../src/admin/index.js';
import { Database, sha256 } from '../../../src/platform/index.js';
import { WorkbenchLinks } from '../../../src/workbench/access/workbench-links.js';
import { formOf, HostedClient } from '../../support/hosted-client.js';
import type { TestService } from '../../support/service.js';
import { sharedReplicas, type SharedReplicas } from '../../support/shared-service.js';
import { issueKey } from '../auth/auth-harness.js';
import { entered, linkOf } from './workbench-browser.js';

const CLOSED = 'Your session is over';

let replicas: SharedReplicas;
let service: TestService;
let database: Database;
let keys: KeyAdministration;
let partners: PartnerAdministration;

beforeAll(async () => {
  replicas = await sharedReplicas();
  service = replicas.first;
  database = service.get<Database>(Database);
  keys = service.get<KeyAdministration>(KeyAdministration);
  partners = service.get<PartnerAdministration>(PartnerAdministration);
});

function visitor(): HostedClient {
  return new HostedClient(service.baseUrl);
}

const expire = (time: string, hash: string, token: string) =>
  database.query(`UPDATE workbench_sessions SET ${time} = now() WHERE ${hash} = $1`, [
    sha256(token),
  ]);

const tokenOf = (link: string) => link.split('/').at(-1)!;

const heading = async (path: string, browser = visitor()) => {
  const page = await browser.get(path);
  return [page.status, page.heading];
};

describe('POST /workbench-links', () => {
  it('answers a link, good for five minutes, and keeps its hash alone', async () => {
    const key = await issueKey(service, { scopes: ['workbench:open'] });
    const before = Date.now();
    const { json } = await key.client.post<{ url: string; expiresAt: string }>(
      '/workbench-links',
      {},
    );
    const { url, expiresAt } = json.data;
    expect(url).toMatch(new RegExp(`^${service.baseUrl}/workbench/enter/[A-Za-z0-9_-]{43}$`));
    expect(Math.round((new Date(expiresAt).getTime() - before) / 60_000)).toBe(5);
    const rows = await database.query('SELECT * FROM workbench_sessions WHERE key_id = $1', [
      key.id,
    ]);
    const kept = { link_hash: sha256(tokenOf(url)), partner_id: service.partnerId };
    expect(rows).toMatchObject([kept]);
    expect(JSON.stringify(rows)).not.toContain(tokenOf(url));
  });
});

describe('a link to the workbench', () => {
  it('is good once, of many that press its button on two replicas, and not used up by opening it', async () => {
    const link = await linkOf(await issueKey(service));
    expect((await fetch(service.baseUrl + link, { method: 'HEAD' })).status).toBe(200);
    const browsers = [service, replicas.second].flatMap(({ baseUrl }) =>
      Array.from({ length: 4 }, () => new HostedClient(baseUrl)),
    );
    for (const browser of browsers) {
      expect((await browser.open(link)).heading).toBe('Open the workbench');
    }
    await Promise.all(browsers.map((browser) => browser.submit()));
    const isIn = ({ cookies }: HostedClient) => cookies.has('workbench');
    expect(browsers.filter(isIn)).toHaveLength(1);
    // In the signed-in browser the used link leads to the workbench.
    expect((await browsers.find(isIn)!.get(link)).location).toBe('/workbench');
    expect(await heading(link)).toEqual([410, 'This link was already used']);
  });

  it('expires after five minutes, and an unknown one is none', async () => {
    const link = await linkOf(await issueKey(service));
    await expire('link_expires_at', 'link_hash', tokenOf(link));
    expect(await heading(link)).toEqual([410, 'This link has expired']);
    const unknown = '/workbench/enter/nothing';
    expect(await heading(unknown)).toEqual([404, 'This link is not valid']);
  });

  it('takes no form that did not come from its page', async () => {
    const link = await linkOf(await issueKey(service));
    expect((await visitor().post(link, {})).status).toBe(403);
    const browser = visitor();
    await browser.open(link);
    expect((await browser.submit({}, { fields: { csrf: 'another' } })).status).toBe(403);
    expect(await heading(link)).toEqual([200, 'Open the workbench']);
  });
});

describe('a session of the workbench', () => {
  it('lasts eight hours, by a cookie that no script reads and no other site sends with its forms', async () => {
    const browser = visitor();
    await browser.open(await linkOf(await issueKey(service)));
    const { headers } = await browser.submit();
    const cookie = headers.getSetCookie().find((line) => line.startsWith('workbench='))!;
    expect(cookie).toMatch(/^workbench=[A-Za-z0-9_-]{43}; Path=\/; HttpOnly; SameSite=Lax$/);
    const token = browser.cookies.get('workbench')!;
    const [{ hours, row }] = await database.query<{ hours: number; row: string }>(
      `SELECT extract(epoch FROM expires_at - opened_at)::integer / 3600 AS hours, s::text AS row
       FROM workbench_sessions AS s WHERE token_hash = $1`,
      [sha256(token)],
    );
    expect(hours).toBe(8);
    expect(row).not.toContain(token);
    await expire('expires_at', 'token_hash', token);
    expect(await heading('/workbench', browser)).toEqual([401, CLOSED]);
  });

  it('is over once the engineer has signed out, also for a copy of the cookie', async () => {
    const browser = await entered(service, await issueKey(service));
    const copy = browser.copy(replicas.second.baseUrl);
    const form = formOf({ ...browser.page!, text: inMain(browser.page!.text) });
    expect(form.action).toBe('/workbench/sign-out');
    expect((await browser.post(form.action, {})).status).toBe(403);
    // An applicant's session in the same browser does not void the form.
    browser.cookies.set('session', 'of-an-applicant');
    await browser.follow(await browser.post(form.action, form.hidden));
    expect(browser.cookies.has('workbench')).toBe(false);
    expect(await heading('/workbench', copy)).toEqual([401, CLOSED]);
  });

  it.each<[string, (id: string) => Promise<unknown>]>([
    ['its key is revoked', (id) => keys.revoke(id)],
    ['its key is suspended', (id) => keys.suspend(id)],
    ['its partner is suspended', () => partners.suspend('limited')],
    [
      'its key lacks workbench:open',
      (id) => database.query(`UPDATE api_keys SET scopes = '{leads:read}' WHERE id = $1`, [id]),
    ],
  ])('ends on every replica when %s', async (_, end) => {
    const key = await issueKey(service, { partnerId: 'limited' });
    const browser = await entered(service, key);
    const elsewhere = browser.copy(replicas.second.baseUrl);
    await end(key.id);
    expect(await heading('/workbench/journeys', browser)).toEqual([401, CLOSED]);
    expect(await heading('/workbench', elsewhere)).toEqual([401, CLOSED]);
    // A revoked key cannot be resumed.
    await keys.resume(key.id).catch(() => undefined);
    expect(await heading('/workbench', browser)).toEqual([401, CLOSED]);
    // Only a suspended partner can be resumed.
    await partners.resume('limited').catch(() => undefined);
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
});

/** The page with the form of its header in its main part, where the tests search for forms. */
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
