import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Database } from '../../../src/platform/index.js';
import type { HostedClient } from '../../support/hosted-client.js';
import { plain, startHosted } from '../../support/hosted-client.js';
import { applyForInstantLoan } from '../../support/instant-loans.js';
import { eventually } from '../../support/eventually.js';
import { journeyIn, readJourney, startJourney } from '../../support/journey-driver.js';
import { loanRequest } from '../../support/loan-requests.js';
import { serviceOfFile, sharedService } from '../../support/shared-service.js';
import { WebhookReceiver } from '../../support/webhook-receiver.js';
import { issueKey, type TestKey } from '../auth/auth-harness.js';
import { entered } from './workbench-browser.js';

const service = serviceOfFile();
let receiver: WebhookReceiver;
let key: TestKey;
let browser: HostedClient;
/** A partner without any data of the demonstration. */
let other: HostedClient;
let strangerId: string;

beforeAll(async () => {
  receiver = await WebhookReceiver.start();
  key = await issueKey(service, { products: ['ONLINE_PERSONAL', 'ONLINE_INSTANT'] });
  browser = await entered(service, key);
  const stranger = await sharedService();
  strangerId = stranger.partnerId;
  other = await entered(stranger, await issueKey(stranger));
});

afterAll(async () => {
  await receiver?.stop();
});

const textOf = async (path: string, client = browser) => plain((await client.open(path)).text);

async function subscribe(url = receiver.url()): Promise<string> {
  const { json } = await key.client.call<{ subscriptionId: string }>('POST', '/webhooks', {
    body: { url },
  });
  return json.data.subscriptionId;
}

describe('the overview', () => {
  it('counts journeys by state and instant loans by status, and the partner’s own alone', async () => {
    const countsOf = async (client: HostedClient) => {
      const text = await textOf('/workbench', client);
      return ['OFFERS_RECEIVED', 'PAYMENT_PENDING'].map((state) =>
        Number(new RegExp(`${state} (\\d+)`).exec(text)![1]),
      );
    };
    const before = await countsOf(browser);
    await journeyIn(key.client, 'OFFERS_RECEIVED');
    expect((await applyForInstantLoan(key.client)).status).toBe(200);
    expect(await countsOf(browser)).toEqual(before.map((count) => count + 1));
    expect(await countsOf(other)).toEqual([0, 0]);
  });

  it('says how much of each key’s limits is used, and forgets what is over a minute old', async () => {
    const own = await issueKey(service, { perMinute: 10, perDay: 50 });
    const [{ name }] = await service
      .get<Database>(Database)
      .query<{ name: string }>('SELECT name FROM api_keys WHERE id = $1', [own.id]);
    for (let call = 0; call < 9; call += 1) await own.client.get('/products');
    const limits = async () => (await textOf('/workbench')).split(name)[1];
    expect(await limits()).toMatch(/^.*?This minute 9 of 10 90 %.*?Today in India 9 of 50/);
    await service.travel(62_000);
    expect(await limits()).toMatch(/^.*?This minute 0 of 10 .*?Today in India \d+ of 50/);
  });
});

describe('the list of journeys', () => {
  it('is filtered by state and product, newest first, and pages on by the key', async () => {
    const database = service.get<Database>(Database);
    await database.query(
      `INSERT INTO applications
         (id, journey_id, partner_id, loan_type, loan_amount, loan_amount_source, status, submitted_at)
       SELECT 'app_' || id, 'jrn_' || id, $1, 'ONLINE_INSTANT', 2500000, 'PARTNER',
         CASE WHEN n % 2 = 0 THEN 'EXPIRED' ELSE 'REJECTED' END, app_now() - n / 2 * interval '1 minute'
       FROM generate_series(1, 120) AS n, lpad(to_hex(n), 32, '0') AS id`,
      [strangerId],
    );
    const seen: string[] = [];
    let path: string | undefined = '/workbench/journeys?status=EXPIRED&product=ONLINE_INSTANT';
    const pages: number[] = [];
    while (path !== undefined) {
      const { text } = await other.open(path);
      const ids = [...text.matchAll(/href="\/workbench\/journeys\/(jrn_[0-9a-f]+)"/g)];
      pages.push(ids.length);
      seen.push(...ids.map(([, id]) => id));
      path = /<a href="([^"]+)" rel="next">/
        .exec(text)?.[1]
        .replaceAll('&#x3D;', '=')
        .replaceAll('&amp;', '&');
    }
    expect(pages).toEqual([50, 10]);
    const expected = Array.from(
      { length: 60 },
      (_, n) => `jrn_${((n + 1) * 2).toString(16).padStart(32, '0')}`,
    );
    expect(seen).toEqual(expected);
  });

  it('has as many journeys of a state as the overview counts, without instant loans', async () => {
    const database = service.get<Database>(Database);
    await database.query(
      `INSERT INTO applications
         (id, journey_id, partner_id, loan_type, loan_amount, loan_amount_source, status, submitted_at)
       SELECT 'app_' || id, 'jrn_' || id, $1, 'ONLINE_' || kind, 2500000, 'PARTNER', 'SANCTIONED', app_now()
       FROM (VALUES ('PERSONAL'), ('GOLD'), ('INSTANT')) AS of (kind), md5(kind) AS id`,
      [strangerId],
    );
    const { text } = await other.open('/workbench');
    const [, href, count] = /<a href="([^"]+)" class="code">SANCTIONED<.*?(\d+)<\/span>/s.exec(
      text,
    )!;
    const list = await other.open(href.replaceAll('&#x3D;', '=').replaceAll('&amp;', '&'));
    const found = [...plain(list.text).matchAll(/SANCTIONED ONLINE_(\w+),/g)].map(([, one]) => one);
    expect([count, found.toSorted()]).toEqual(['2', ['GOLD', 'PERSONAL']]);
  });

  it('finds a journey by its id, its application’s or the partner’s reference', async () => {
    const journey = await startJourney(key.client);
    const { applicationId } = await readJourney(key.client, journey);
    for (const asked of [journey.id, applicationId]) {
      const found = await browser.get(`/workbench/journeys?id=${asked}`);
      expect(found.location).toBe(`/workbench/journeys/${journey.id}`);
    }
    const { json } = await key.client.initiate({ ...loanRequest(), clientReferenceId: 'order-77' });
    const { journeyId } = json.data;
    const found = await browser.get('/workbench/journeys?id=order-77');
    expect(found.location).toBe(`/workbench/journeys/${journeyId}`);
    expect(await textOf(`/workbench/journeys/${journeyId}`)).toContain('order-77');
    const none = await textOf('/workbench/journeys?id=jrn_nothing');
    expect(none).toContain('No journey or application matches jrn_nothing');
  });
});

