import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DAY, JourneyBench, type TestJourney } from '../journeys/journey-bench.js';

let bench: JourneyBench;

beforeAll(async () => {
  bench = await JourneyBench.open();
  await bench.keepOneLender();
});

afterAll(() => bench.close());

async function atKyc(): Promise<{ journey: TestJourney; url: string }> {
  const journey = await bench.startWithOffers();
  await journey.goOnTo('KYC_PENDING');
  return { journey, url: await journey.redirectUrl() };
}

/** At KYC, the statement acknowledged by another visit before. */
async function acknowledged(): Promise<{ journey: TestJourney; url: string }> {
  const at = await atKyc();
  await bench.query(
    `UPDATE key_facts_statements SET acknowledged_hash = content_hash,
       acknowledged_at = app_now(), acknowledged_by = 'REDIRECT', acknowledged_language = 'en'
     WHERE journey_id = $1`,
    [at.journey.id],
  );
  return at;
}

async function ask(url: string, headers: Record<string, string> = {}, method = 'GET') {
  const response = await fetch(url, { method, headers, redirect: 'manual' });
  const location = response.headers.get('location') ?? '';
  return { status: response.status, location, text: await response.text() };
}

/** What a visit leaves behind. */
async function tracesOf({ id }: TestJourney) {
  const [{ sessions, visits, questions, activity }] = await bench.query<{
    sessions: number;
    visits: number;
    questions: number;
    activity: Date;
  }>(
    `SELECT (SELECT count(*)::int FROM sandbox_sessions WHERE subject_id = $1) AS sessions,
       (SELECT count(visited_at)::int FROM journey_redirects WHERE journey_id = $1) AS visits,
       (SELECT count(*)::int FROM lender_questions WHERE subject_id = $1 AND kind = 'KYC')
         AS questions,
       (SELECT last_activity_at FROM journeys WHERE id = $1) AS activity`,
    [id],
  );
  return { sessions, visits, questions, activity: activity.getTime() };
}

const LOOKERS: [string, Record<string, string>, string][] = [
  ['a HEAD', {}, 'HEAD'],
  ['a prefetch', { 'sec-purpose': 'prefetch' }, 'GET'],
  ['a prerender', { 'sec-purpose': 'prefetch;prerender', 'sec-fetch-dest': 'document' }, 'GET'],
  ['a messenger’s preview', { 'user-agent': 'WhatsApp/2.23.20.0 A' }, 'GET'],
];

describe('a redirect link that is merely looked at', () => {
  it.each(LOOKERS)('opens nothing and is no activity, by %s', async (_, headers, method) => {
    const { journey, url } = await atKyc();
    const before = await tracesOf(journey);
    await bench.service.travel(DAY);
    const looked = await ask(url, { accept: 'text/html', ...headers }, method);
    expect([looked.status, looked.location]).toEqual([200, '']);
    expect(await tracesOf(journey)).toEqual(before);
    expect(looked.text.includes('Continue with your loan')).toBe(method === 'GET');
    expect((await journey.read()).state).toBe('KYC_PENDING');
  });

  it('is a 404 all the same when it was not given out', async () => {
    const { url } = await atKyc();
    const wrong = url.slice(0, -1) + (url.endsWith('A') ? 'B' : 'A');
    for (const [, headers, method] of LOOKERS) {
      expect((await ask(wrong, headers, method)).status).toBe(404);
    }
  });

  it('names neither lender nor applicant to whoever looks', async () => {
    const { journey, url } = await atKyc();
    const { text } = await ask(url, { 'user-agent': 'facebookexternalhit/1.1' });
    const { selectedOffer } = await journey.read();
    expect(text).not.toContain(selectedOffer!.sellerName);
    expect(text).not.toContain(journey.id);
  });

  it('still leads on by its button: a browser that fetched it ahead shows a page that works', async () => {
    const { journey, url } = await acknowledged();
    await ask(url, { 'sec-purpose': 'prefetch;prerender', accept: 'text/html' });
    const pressed = await ask(url, { accept: 'text/html' }, 'POST');
    expect(pressed.status).toBe(303);
    expect(pressed.location).toContain('/sandbox/provider/');
    expect(await tracesOf(journey)).toMatchObject({ sessions: 1, visits: 1, questions: 1 });
  });
});

describe('a redirect link that is visited', () => {
  it.each<[string, Record<string, string>]>([
    ['a browser', { 'sec-fetch-dest': 'document', 'sec-fetch-mode': 'navigate' }],
    ['an old browser', { 'user-agent': 'Mozilla/5.0 (Linux; Android 5.1)' }],
    ['a partner’s program', { 'user-agent': 'node' }],
  ])('opens the provider’s session and leads there, for %s', async (_, headers) => {
    const { journey, url } = await acknowledged();
    const { status, location } = await ask(url, headers);
    expect(status).toBe(303);
    expect(location).toContain('/sandbox/provider/');
    expect(await tracesOf(journey)).toMatchObject({ sessions: 1, visits: 1, questions: 1 });
  });

  it('leads to the partner by a page when the step is over and the button was pressed', async () => {
    await bench.query(`UPDATE partners SET return_url = 'https://partner.example/back'`);
    const { journey, url } = await atKyc();
    await journey.returned('KYC');
    const browser = await ask(url, { accept: 'text/html' }, 'POST');
    expect([browser.status, browser.location]).toEqual([200, '']);
    expect(browser.text.replaceAll('&#x3D;', '=')).toContain(
      `https://partner.example/back?journeyId=${journey.id}`,
    );
    const program = await ask(url, {}, 'POST');
    expect(program.status).toBe(303);
    expect(program.location).toMatch(/^https:\/\/partner\.example\/back\?/);
    await bench.query('UPDATE partners SET return_url = NULL');
  });
});
