import { describe, expect, it, vi } from 'vitest';
import { LenderUnavailable } from '../../../src/lenders/index.js';
import { translate } from '../../../src/platform/index.js';
import { SandboxLender } from '../../../src/sandbox/index.js';
import { formOf, type HostedPage } from '../../support/hosted-client.js';
import { wordsOf } from '../hosted-steps/step-journey.js';
import {
  acknowledgementBench,
  expectProvider,
  HASH,
  linkOf,
  SHOWN,
  TITLE,
} from './acknowledgement-bench.js';
import { MINUTE, type TestJourney } from './journey-bench.js';

const bench = acknowledgementBench();

async function approve(page: HostedPage, journey: TestJourney, next: string): Promise<void> {
  expectProvider(page);
  await bench.journeys.browse(bench.service.baseUrl + page.location, { decision: 'approve' });
  await journey.reaches(next);
}

it('before the first provider the page shows what the hosted confirmation shows, opens nothing, and notes no visit', async () => {
  const { journey, path } = await bench.chosen();
  const client = await bench.reading(path);
  const page = client.page!;
  expect([page.status, page.heading]).toEqual([200, TITLE]);
  expect(page.headers.get('cache-control')).toBe('no-store');
  const policy = page.headers.get('content-security-policy');
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("form-action 'self'");
  expect(`${policy}${page.text}`).not.toMatch(/script-src|<script/);
  const words = wordsOf(page);
  for (const fact of ['₹1,50,000', '₹4,946', '₹1,46,310', '13.23%', 'Processing fee', '₹3,540'])
    expect(words).toContain(fact);
  expect(words).toContain('3 days after payout, no penalty');
  expect(words).toContain('The next page is Sandbox Provider at');
  // The statement and its PDF have the hash of the form.
  const href = /href="[^"]*(\/kfs\/[\w.-]+)"/.exec(page.text)![1];
  const statement = await client.copy().get(href);
  expect(statement.text).toContain(HASH.exec(page.text)![1]);
  expect(statement.text).toContain('Nothing is agreed until you choose it');
  const pdf = await client.copy().get(`${href}.pdf`);
  expect(pdf.headers.get('content-type')).toBe('application/pdf');

  // Another browser's form, and a link that was never issued.
  const form = formOf(page);
  const hidden = { ...form.hidden, hasRead: '1' };
  expect((await bench.browser().post(form.action, hidden)).status).toBe(403);
  const wrong = path.slice(0, -1) + (path.endsWith('A') ? 'B' : 'A');
  expect((await client.copy().post(`${wrong}/acknowledgement`, hidden)).status).toBe(404);
  expect(bench.opened).toEqual([]);
  expect(await bench.standingOf(journey)).toMatchObject(SHOWN);
  const visits = await bench.journeys.query(
    'SELECT 1 FROM journey_redirects WHERE journey_id = $1 AND visited_at IS NOT NULL',
    [journey.id],
  );
  expect(visits).toEqual([]);
  expectProvider(await client.submit({ hasRead: '1' }));
  expect((await client.get(href)).text).toContain('You agreed to this statement');
});

describe('the acknowledgement', () => {
  it('is recorded with its time, language and hash, in one transaction with its audit row, and the lender gets it', async () => {
    const { journey, path } = await bench.chosen();
    const client = await bench.reading(path, 'hi');
    const { hidden } = formOf(client.page!);
    await bench.service.travel(5 * MINUTE);
    const before = bench.service.now();
    expectProvider(await client.submit({ hasRead: '1' }));
    const standing = await bench.standingOf(journey);
    expect(standing).toMatchObject({
      hash: hidden.keyFactsHash,
      contentHash: hidden.keyFactsHash,
      language: 'hi',
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
    expect(bench.opened.map(({ payload }) => payload)).toMatchObject([
      {
        keyFactsHash: standing.contentHash,
        acknowledgement: {
          keyFactsHash: standing.contentHash,
          acknowledgedAt: standing.at!.toISOString(),
          language: 'hi',
        },
      },
    ]);
  });

  it('needs the box, and counts for the statement that was shown, in the language of the page', async () => {
    const { journey, path } = await bench.chosen();
    const client = await bench.reading(path, 'hi');
    expect(client.page!.heading).toBe(translate('hi', 'offers.confirm'));
    const unticked = await client.submit();
    expect(unticked.status).toBe(200);
    expect(wordsOf(unticked)).toContain(translate('hi', 'steps.confirm.unread'));
    // On a page that a form has shown again, the switch leads to the page, not to the form.
    const switched = await client.post('/language', { lang: 'en', back: path });
    expect(switched.location).toBe(path);
    expect(unticked.text).toContain(`name="back" value="${path}"`);
    expect((await client.get(path)).heading).toBe(TITLE);
    const fields = { keyFactsHash: '0'.repeat(64) };
    const other = await client.submit({ hasRead: '1' }, { fields });
    expect([other.status, other.heading]).toEqual([409, TITLE]);
    expect(wordsOf(other)).toContain('The terms have changed.');
    expect(bench.opened).toEqual([]);
    expect(await bench.standingOf(journey)).toMatchObject(SHOWN);
    expectProvider(await client.submit({ hasRead: '1' }));
    expect(await bench.standingOf(journey)).toMatchObject({ language: 'en', audits: 1 });
  });

  it('counts when the provider cannot be reached then: the link leads on automatically later', async () => {
    const { journey, path } = await bench.chosen();
    const client = await bench.reading(path);
    vi.spyOn(bench.service.get(SandboxLender), 'openSession').mockRejectedValueOnce(
      new LenderUnavailable('down'),
    );
    expect((await client.submit({ hasRead: '1' })).status).toBe(503);
    expect(await bench.standingOf(journey)).toMatchObject({ by: 'REDIRECT', audits: 1 });
    // The form's address, typed or reloaded, leads back to the link.
    const again = await client.get(`${path}/acknowledgement`);
    expect([again.status, again.location]).toEqual([303, path]);
    await bench.service.travel(10_001);
    expectProvider(await client.get(path));
  });
});

describe('once a journey', () => {
  it('a second press and a link that is opened again lead on, and it is not shown again at the mandate and at the signature', async () => {
    const { journey, path } = await bench.chosen();
    const client = await bench.reading(path);
    const page = client.page!;
    expectProvider(await client.submit({ hasRead: '1' }));
    const first = await bench.standingOf(journey);
    await bench.service.travel(MINUTE);
    client.page = page;
    expectProvider(await client.submit({ hasRead: '1' }));
    // On a device that has never opened the page.
    const provider = await bench.browser('hi').get(path);
    expect(await bench.standingOf(journey)).toEqual(first);
    await approve(provider, journey, 'BANK_ACCOUNT_PENDING');
    await journey.submitAccount();
    for (const next of ['ESIGN_PENDING', 'SANCTIONED']) {
      await approve(await bench.browser().get(await linkOf(journey)), journey, next);
    }
    expect(new Set(bench.opened.map(({ step }) => step))).toEqual(
      new Set(['KYC', 'MANDATE', 'ESIGN']),
    );
    for (const { payload } of bench.opened) {
      expect(payload.acknowledgement?.keyFactsHash).toBe(first.contentHash);
    }
  });

  it('two devices at the same moment: both go on, one word is recorded', async () => {
    const { journey, path } = await bench.chosen();
    const devices = [await bench.reading(path, 'en'), await bench.reading(path, 'hi')];
    const submitted = await Promise.all(devices.map((one) => one.submit({ hasRead: '1' })));
    // One request asks the lender for a session; the other may have to wait.
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
