import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { LenderUnavailable } from '../../../src/lenders/index.js';
import { translate } from '../../../src/platform/index.js';
import { SandboxLender } from '../../../src/sandbox/index.js';
import { formOf, type HostedPage } from '../../support/hosted-client.js';
import { wordsOf } from '../hosted-steps/step-journey.js';
import {
  AcknowledgementBench,
  expectProvider,
  HASH,
  linkOf,
  SHOWN,
  TITLE,
} from './acknowledgement-bench.js';
import { MINUTE, type TestJourney } from './journey-bench.js';

let bench: AcknowledgementBench;

beforeAll(async () => {
  bench = await AcknowledgementBench.open();
});

beforeEach(() => bench.watch());

afterEach(() => {
  vi.restoreAllMocks();
});

afterAll(() => bench.close());

async function approve(page: HostedPage, journey: TestJourney, next: string): Promise<void> {
  expectProvider(page);
  await bench.journeys.browse(bench.service.baseUrl + page.location, { decision: 'approve' });
  await journey.reaches(next);
}

describe('before the first provider', () => {
  it('shows what the hosted confirmation shows, opens nothing, and notes no visit', async () => {
    const { journey, path } = await bench.chosen();
    const page = await bench.browser().get(path);
    expect([page.status, page.heading]).toEqual([200, TITLE]);
    expect(page.headers.get('cache-control')).toBe('no-store');
    const policy = page.headers.get('content-security-policy');
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("form-action 'self'");
    expect(`${policy}${page.text}`).not.toMatch(/script-src|<script/);
    const words = wordsOf(page);
    for (const fact of ['₹1,50,000', '₹4,946', '₹1,46,310', '13.23%', 'Processing fee', '₹3,540'])
      expect(words).toContain(fact);
    expect(words).toContain(translate('en', 'offers.acknowledge.lead'));
    expect(words).toContain('3 days after payout, no penalty');
    expect(words).toContain('In this cooling-off period you return what you received');
    expect(words).toContain('Sharmila Deshpande');
    expect(words).toContain('The next page is Sandbox Provider at');
    expect(bench.opened).toEqual([]);
    expect(await bench.standingOf(journey)).toMatchObject(SHOWN);
    const visits = await bench.journeys.query(
      'SELECT 1 FROM journey_redirects WHERE journey_id = $1 AND visited_at IS NOT NULL',
      [journey.id],
    );
    expect(visits).toEqual([]);
  });

  it('has the whole statement and its PDF under the hash of the form, and says that nothing is agreed', async () => {
    const { path } = await bench.chosen();
    const client = await bench.reading(path);
    const { text } = client.page!;
    const href = /href="[^"]*(\/kfs\/[\w.-]+)"/.exec(text)![1];
    const statement = await client.copy().get(href);
    expect(statement.text).toContain(HASH.exec(text)![1]);
    expect(statement.text).toContain('Nothing is agreed until you choose it');
    const pdf = await client.copy().get(`${href}.pdf`);
    expect(pdf.headers.get('content-type')).toBe('application/pdf');
    expectProvider(await client.submit({ hasRead: '1' }));
    expect((await client.get(href)).text).toContain('You agreed to this statement');
  });
});

