import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { Journey } from '../../../src/journeys/store/journey.entity.js';
import { RedirectsRepository } from '../../../src/journeys/store/redirects.repository.js';
import { Database } from '../../../src/platform/index.js';
import { type Page, type TestJourney, journeyBench } from './journey-bench.js';

const RETURN_URL = 'https://partner.example/back?app=7';

const bench = journeyBench({ isOneLender: true });

beforeAll(() => setReturnUrl(RETURN_URL));

async function setReturnUrl(url: string | null): Promise<void> {
  await bench.query('UPDATE partners SET return_url = $1 WHERE id = $2', [
    url,
    bench.service.partnerId,
  ]);
}

async function atKyc(): Promise<TestJourney> {
  const journey = await bench.startWithOffers();
  await journey.goOnTo('KYC_PENDING');
  return journey;
}

function decide(page: string, decision: string): Promise<Page> {
  return bench.browse(page, { decision });
}

/** The partner's return address, with the journey and the step. */
function expectReturn(page: Page, journey: TestJourney): void {
  expect(page.status).toBe(303);
  const url = new URL(page.location);
  expect(`${url.origin}${url.pathname}`).toBe('https://partner.example/back');
  const query = { app: '7', journeyId: journey.id, step: 'KYC' };
  expect(Object.fromEntries(url.searchParams)).toEqual(query);
}

function sessionsOf({ id }: TestJourney) {
  return bench.query('SELECT 1 FROM sandbox_sessions WHERE subject_id = $1', [id]);
}

function kept({ id }: TestJourney) {
  return bench.query(
    'SELECT 1 FROM journey_redirects WHERE journey_id = $1 AND session_sealed IS NOT NULL',
    [id],
  );
}

// The same code opens the links of the other steps; every-move.spec.ts opens each of them.
describe('the link of a step', () => {
  it('leads to the provider, and approving there moves the journey on without a return', async () => {
    const journey = await atKyc();
    const url = await journey.redirectUrl();
    expect(await sessionsOf(journey)).toEqual([]);
    const page = await journey.providerPage(url);
    expect(page).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/sandbox\/provider\/rdr_[\w.-]+$/);
    // A second visit leads to the same session, whose address is stored until the verdict.
    expect(await journey.providerPage()).toBe(page);
    expect(await sessionsOf(journey)).toHaveLength(1);
    expect(await kept(journey)).toHaveLength(1);
    expect((await decide(page, 'perhaps')).status).toBe(400);
    expectReturn(await decide(page, 'approve'), journey);
    await journey.reaches('BANK_ACCOUNT_PENDING');
    expect(await kept(journey)).toEqual([]);
    // A second decision changes nothing, and the link returns at once.
    expectReturn(await decide(page, 'decline'), journey);
    await bench.settled();
    expectReturn(await bench.browse(url), journey);
    expect((await journey.read()).state).toBe('BANK_ACCOUNT_PENDING');
    expect(await journey.flags()).toEqual([]);
  });
});

describe('the address of a session', () => {
  /**
   * Runs `work` after the lender has opened a session, but before its response; the applicant is then returned to the
   * partner.
   */
  async function visitDuring(
    journey: TestJourney,
    work: (url: string) => Promise<unknown>,
  ): Promise<void> {
    const open = bench.lender.openSession.bind(bench.lender);
    vi.spyOn(bench.lender, 'openSession').mockImplementationOnce(async (request) => {
      const verdict = await open(request);
      if (verdict.kind === 'OPENED') await work(verdict.url);
      return verdict;
    });
    expectReturn(await bench.visit(await journey.redirectUrl()), journey);
  }

  it('is not kept when the verdict comes during the call that opens it', async () => {
    const journey = await atKyc();
    await visitDuring(journey, async (url) => {
      await decide(url, 'approve');
      await journey.reaches('BANK_ACCOUNT_PENDING');
    });
    expect(await kept(journey)).toEqual([]);
  });

  it('is not kept when the journey ends and is erased during the call', async () => {
    const journey = await atKyc();
    const erased = { id: journey.id, partnerId: bench.service.partnerId } as Journey;
    await visitDuring(journey, async () => {
      await bench.query(
        `UPDATE journeys SET state = 'ABANDONED', redirect_id = NULL WHERE id = $1`,
        [journey.id],
      );
      await bench.service
        .get(Database)
        .transaction((tx) => bench.service.get(RedirectsRepository).erase(tx, erased));
    });
    expect(await kept(journey)).toEqual([]);
  });
});

it('a partner without an address to return to sends its applicants to a page of the service that says they can go back', async () => {
  await setReturnUrl(null);
  const journey = await atKyc();
  const { location } = await decide(await journey.providerPage(), 'approve');
  await setReturnUrl(RETURN_URL);
  expect(location.startsWith(`${bench.service.baseUrl}/`)).toBe(true);
  expect(new URL(location).searchParams.get('journeyId')).toBe(journey.id);
  const page = await bench.browse(location);
  expect([page.status, page.text.includes('This step is done')]).toEqual([200, true]);
});

it('a callback that never comes is made up for: the provider is asked a minute after the visit', async () => {
  const journey = await atKyc();
  await journey.providerPage();
  await bench.query(`UPDATE sandbox_sessions SET decision = 'approve' WHERE subject_id = $1`, [
    journey.id,
  ]);
  const [{ seconds }] = await bench.query<{ seconds: number }>(
    `SELECT extract(epoch FROM next_attempt_at - app_now())::int AS seconds
       FROM lender_questions WHERE subject_id = $1 AND kind = 'KYC'`,
    [journey.id],
  );
  expect(seconds).toBeGreaterThan(50);
  expect(seconds).toBeLessThanOrEqual(60);
  await bench.service.travel(61_000);
  await journey.reaches('BANK_ACCOUNT_PENDING');
});
