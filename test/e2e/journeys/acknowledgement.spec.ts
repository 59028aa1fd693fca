import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { Client } from 'pg';
import type { QueryRunner } from 'typeorm';
import { Acknowledgements1764300400000 } from '../../../migrations/1764300400000-acknowledgements.js';
import { CheckedAcknowledgements1764300401000 } from '../../../migrations/1764300401000-checked-acknowledgements.js';
import { RedirectReturnedService } from '../../../src/journeys/redirects/redirect-returned.service.js';
import { LenderUnavailable, type SessionRequest } from '../../../src/lenders/index.js';
import { ENVIRONMENT, type Environment } from '../../../src/platform/index.js';
import { SandboxLender } from '../../../src/sandbox/index.js';
import { runAdmin } from '../../support/admin-command.js';
import { formOf, HostedClient, type HostedPage } from '../../support/hosted-client.js';
import { StepJourney, wordsOf } from '../hosted-steps/step-journey.js';
import { JourneyBench, MINUTE, type TestJourney } from './journey-bench.js';

const TITLE = 'Read this before you go on';
const HASH = /name="keyFactsHash" value="([0-9a-f]{64})"/;

let bench: JourneyBench;
let opened: SessionRequest[];

beforeAll(async () => {
  bench = await JourneyBench.open();
  await bench.keepOneLender();
});

beforeEach(() => {
  opened = [];
  const lender = bench.service.get(SandboxLender);
  const open = lender.openSession.bind(lender);
  vi.spyOn(lender, 'openSession').mockImplementation((request) => {
    opened.push(request);
    return open(request);
  });
});

afterEach(() => {
  vi.restoreAllMocks();
});

afterAll(() => bench.close());

interface Standing {
  contentHash: string;
  hash: string | null;
  at: Date | null;
  language: string | null;
  by: string | null;
}

/** How the statement of a journey's choice stands, and what is on record of it. */
async function standingOf({ id }: { id: string }): Promise<Standing & { audits: number }> {
  const [row] = await bench.query<Standing & { audits: number }>(
    `SELECT content_hash AS "contentHash", acknowledged_hash AS hash, acknowledged_at AS at,
       acknowledged_language AS language, acknowledged_by AS by,
       (SELECT count(*)::int FROM journey_audit
        WHERE journey_id = $1 AND trigger = 'KEY_FACTS_ACKNOWLEDGED') AS audits
     FROM key_facts_statements WHERE journey_id = $1`,
    [id],
  );
  return row;
}

const SHOWN = { hash: null, at: null, language: null, by: null, audits: 0 };

interface Chosen {
  journey: TestJourney;
  /** Of the journey's redirect link. */
  path: string;
}

/** A headless journey whose offer is chosen: its applicant comes to the first link. */
async function chosen(): Promise<Chosen> {
  const journey = await bench.startWithOffers();
  await journey.select({ loanAmount: 150_000 });
  return { journey, path: await linkOf(journey) };
}

async function linkOf(journey: TestJourney): Promise<string> {
  return new URL(await journey.redirectUrl()).pathname;
}

function browser(language: 'en' | 'hi' = 'en'): HostedClient {
  return new HostedClient(bench.service.baseUrl, { language });
}

/** A browser that has the page open. */
async function reading(path: string, language: 'en' | 'hi' = 'en'): Promise<HostedClient> {
  const client = browser(language);
  const page = await client.get(path);
  expect([page.status, HASH.test(page.text)]).toEqual([200, true]);
  return client;
}