describe('the acknowledgement', () => {
  it('is recorded with its time, language and hash, in one transaction with its audit row', async () => {
    const { journey, path } = await bench.chosen();
    const client = await bench.reading(path);
    const { hidden } = formOf(client.page!);
    await bench.service.travel(5 * MINUTE);
    const before = bench.service.now();
    expectProvider(await client.submit({ hasRead: '1' }));
    const standing = await bench.standingOf(journey);
    expect(standing).toMatchObject({
      hash: hidden.keyFactsHash,
      contentHash: hidden.keyFactsHash,
      language: 'en',
      by: 'REDIRECT',
      audits: 1,
    });
    expect(standing.at!.getTime()).toBeGreaterThanOrEqual(before.getTime() - 1_000);
    const [{ writers }] = await bench.journeys.query<{ writers: number }>(
      `SELECT count(DISTINCT writer)::int AS writers FROM (
         SELECT xmin::text AS writer FROM key_facts_statements WHERE journey_id = $1
         UNION SELECT xmin::text FROM journey_audit
           WHERE journey_id = $1 AND trigger = 'KEY_FACTS_ACKNOWLEDGED') AS written`,
      [journey.id],
    );
    expect(writers).toBe(1);
  });

  it('is what the lender is told when the session is opened', async () => {
    const { journey, path } = await bench.chosen();
    await (await bench.reading(path, 'hi')).submit({ hasRead: '1' });
    const { contentHash, at } = await bench.standingOf(journey);
    expect(bench.opened).toHaveLength(1);
    expect(bench.opened[0].payload).toMatchObject({
      keyFactsHash: contentHash,
      acknowledgement: {
        keyFactsHash: contentHash,
        acknowledgedAt: at!.toISOString(),
        language: 'hi',
      },
    });
  });

  it('speaks Hindi to who reads Hindi, and can be switched', async () => {
    const { journey, path } = await bench.chosen();
    const client = await bench.reading(path, 'hi');
    expect(client.page!.heading).toBe(translate('hi', 'offers.confirm'));
    expect(wordsOf(client.page!)).toContain(translate('hi', 'offers.acknowledge.button'));
    const unticked = await client.submit();
    expect(wordsOf(unticked)).toContain(translate('hi', 'steps.confirm.unread'));
    // The switch of a page that a form has shown again leads to the page, not to the form.
    const switched = await client.post('/language', { lang: 'en', back: path });
    expect(switched.location).toBe(path);
    expect(unticked.text).toContain(`name="back" value="${path}"`);
    expect((await client.get(path)).heading).toBe(TITLE);
    expectProvider(await client.submit({ hasRead: '1' }));
    expect(await bench.standingOf(journey)).toMatchObject({ language: 'en', audits: 1 });
  });

  it('needs the box: without it the page says so, and nothing happens', async () => {
    const { journey, path } = await bench.chosen();
    const client = await bench.reading(path);
    const page = await client.submit();
    expect([page.status, page.heading]).toEqual([200, TITLE]);
    expect(wordsOf(page)).toContain(translate('en', 'steps.confirm.unread'));
    expect(bench.opened).toEqual([]);
    expect(await bench.standingOf(journey)).toMatchObject(SHOWN);
    expectProvider(await client.submit({ hasRead: '1' }));
  });

  it.each([['another hash', '0'.repeat(64)]])(
    'counts for the statement that was shown: with %s it is shown again',
    async (_, keyFactsHash) => {
      const { journey, path } = await bench.chosen();
      const client = await bench.reading(path);
      const page = await client.submit({ hasRead: '1' }, { fields: { keyFactsHash } });
      expect([page.status, page.heading]).toEqual([409, TITLE]);
      expect(wordsOf(page)).toContain('The terms have changed.');
      expect(bench.opened).toEqual([]);
      expect(await bench.standingOf(journey)).toMatchObject(SHOWN);
      expectProvider(await client.submit({ hasRead: '1' }));
    },
  );

  it('is refused from a form that is not of this browser, and a 404 for a link that was not given out', async () => {
    const { journey, path } = await bench.chosen();
    const client = await bench.reading(path);
    const form = formOf(client.page!);
    const forged = await bench.browser().post(form.action, { ...form.hidden, hasRead: '1' });
    expect(forged.status).toBe(403);
    const wrong = path.slice(0, -1) + (path.endsWith('A') ? 'B' : 'A');
    const hidden = { ...form.hidden, hasRead: '1' };
    expect((await client.post(`${wrong}/acknowledgement`, hidden)).status).toBe(404);
    expect(bench.opened).toEqual([]);
    expect(await bench.standingOf(journey)).toMatchObject(SHOWN);
  });

  it('stands when the provider cannot be reached then: the link leads on by itself later', async () => {
    const { journey, path } = await bench.chosen();
    const client = await bench.reading(path);
    vi.spyOn(bench.service.get(SandboxLender), 'openSession').mockRejectedValueOnce(
      new LenderUnavailable('down'),
    );
    expect((await client.submit({ hasRead: '1' })).status).toBe(503);
    expect(await bench.standingOf(journey)).toMatchObject({ by: 'REDIRECT', audits: 1 });
    // The address of the form, typed or reloaded, leads back to the link.
    const again = await client.get(`${path}/acknowledgement`);
    expect([again.status, again.location]).toEqual([303, path]);
    await bench.service.travel(10_001);
    expectProvider(await client.get(path));
  });
});