describe('a journey’s page', () => {
  it('tells in order of time what happened, what it means and what was sent', async () => {
    await subscribe();
    const started = await journeyIn(key.client, 'SANCTIONED');
    await eventually(async () => {
      const text = await textOf(`/workbench/journeys/${started.id}`);
      expect(text).toContain('journey.completed, attempt 1: 200');
    });
    const { text } = await browser.open(`/workbench/journeys/${started.id}`);
    const times = [...text.matchAll(/timeline-at"><time datetime="([^"]+)"/g)].map(([, at]) => at);
    expect(times.length).toBeGreaterThan(20);
    // An event and its transition are stamped by two clocks within one transaction.
    const early = times.filter(
      (at, place) => place > 0 && Date.parse(at) < Date.parse(times[place - 1]) - 1_000,
    );
    expect(early).toEqual([]);
    const titles = [...text.matchAll(/<h3>(.*?)<\/h3>/g)].map(([, title]) => plain(title));
    const order = [
      'STARTED: now INITIATED',
      'journey.initiated',
      'OFFERS_ARRIVED: now OFFERS_RECEIVED',
      'journey.offers_received',
      'KYC: waiting for the applicant',
      'PAID_OUT: now SANCTIONED',
      'journey.completed',
      'journey.completed, attempt 1: 200',
    ];
    expect(titles.filter((title) => order.includes(title))).toEqual(order);
    expect(titles.filter((title) => title.endsWith('made an offer')).length).toBeGreaterThan(0);
    expect(plain(text)).toContain('Lender offers are available for selection.');
    const bodies = [...text.matchAll(/<pre class="payload">(.*?)<\/pre>/gs)].map(
      ([, body]) => JSON.parse(body.replaceAll('&quot;', '"')) as { journeyId: string },
    );
    expect(new Set(bodies.map(({ journeyId }) => journeyId))).toEqual(new Set([started.id]));
    expect(text).not.toMatch(/ABCDE1234F|9876543210|Asha|\/r\/|\/kfs\//);
    const guide = (await browser.open('/workbench/guide')).text;
    const anchors = [...text.matchAll(/href="\/workbench\/guide#([^"]+)"/g)].map(([, one]) => one);
    expect(anchors.length).toBeGreaterThan(4);
    expect(anchors.filter((anchor) => !guide.includes(`id="${anchor}"`))).toEqual([]);
    const hosted = await startHosted(service);
    expect(await textOf(`/workbench/journeys/${hosted.id}`)).toContain('Hosted link made');
  });
});

describe('a key that lacks scopes', () => {
  it('is shown neither events and deliveries of a journey nor what else it may not read', async () => {
    await subscribe('http://127.0.0.1:9/for-those-who-may');
    const { id } = await startJourney(key.client);
    const scopes = ['workbench:open', 'journeys:read'];
    const bare = await entered(service, await issueKey(service, { scopes }));
    const text = await textOf(`/workbench/journeys/${id}`, bare);
    expect(text).toContain('STARTED: now INITIATED');
    expect(text).not.toContain('journey.initiated');
    const overview = await textOf('/workbench', bare);
    expect(overview).toContain('Limits used');
    expect(overview).not.toMatch(/OFFERS_RECEIVED|Webhook endpoints|127\.0\.0\.1:9/);
  });
});