function expectProvider(page: HostedPage): void {
  expect([page.status, page.location]).toEqual([
    303,
    expect.stringMatching(/^\/sandbox\/provider\//),
  ]);
}

async function approve(page: HostedPage, journey: TestJourney, next: string): Promise<void> {
  expectProvider(page);
  await bench.browse(bench.service.baseUrl + page.location, { decision: 'approve' });
  await journey.reaches(next);
}

describe('before the first provider', () => {
  it('shows what the hosted confirmation shows, opens nothing, and notes no visit', async () => {
    const { journey, path } = await chosen();
    const page = await browser().get(path);
    expect([page.status, page.heading]).toEqual([200, TITLE]);
    const words = wordsOf(page);
    for (const fact of ['₹1,50,000', '₹4,946', '₹1,46,310', '13.23%', 'Processing fee', '₹3,540'])
      expect(words).toContain(fact);
    expect(words).toContain('For 3 days after the money is paid out');
    expect(words).toContain('Sharmila Deshpande');
    expect(opened).toEqual([]);
    expect(await standingOf(journey)).toMatchObject(SHOWN);
    const visits = await bench.query(
      'SELECT 1 FROM journey_redirects WHERE journey_id = $1 AND visited_at IS NOT NULL',
      [journey.id],
    );
    expect(visits).toEqual([]);
  });

  it('has the whole statement and its PDF under the hash of the form, and says that nothing is agreed', async () => {
    const { path } = await chosen();
    const client = await reading(path);
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

  it('is kept by no cache, runs no script, and sends its form nowhere else', async () => {
    const { path } = await chosen();
    const { headers, text } = await browser().get(path);
    expect(headers.get('cache-control')).toBe('no-store');
    const policy = headers.get('content-security-policy');
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("form-action 'self'");
    expect(policy).not.toContain('script-src');
    expect(text).not.toContain('<script');
  });

  it('is the same for who comes by the button of a page that was fetched ahead', async () => {
    const { journey, path } = await chosen();
    const pressed = await browser().post(path, {});
    expect([pressed.status, pressed.heading]).toEqual([200, TITLE]);
    expect(opened).toEqual([]);
    expect(await standingOf(journey)).toMatchObject(SHOWN);
  });
});

describe('the acknowledgement', () => {
  it('is recorded with its time, language and hash, in one transaction with its audit row', async () => {
    const { journey, path } = await chosen();
    const client = await reading(path);
    const { hidden } = formOf(client.page!);
    await bench.service.travel(5 * MINUTE);
    const before = bench.service.now();
    expectProvider(await client.submit({ hasRead: '1' }));
    const standing = await standingOf(journey);
    expect(standing).toMatchObject({
      hash: hidden.keyFactsHash,
      contentHash: hidden.keyFactsHash,
      language: 'en',
      by: 'REDIRECT',
      audits: 1,
    });
    expect(standing.at!.getTime()).toBeGreaterThanOrEqual(before.getTime() - 1_000);
    const [{ writers }] = await bench.query<{ writers: number }>(
      `SELECT count(DISTINCT writer)::int AS writers FROM (
         SELECT xmin::text AS writer FROM key_facts_statements WHERE journey_id = $1
         UNION SELECT xmin::text FROM journey_audit
           WHERE journey_id = $1 AND trigger = 'KEY_FACTS_ACKNOWLEDGED') AS written`,
      [journey.id],
    );
    expect(writers).toBe(1);
  });

  it('is what the lender is told when the session is opened', async () => {
    const { journey, path } = await chosen();
    await (await reading(path, 'hi')).submit({ hasRead: '1' });
    const { contentHash, at } = await standingOf(journey);
    expect(opened).toHaveLength(1);
    expect(opened[0].payload).toMatchObject({
      keyFactsHash: contentHash,
      acknowledgement: {
        keyFactsHash: contentHash,
        acknowledgedAt: at!.toISOString(),
        language: 'hi',
      },
    });
  });

  it('speaks Hindi to who reads Hindi, and can be switched', async () => {
    const { journey, path } = await chosen();
    const client = await reading(path, 'hi');
    expect(client.page!.heading).toBe('आगे बढ़ने से पहले यह पढ़ें');
    expect(wordsOf(client.page!)).toContain('सहमति दें और आगे बढ़ें');
    const unticked = await client.submit();
    expect(wordsOf(unticked)).toContain('पहले मुख्य तथ्य विवरण पढ़ें');
    // The switch of a page that a form has shown again leads to the page, not to the form.
    const switched = await client.post('/language', { lang: 'en', back: path });
    expect(switched.location).toBe(path);
    expect(unticked.text).toContain(`name="back" value="${path}"`);
    expect((await client.get(path)).heading).toBe(TITLE);
    expectProvider(await client.submit({ hasRead: '1' }));
    expect(await standingOf(journey)).toMatchObject({ language: 'en', audits: 1 });
  });

  it('needs the box: without it the page says so, and nothing happens', async () => {
    const { journey, path } = await chosen();
    const client = await reading(path);
    const page = await client.submit();
    expect([page.status, page.heading]).toEqual([200, TITLE]);
    expect(wordsOf(page)).toContain('Read the Key Facts Statement, then tick the box');
    expect(opened).toEqual([]);
    expect(await standingOf(journey)).toMatchObject(SHOWN);
    expectProvider(await client.submit({ hasRead: '1' }));
  });

  it.each([
    ['another hash', '0'.repeat(64)],
    ['no hash', ''],
  ])(
    'counts for the statement that was shown: with %s it is shown again',
    async (_, keyFactsHash) => {
      const { journey, path } = await chosen();
      const client = await reading(path);
      const page = await client.submit({ hasRead: '1' }, { fields: { keyFactsHash } });
      expect([page.status, page.heading]).toEqual([409, TITLE]);
      expect(wordsOf(page)).toContain('The terms are not the ones that you were shown');
      expect(opened).toEqual([]);
      expect(await standingOf(journey)).toMatchObject(SHOWN);
      expectProvider(await client.submit({ hasRead: '1' }));
    },
  );

  it('is refused from a form that is not of this browser', async () => {
    const { journey, path } = await chosen();
    const form = formOf((await reading(path)).page!);
    const forged = await browser().post(form.action, { ...form.hidden, hasRead: '1' });
    expect(forged.status).toBe(403);
    expect(opened).toEqual([]);
    expect(await standingOf(journey)).toMatchObject(SHOWN);
  });

  it('stands when the provider cannot be reached then: the link leads on by itself later', async () => {
    const { journey, path } = await chosen();
    const client = await reading(path);
    vi.spyOn(bench.service.get(SandboxLender), 'openSession').mockRejectedValueOnce(
      new LenderUnavailable('down'),
    );
    expect((await client.submit({ hasRead: '1' })).status).toBe(503);
    expect(await standingOf(journey)).toMatchObject({ by: 'REDIRECT', audits: 1 });
    // The address of the form, typed or reloaded, leads back to the link.
    const again = await client.get(`${path}/acknowledgement`);
    expect([again.status, again.location]).toEqual([303, path]);
    expectProvider(await client.get(path));
  });

  it('is a 404 for a link that was not given out', async () => {
    const { path } = await chosen();
    const client = await reading(path);
    const wrong = path.slice(0, -1) + (path.endsWith('A') ? 'B' : 'A');
    const { hidden } = formOf(client.page!);
    const posted = await client.post(`${wrong}/acknowledgement`, { ...hidden, hasRead: '1' });
    expect(posted.status).toBe(404);
    expect(opened).toEqual([]);
  });
});

describe('once a journey', () => {
  it('a second press and a link that is opened again lead on, and the first word stands', async () => {
    const { journey, path } = await chosen();
    const client = await reading(path);
    const page = client.page!;
    expectProvider(await client.submit({ hasRead: '1' }));
    const first = await standingOf(journey);
    await bench.service.travel(MINUTE);
    client.page = page;
    expectProvider(await client.submit({ hasRead: '1' }));
    expectProvider(await client.get(path));
    // On a device that has never seen the page.
    expectProvider(await browser('hi').get(path));
    expect(await standingOf(journey)).toEqual(first);
  });

  it('two devices at the same moment: both go on, one word is recorded', async () => {
    const { journey, path } = await chosen();
    const devices = [await reading(path, 'en'), await reading(path, 'hi')];
    const answers = await Promise.all(devices.map((one) => one.submit({ hasRead: '1' })));
    answers.forEach(expectProvider);
    const { audits, language } = await standingOf(journey);
    expect([audits, ['en', 'hi'].includes(language!)]).toEqual([1, true]);
    expect(new Set(answers.map(({ location }) => location)).size).toBe(1);
  });

  it('Back and forth: who comes back to the link goes on, with what was agreed unchanged', async () => {
    const { journey, path } = await chosen();
    const client = await reading(path);
    await client.get(path);
    const first = await client.submit({ hasRead: '1' });
    await client.open(first.location);
    const back = await client.get(path);
    expect(back.location).toBe(first.location);
    expect(await standingOf(journey)).toMatchObject({ audits: 1 });
  });

  it('is not shown again at the mandate and at the signature', async () => {
    const { journey, path } = await chosen();
    const provider = await (await reading(path)).submit({ hasRead: '1' });
    await approve(provider, journey, 'BANK_ACCOUNT_PENDING');
    await journey.submitAccount();
    for (const next of ['ESIGN_PENDING', 'SANCTIONED']) {
      await approve(await browser().get(await linkOf(journey)), journey, next);
    }
    expect(opened.map(({ step }) => step)).toEqual(['KYC', 'MANDATE', 'ESIGN']);
    const { contentHash } = await standingOf(journey);
    for (const { payload } of opened) {
      expect(payload.acknowledgement?.keyFactsHash).toBe(contentHash);
    }
  });

  it('is shown again when the statement is another one', async () => {
    const { journey, path } = await chosen();
    await (await reading(path)).submit({ hasRead: '1' });
    const old = await standingOf(journey);
    const other = await chosen();
    await bench.query(
      `UPDATE key_facts_statements AS s
       SET content_hash = o.content_hash, content_sealed = o.content_sealed
       FROM key_facts_statements AS o WHERE s.journey_id = $1 AND o.journey_id = $2`,
      [journey.id, other.journey.id],
    );
    const client = await reading(path);
    expect(client.page!.text).not.toContain(old.contentHash);
    expect(opened).toHaveLength(1);
    expectProvider(await client.submit({ hasRead: '1' }));
    const { contentHash } = await standingOf(other.journey);
    expect(await standingOf(journey)).toMatchObject({ hash: contentHash, audits: 2 });
    expect(opened.at(-1)!.payload.acknowledgement!.keyFactsHash).toBe(contentHash);
  });
});

function expectBack({ status, location }: HostedPage, { id }: TestJourney): void {
  expect([status, location]).toEqual([303, `/sandbox/partner?journeyId=${id}&step=KYC`]);
}

describe('a journey that is over', () => {
  it('shows nothing, and takes no word from a page that was open before', async () => {
    const { journey, path } = await chosen();
    const client = await reading(path);
    await bench.query(
      `UPDATE journeys SET last_activity_at = app_now() - interval '8 days' WHERE id = $1`,
      [journey.id],
    );
    await journey.reaches('ABANDONED');
    const late = await client.submit({ hasRead: '1' });
    expectBack(late, journey);
    expect((await browser().get(path)).location).toBe(late.location);
    expect(opened).toEqual([]);
    expect(await standingOf(journey)).toMatchObject(SHOWN);
  });

  it('whose applicant is erased leads back as well', async () => {
    const { journey, path } = await chosen();
    const client = await reading(path);
    const erase = ['applicants', 'erase', '--journey', journey.id, '--force'];
    expect((await runAdmin(bench.service.databaseUrl, ...erase)).code).toBe(0);
    const late = await client.submit({ hasRead: '1' });
    expectBack(late, journey);
    expect(opened).toEqual([]);
    expect(await standingOf(journey)).toMatchObject(SHOWN);
  });
});

describe('a return without a visit', () => {
  it('counts for both in the sandbox, once', async () => {
    const { journey } = await chosen();
    expect((await journey.returned('KYC')).status).toBe(200);
    expect(await standingOf(journey)).toMatchObject({ by: 'SANDBOX_RETURN', audits: 1 });
    await journey.complete();
    expect(await standingOf(journey)).toMatchObject({ by: 'SANDBOX_RETURN', audits: 1 });
    expect(opened).toEqual([]);
  });

  it('proves nothing in production: the next link shows the statement', async () => {
    const { journey, path } = await chosen();
    const mode: Environment['mode'] = 'production';
    const environment = { ...bench.service.get<Environment>(ENVIRONMENT), mode };
    const returns = bench.service.get(RedirectReturnedService);
    const inProduction = Object.create(returns, { environment: { value: environment } }) as object;
    vi.spyOn(returns, 'returned').mockImplementation(
      RedirectReturnedService.prototype.returned.bind(inProduction as RedirectReturnedService),
    );
    const asked = vi.spyOn(bench.service.get(SandboxLender), 'ask');
    const { currentNextAction } = await journey.read();
    const { status, json } = await journey.returned('KYC');
    expect([status, json.data.nextAction]).toEqual([200, currentNextAction]);
    expect(asked).not.toHaveBeenCalled();
    expect(await standingOf(journey)).toMatchObject(SHOWN);
    await reading(path);
  });
});

describe('a hosted journey', () => {
  it('has acknowledged on its page of confirmation: its links lead to the provider at once', async () => {
    const journey = await StepJourney.at('OFFERS_RECEIVED', bench.service, {}, { language: 'hi' });
    await journey.driveTo('KYC_PENDING');
    const { redirect } = await journey.view();
    const standing = await standingOf(journey.start);
    expect(standing).toMatchObject({ by: 'CONFIRMATION', language: 'hi', audits: 1 });
    expect(standing.hash).toBe(standing.contentHash);
    expectProvider(await journey.client.get(new URL(redirect!.url).pathname));
    expect(opened.at(-1)!.payload.acknowledgement).toEqual({
      keyFactsHash: standing.contentHash,
      acknowledgedAt: standing.at!.toISOString(),
      language: 'hi',
    });
  });
});

/** As a release leaves it that notes no acknowledgement. */
async function forgetMark(...ids: string[]): Promise<void> {
  await bench.query(
    `UPDATE key_facts_statements SET acknowledged_hash = NULL, acknowledged_at = NULL,
       acknowledged_by = NULL, acknowledged_language = NULL WHERE journey_id = ANY ($1)`,
    [ids],
  );
}

describe('statements of a release that noted no acknowledgement', () => {
  it('are agreed to in hosted journeys, whenever they were frozen: nobody is asked again', async () => {
    const hosted = await StepJourney.at('OFFERS_RECEIVED', bench.service, {}, { language: 'hi' });
    await hosted.driveTo('KYC_PENDING');
    const { id } = hosted.start;
    const { offers, redirect } = await hosted.view();
    await forgetMark(id);
    expectProvider(await hosted.client.get(new URL(redirect!.url).pathname));
    expect(opened.at(-1)!.payload).not.toHaveProperty('acknowledgement');
    const [{ kfsUrl }] = offers;
    expect((await browser().get(new URL(kfsUrl).pathname)).text).not.toContain('Nothing is agreed');
    const { contentHash } = await standingOf(hosted.start);
    const { out } = await runAdmin(bench.service.databaseUrl, 'journeys', 'show', id);
    expect(out).toContain(contentHash);
    expect(out).not.toContain('(not yet)');
  });

  it('are shown to the applicants of headless journeys', async () => {
    const { journey, path } = await chosen();
    await forgetMark(journey.id);
    await reading(path);
    expect(opened).toEqual([]);
  });
});

describe('the migrations of acknowledgements', () => {
  it('read no row under the lock of the table, and let others write while they read', async () => {
    const { journey } = await chosen();
    const client = new Client({ connectionString: bench.service.databaseUrl });
    await client.connect();
    const runner = { query: (sql: string) => client.query(sql) } as unknown as QueryRunner;
    const columns = new Acknowledgements1764300400000();
    const looked = async (): Promise<boolean[]> => {
      const { rows } = await client.query<{ isLooked: boolean }>(
        `SELECT convalidated AS "isLooked" FROM pg_constraint
         WHERE conrelid = 'key_facts_statements'::regclass AND conname LIKE '%acknowledged%'`,
      );
      return rows.map(({ isLooked }) => isLooked);
    };
    try {
      await client.query('BEGIN');
      await columns.down(runner);
      await columns.up(runner);
      expect(await looked()).toEqual([false, false, false]);
      await client.query('COMMIT');
      await client.query('BEGIN');
      await new CheckedAcknowledgements1764300401000().up(runner);
      expect(await looked()).toEqual([true, true, true]);
      // Waits for a lock of the whole table, which nobody gives up before the end.
      const write = 'UPDATE key_facts_statements SET lender_signature = NULL WHERE journey_id = $1';
      await bench.query(write, [journey.id]);
      await client.query('COMMIT');
    } finally {
      await client.end();
    }
  });
});
