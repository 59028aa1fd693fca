import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { Journey } from '../../../src/journeys/store/journey.entity.js';
import { RedirectsRepository } from '../../../src/journeys/store/redirects.repository.js';

import { Database, type Tx } from '../../../src/platform/index.js';
import { SandboxLender } from '../../../src/sandbox/index.js';
import { eventually } from '../../support/eventually.js';

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

// The same code opens the links of the other steps; every-move.spec.ts opens each of them.
describe('the link of a step', () => {
  it('leads to the provider, and approving there moves the journey on without a return', async () => {
    const journey = await atKyc();
    const url = await journey.redirectUrl();
    expect(await sessionsOf(journey)).toBe(0);
    const { status, location: page } = await bench.visit(url);
    expect(status).toBe(303);
    expect(page).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/sandbox\/provider\/rdr_[\w.-]+$/);
    // A second visit leads to the same session, whose address is stored until the verdict.
    expect(await journey.providerPage()).toBe(page);
    expect(await sessionsOf(journey)).toBe(1);
    expect(await kept(journey)).toHaveLength(1);
    const { text } = await bench.browse(page);
    for (const decision of ['approve', 'decline', 'leave']) {
      expect(text).toContain(`name="decision" value="${decision}"`);
    }
    expect((await decide(page, 'perhaps')).status).toBe(400);
    expectReturn(await decide(page, 'approve'), journey);
    await journey.reaches('BANK_ACCOUNT_PENDING');
    expect(await kept(journey)).toEqual([]);
    // A second decision changes nothing, and the link returns at once.
    expect((await bench.browse(page)).text).toContain('You approved this step');
    expectReturn(await decide(page, 'decline'), journey);
    await bench.settled();
    expectReturn(await bench.browse(url), journey);
    expect((await journey.read()).state).toBe('BANK_ACCOUNT_PENDING');
    expect(await journey.flags()).toEqual([]);
  });

  it('is a fresh one after each time that the applicant declines, until the third', async () => {
    const journey = await atKyc();
    const urls: string[] = [];
    for (let attempt = 1; attempt <= 2; attempt += 1) {
      const url = await journey.redirectUrl();
      urls.push(url);
      expectReturn(await decide(await journey.providerPage(url), 'decline'), journey);
      const next = await eventually(async () => {
        const { currentNextAction } = await journey.read();
        return currentNextAction.url !== url && currentNextAction;
      });
      expect(next).toMatchObject({ type: 'REDIRECT_TO_KYC', category: 'REDIRECT' });
      // The link of the failed try returns to the partner.
      expectReturn(await bench.browse(url), journey);
      expect((await journey.read()).state).toBe('KYC_PENDING');
    }
    expect(new Set(urls).size).toBe(2);
    await decide(await journey.providerPage(), 'decline');
    const end = await journey.reaches('REJECTED');
    expect(end).toMatchObject({ outcome: 'REJECTED', outcomeReason: 'KYC_FAILED' });
    expect(end.currentNextAction).toEqual({ type: 'JOURNEY_REJECTED', category: 'DONE' });
    expect((await journey.eventNames()).filter((name) => name === 'journey.rejected')).toHaveLength(
      1,
    );
  });

  it('stays good for an applicant who left, and approving later through it moves on', async () => {
    const journey = await atKyc();
    const url = await journey.redirectUrl();
    expectReturn(await decide(await journey.providerPage(url), 'leave'), journey);
    const back = await journey.returned('KYC');
    expect(back.status).toBe(200);
    // The provider waits for the applicant; the partner need not wait for the provider.
    const again = { type: 'REDIRECT_TO_KYC', category: 'REDIRECT', url };
    expect(back.json.data.nextAction).toEqual(again);
    expect(await journey.read()).toMatchObject({ state: 'KYC_PENDING', currentNextAction: again });
    await decide(await journey.providerPage(url), 'approve');
    await journey.reaches('BANK_ACCOUNT_PENDING');
    expect((await journey.returned('KYC')).status).toBe(200);
  });

  it('is a 404 with a token that was not given out', async () => {
    const journey = await atKyc();
    const url = await journey.redirectUrl();
    const other = url.endsWith('A') ? 'B' : 'A';
    const provider = (await journey.providerPage()).split('/').at(-1)!;
    const base = bench.service.baseUrl;
    const redirect = url.split('/').at(-1)!;
    for (const wrong of [
      url.slice(0, -1) + other,
      `${base}/r/x`,
      `${base}/r/${provider}`,
      `${base}/sandbox/provider/${redirect}`,
    ]) {
      expect((await bench.browse(wrong)).status).toBe(404);
    }
  });
});

async function sessionsOf({ id }: TestJourney): Promise<number> {
  return (await bench.query('SELECT 1 FROM sandbox_sessions WHERE subject_id = $1', [id])).length;
}

function kept({ id }: TestJourney) {
  return bench.query(
    'SELECT 1 FROM journey_redirects WHERE journey_id = $1 AND session_sealed IS NOT NULL',
    [id],
  );
}

describe('the address of a session', () => {
  /** Runs `work` while the lender opens the session, after it is open. */
  function duringCall(work: (url: string) => Promise<unknown>): void {
    const lender = bench.service.get(SandboxLender);
    const open = lender.openSession.bind(lender);
    vi.spyOn(lender, 'openSession').mockImplementationOnce(async (request) => {
      const verdict = await open(request);
      if (verdict.kind === 'OPENED') await work(verdict.url);
      return verdict;
    });
  }

  it('is not kept when the verdict comes during the call that opens it', async () => {
    const journey = await atKyc();
    duringCall(async (url) => {
      await decide(url, 'approve');
      await journey.reaches('BANK_ACCOUNT_PENDING');
    });
    expectReturn(await bench.visit(await journey.redirectUrl()), journey);
    expect(await kept(journey)).toEqual([]);
  });

  it('is not kept when the journey ends and is erased during the call', async () => {
    const journey = await atKyc();
    duringCall(async () => {
      await bench.query(
        `UPDATE journeys SET state = 'ABANDONED', redirect_id = NULL WHERE id = $1`,
        [journey.id],
      );
      await inRedirects((redirects, tx) =>
        redirects.erase(tx, { id: journey.id, partnerId: bench.service.partnerId } as Journey),
      );
    });
    expectReturn(await bench.visit(await journey.redirectUrl()), journey);
    expect(await kept(journey)).toEqual([]);
  });

  function inRedirects(work: (redirects: RedirectsRepository, tx: Tx) => Promise<unknown>) {
    const redirects = bench.service.get(RedirectsRepository);
    return bench.service.get(Database).transaction((tx) => work(redirects, tx));
  }
});

describe('a partner without an address to return to', () => {
  it('shows its applicants a page of the service that says they can go back', async () => {
    await setReturnUrl(null);
    const journey = await atKyc();
    const { location } = await decide(await journey.providerPage(), 'approve');
    await setReturnUrl(RETURN_URL);
    expect(location.startsWith(`${bench.service.baseUrl}/`)).toBe(true);
    expect(new URL(location).searchParams.get('journeyId')).toBe(journey.id);
    const page = await bench.browse(location);
    expect([page.status, page.text.includes('This step is done')]).toEqual([200, true]);
  });
});

describe('a callback that never comes', () => {
  it('is made up for: the provider is asked a minute after the visit', async () => {
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
});