describe('once a journey', () => {
  it('a second press and a link that is opened again lead on, and the first word stands', async () => {
    const { journey, path } = await bench.chosen();
    const client = await bench.reading(path);
    const page = client.page!;
    expectProvider(await client.submit({ hasRead: '1' }));
    const first = await bench.standingOf(journey);
    await bench.service.travel(MINUTE);
    client.page = page;
    expectProvider(await client.submit({ hasRead: '1' }));
    expectProvider(await client.get(path));
    // On a device that has never seen the page.
    expectProvider(await bench.browser('hi').get(path));
    expect(await bench.standingOf(journey)).toEqual(first);
  });

  it('two devices at the same moment: both go on, one word is recorded', async () => {
    const { journey, path } = await bench.chosen();
    const devices = [await bench.reading(path, 'en'), await bench.reading(path, 'hi')];
    const submitted = await Promise.all(devices.map((one) => one.submit({ hasRead: '1' })));
    // One asks the lender for a session; the other may have to wait for it.
    const waiting = submitted.filter(({ status }) => status === 200);
    expect(waiting.length).toBeLessThanOrEqual(1);
    for (const { heading } of waiting) expect(['One moment', 'एक पल रुकें']).toContain(heading);
    const answers = await Promise.all(
      submitted.map(async (page, index) => (page.status === 200 ? devices[index].get(path) : page)),
    );
    answers.forEach(expectProvider);
    const { audits, language } = await bench.standingOf(journey);
    expect([audits, ['en', 'hi'].includes(language!)]).toEqual([1, true]);
    expect(new Set(answers.map(({ location }) => location)).size).toBe(1);
  });

  it('is not shown again at the mandate and at the signature', async () => {
    const { journey, path } = await bench.chosen();
    const provider = await (await bench.reading(path)).submit({ hasRead: '1' });
    await approve(provider, journey, 'BANK_ACCOUNT_PENDING');
    await journey.submitAccount();
    for (const next of ['ESIGN_PENDING', 'SANCTIONED']) {
      await approve(await bench.browser().get(await linkOf(journey)), journey, next);
    }
    expect(bench.opened.map(({ step }) => step)).toEqual(['KYC', 'MANDATE', 'ESIGN']);
    const { contentHash } = await bench.standingOf(journey);
    for (const { payload } of bench.opened) {
      expect(payload.acknowledgement?.keyFactsHash).toBe(contentHash);
    }
  });

  it('is shown again when the statement is another one', async () => {
    const { journey, path } = await bench.chosen();
    await (await bench.reading(path)).submit({ hasRead: '1' });
    const old = await bench.standingOf(journey);
    const other = await bench.chosen();
    await bench.journeys.query(
      `UPDATE key_facts_statements AS s
       SET content_hash = o.content_hash, content_sealed = o.content_sealed
       FROM key_facts_statements AS o WHERE s.journey_id = $1 AND o.journey_id = $2`,
      [journey.id, other.journey.id],
    );
    const client = await bench.reading(path);
    expect(client.page!.text).not.toContain(old.contentHash);
    expect(bench.opened).toHaveLength(1);
    await bench.service.travel(10_001);
    expectProvider(await client.submit({ hasRead: '1' }));
    const { contentHash } = await bench.standingOf(other.journey);
    expect(await bench.standingOf(journey)).toMatchObject({ hash: contentHash, audits: 2 });
    expect(bench.opened.at(-1)!.payload.acknowledgement!.keyFactsHash).toBe(contentHash);
  });
});
