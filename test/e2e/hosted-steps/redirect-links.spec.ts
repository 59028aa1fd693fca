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

/** A journey at KYC whose statement was acknowledged in an earlier visit. */
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

/** The records that a visit adds. */
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

const LOOKERS: [string, Record<string, string>, string, number][] = [
  ['a HEAD', {}, 'HEAD', 200],
  ['a prefetch', { 'sec-purpose': 'prefetch' }, 'GET', 503],
  [
    'a prerender',
    { 'sec-purpose': 'prefetch;prerender', 'sec-fetch-dest': 'document' },
    'GET',
    503,
  ],
  ['a messenger’s preview', { 'user-agent': 'WhatsApp/2.23.20.0 A' }, 'GET', 200],
];

describe('a redirect link', () => {
  it('opens nothing and is no activity when it is merely looked at, and names neither lender nor applicant', async () => {
    const { journey, url } = await atKyc();
    const before = await tracesOf(journey);
    const { selectedOffer } = await journey.read();
    await bench.service.travel(DAY);
    for (const [name, headers, method, status] of LOOKERS) {
      const looked = await ask(url, { accept: 'text/html', ...headers }, method);
      expect([name, looked.status, looked.location]).toEqual([name, status, '']);
      expect(looked.text).not.toContain(selectedOffer!.sellerName);
      expect(looked.text).not.toContain(journey.id);
    }
    expect(await tracesOf(journey)).toEqual(before);
    expect((await journey.read()).state).toBe('KYC_PENDING');
  });

  it('opens the provider’s session and leads there when it is visited, by a browser old or new or a program', async () => {
    const { journey, url } = await acknowledged();
    const headers: Record<string, string>[] = [
      { 'sec-fetch-dest': 'document', 'sec-fetch-mode': 'navigate' },
      { 'user-agent': 'Mozilla/5.0 (Linux; Android 5.1)' },
      { 'user-agent': 'node' },
    ];
    for (const each of headers) {
      const { status, location } = await ask(url, each);
      expect(status).toBe(303);
      expect(location).toContain('/sandbox/provider/');
    }
    expect(await tracesOf(journey)).toMatchObject({ sessions: 1, visits: 1, questions: 1 });
  });
});
