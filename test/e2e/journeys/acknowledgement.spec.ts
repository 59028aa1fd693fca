import { expect, it, vi } from 'vitest';
import { LenderUnavailable } from '../../../src/lenders/index.js';
import { translate } from '../../../src/platform/index.js';
import { formOf } from '../../support/hosted-client.js';
import { wordsOf } from '../hosted-steps/step-journey.js';
import {
  acknowledgementBench,
  expectProvider,
  HASH,
  linkOf,
  SHOWN,
  TITLE,
} from './acknowledgement-bench.js';
import { MINUTE } from './journey-bench.js';

const bench = acknowledgementBench();

it('before the first provider the page shows what the hosted confirmation shows, opens nothing, and notes no visit', async () => {
  const { journey, path } = await bench.chosen();
  const client = await bench.reading(path);
  const page = client.page!;
  expect([page.status, page.heading]).toEqual([200, TITLE]);
  expect(page.headers.get('cache-control')).toBe('no-store');
  const words = wordsOf(page);
  for (const fact of ['₹1,50,000', '₹4,946', '₹1,46,310', '13.23%', 'Processing fee', '₹3,540'])
    expect(words).toContain(fact);
  expect(words).toContain('3 days after payout, no penalty');
  expect(words).toContain('The next page is Sandbox Provider at');

  // The form's hash is that of the linked statement.
  const href = /href="[^"]*(\/kfs\/[\w.-]+)"/.exec(page.text)![1];
  const statement = await client.copy().get(href);
  expect(statement.text).toContain(HASH.exec(page.text)![1]);
  expect(statement.text).toContain('Nothing is agreed until you choose it');

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

it('the acknowledgement needs the box, counts for the statement that was shown, is recorded with its time, language and hash, in one transaction with its audit row, and the lender gets it; it is asked for again when it is of another statement', async () => {
  const { journey, path } = await bench.chosen();
  const client = await bench.reading(path, 'hi');
  expect(client.page!.heading).toBe(translate('hi', 'offers.confirm'));
  const unticked = await client.submit();
  expect(unticked.status).toBe(200);
  expect(wordsOf(unticked)).toContain(translate('hi', 'steps.confirm.unread'));
  // After a refused form, the language switch leads to the page, not to the form's address.
  expect(unticked.text).toContain(`name="back" value="${path}"`);
  const switched = await client.post('/language', { lang: 'en', back: path });
  expect(switched.location).toBe(path);
  expect((await client.get(path)).heading).toBe(TITLE);
  const fields = { keyFactsHash: '0'.repeat(64) };
  const other = await client.submit({ hasRead: '1' }, { fields });
  expect([other.status, other.heading]).toEqual([409, TITLE]);
  expect(wordsOf(other)).toContain('The terms have changed.');
  expect(bench.opened).toEqual([]);
  expect(await bench.standingOf(journey)).toMatchObject(SHOWN);

  await bench.journeys.service.travel(5 * MINUTE);
  const before = bench.journeys.service.now();
  expectProvider(await client.submit({ hasRead: '1' }));
  const standing = await bench.standingOf(journey);
  const { contentHash: keyFactsHash } = standing;
  expect(standing).toMatchObject({
    hash: keyFactsHash,
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
  const acknowledgedAt = standing.at!.toISOString();
  expect(bench.opened.map(({ payload }) => payload)).toMatchObject([
    { keyFactsHash, acknowledgement: { keyFactsHash, acknowledgedAt, language: 'en' } },
  ]);

  await bench.journeys.query(
    `UPDATE key_facts_statements SET acknowledged_hash = repeat('0', 64) WHERE journey_id = $1`,
    [journey.id],
  );
  await bench.reading(path);
});

it('the acknowledgement counts when the provider cannot be reached then: the link leads on automatically later', async () => {
  const { journey, path } = await bench.chosen();
  const client = await bench.reading(path);
  const down = new LenderUnavailable('down');
  vi.spyOn(bench.journeys.lender, 'openSession').mockRejectedValueOnce(down);
  expect((await client.submit({ hasRead: '1' })).status).toBe(503);
  expect(await bench.standingOf(journey)).toMatchObject({ by: 'REDIRECT', audits: 1 });
  // A reload of the form's address leads back to the link.
  const again = await client.get(`${path}/acknowledgement`);
  expect([again.status, again.location]).toEqual([303, path]);
  await bench.journeys.service.travel(10_001);
  expectProvider(await client.get(path));
});

it('once a journey: a second press and a link that is opened again lead on, and it is not shown again at the mandate and at the signature', async () => {
  const { journey, path } = await bench.chosen();
  const client = await bench.reading(path);
  const page = client.page!;
  expectProvider(await client.submit({ hasRead: '1' }));
  const first = await bench.standingOf(journey);
  await bench.journeys.service.travel(MINUTE);
  client.page = page;
  expectProvider(await client.submit({ hasRead: '1' }));
  expect(await bench.standingOf(journey)).toEqual(first);
  for (const next of ['BANK_ACCOUNT_PENDING', 'ESIGN_PENDING', 'SANCTIONED']) {
    // Another device, without the first one's cookies.
    await bench.approve(await bench.browser('hi').get(await linkOf(journey)));
    await journey.reaches(next);
    if (next === 'BANK_ACCOUNT_PENDING') await journey.submitAccount();
  }
  expect(await bench.standingOf(journey)).toEqual(first);
  const steps = bench.opened.map(({ step, payload }) => {
    expect(payload.acknowledgement?.keyFactsHash).toBe(first.contentHash);
    return step;
  });
  expect(new Set(steps)).toEqual(new Set(['KYC', 'MANDATE', 'ESIGN']));
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
  expect(new Set(answers.map(({ location }) => location)).size).toBe(1);
  const { audits, language } = await bench.standingOf(journey);
  expect([audits, ['en', 'hi'].includes(language!)]).toEqual([1, true]);
});
