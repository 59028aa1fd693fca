import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Journey } from '../../../src/journeys/store/journey.entity.js';
import { RedirectsRepository } from '../../../src/journeys/store/redirects.repository.js';
import { LenderUnavailable } from '../../../src/lenders/index.js';
import { Database, type Tx } from '../../../src/platform/index.js';
import { SandboxLender } from '../../../src/sandbox/index.js';
import { eventually } from '../../support/eventually.js';
import { inForm } from '../../support/long-form.js';
import { JourneyBench, type Page, type TestJourney } from './journey-bench.js';

const STEPS = [
  { step: 'KYC', state: 'KYC_PENDING', after: 'BANK_ACCOUNT_PENDING', reason: 'KYC_FAILED' },
  { step: 'MANDATE', state: 'MANDATE_PENDING', after: 'ESIGN_PENDING', reason: 'MANDATE_FAILED' },
  { step: 'ESIGN', state: 'ESIGN_PENDING', after: 'SANCTIONED', reason: 'ESIGN_DECLINED' },
];

const RETURN_URL = 'https://partner.example/back?app=7';

let bench: JourneyBench;

beforeAll(async () => {
  bench = await JourneyBench.open();
  await bench.keepOneLender();
  await setReturnUrl(RETURN_URL);
});

afterEach(() => {
  vi.restoreAllMocks();
});

afterAll(() => bench.close());

async function setReturnUrl(url: string | null): Promise<void> {
  await bench.query('UPDATE partners SET return_url = $1 WHERE id = $2', [
    url,
    bench.service.partnerId,
  ]);
}

async function atStep(state: string): Promise<TestJourney> {
  const journey = await bench.startWithOffers();
  await journey.goOnTo(state);
  return journey;
}

function decide(page: string, decision: string): Promise<Page> {
  return bench.browse(page, { decision });
}

/** Where the applicant comes out: the partner's own address, told which journey and step it was. */
function expectReturn(page: Page, journey: TestJourney, step: string): void {
  expect(page.status).toBe(303);
  const url = new URL(page.location);
  expect(`${url.origin}${url.pathname}`).toBe('https://partner.example/back');
  expect(Object.fromEntries(url.searchParams)).toEqual({ app: '7', journeyId: journey.id, step });
}

// The links of the other steps are opened by the same code.
describe.each(inForm({ short: STEPS.slice(0, 1), long: STEPS }))(
  'the $step link',
  ({ step, state, after, reason }) => {
    it('leads to the provider, and approving there moves the journey on without a return', async () => {
      const journey = await atStep(state);
      const url = await journey.redirectUrl();
      expect(await sessionsOf(journey, step)).toBe(0);
      const visit = await bench.visit(url);
      expect(visit.status).toBe(303);
      expect(visit.location).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/sandbox\/provider\/rdr_[\w.-]+$/);
      expect(await sessionsOf(journey, step)).toBe(1);
      const page = await bench.browse(visit.location);
      expect(page.status).toBe(200);
      for (const decision of ['approve', 'decline', 'leave']) {
        expect(page.text).toContain(`name="decision" value="${decision}"`);
      }
      expectReturn(await decide(visit.location, 'approve'), journey, step);
      await journey.reaches(after);
    });

    it('is a fresh one after each time that the applicant declines, until the third', async () => {
      const journey = await atStep(state);
      const urls: string[] = [];
      for (let attempt = 1; attempt <= 2; attempt += 1) {
        const url = await journey.redirectUrl();
        urls.push(url);
        expectReturn(await decide(await journey.providerPage(url), 'decline'), journey, step);
        const next = await eventually(async () => {
          const { currentNextAction } = await journey.read();
          return currentNextAction.url !== url && currentNextAction;
        });
        expect(next).toMatchObject({ type: `REDIRECT_TO_${step}`, category: 'REDIRECT' });
        expect((await journey.read()).state).toBe(state);
      }
      expect(new Set(urls).size).toBe(2);
      await decide(await journey.providerPage(), 'decline');
      const end = await journey.reaches('REJECTED');
      expect(end).toMatchObject({ outcome: 'REJECTED', outcomeReason: reason });
      expect(end.currentNextAction).toEqual({ type: 'JOURNEY_REJECTED', category: 'DONE' });
      expect(
        (await journey.eventNames()).filter((name) => name === 'journey.rejected'),
      ).toHaveLength(1);
    });

    it('stays good for an applicant who left, and approving later through it moves on', async () => {
      const journey = await atStep(state);
      const url = await journey.redirectUrl();
      expectReturn(await decide(await journey.providerPage(url), 'leave'), journey, step);
      const back = await journey.returned(step);
      expect(back.status).toBe(200);
      // The provider waits for the applicant, not the partner for the provider.
      const again = { type: `REDIRECT_TO_${step}`, category: 'REDIRECT', url };
      expect(back.json.data.nextAction).toEqual(again);
      const waiting = await journey.read();
      expect(waiting).toMatchObject({ state, currentNextAction: back.json.data.nextAction });
      const page = await journey.providerPage(url);
      expect((await decide(page, 'approve')).status).toBe(303);
      await journey.reaches(after);
      expect((await journey.returned(step)).status).toBe(200);
    });
  },
);

async function sessionsOf({ id }: TestJourney, step: string): Promise<number> {
  const rows = await bench.query(
    'SELECT 1 FROM sandbox_sessions WHERE subject_id = $1 AND step = $2',
    [id, step],
  );
  return rows.length;
}

describe('a visit', () => {
  it('that ends without a decision leaves the journey where it is', async () => {
    const journey = await atStep('KYC_PENDING');
    await journey.providerPage();
    const { json } = await journey.returned('KYC');
    expect(json.data.nextAction.type).toBe('REDIRECT_TO_KYC');
    expect((await journey.read()).state).toBe('KYC_PENDING');
  });

  it('through a link whose step is over leads straight back to the partner', async () => {
    const journey = await atStep('KYC_PENDING');
    const url = await journey.redirectUrl();
    await journey.returned('KYC');
    expectReturn(await bench.browse(url), journey, 'KYC');
    expect(await sessionsOf(journey, 'KYC')).toBe(0);
  });

  it('through the link of a failed try leads back, too: the fresh one is the good one', async () => {
    const journey = await atStep('KYC_PENDING');
    const old = await journey.redirectUrl();
    await decide(await journey.providerPage(old), 'decline');
    await eventually(async () => (await journey.redirectUrl()) !== old);
    expectReturn(await bench.browse(old), journey, 'KYC');
    expect(await journey.providerPage()).toContain('/sandbox/provider/');
  });

  it('may be made twice, to the same session', async () => {
    const journey = await atStep('KYC_PENDING');
    const [one, two] = [await journey.providerPage(), await journey.providerPage()];
    expect(two).toBe(one);
    expect(await sessionsOf(journey, 'KYC')).toBe(1);
  });

  it('finds a decided page decided, and a second decision changes nothing', async () => {
    const journey = await atStep('KYC_PENDING');
    const page = await journey.providerPage();
    await decide(page, 'approve');
    await journey.reaches('BANK_ACCOUNT_PENDING');
    expect((await bench.browse(page)).text).toContain('You approved this step');
    expectReturn(await decide(page, 'decline'), journey, 'KYC');
    await bench.settled();
    expect((await journey.read()).state).toBe('BANK_ACCOUNT_PENDING');
    expect(await journey.flags()).toEqual([]);
  });

  it('is a 503 while the provider is away, and works when it is back', async () => {
    const journey = await atStep('KYC_PENDING');
    const url = await journey.redirectUrl();
    const provider = vi.spyOn(bench.service.get(SandboxLender), 'openSession');
    provider.mockRejectedValueOnce(new LenderUnavailable('down'));
    expect((await bench.visit(url)).status).toBe(503);
    await bench.service.travel(10_001);
    expect((await bench.browse(url)).status).toBe(303);
  });

  it('is a 404 with a token that was not given out', async () => {
    const journey = await atStep('KYC_PENDING');
    const url = await journey.redirectUrl();
    const other = url.endsWith('A') ? 'B' : 'A';
    const provider = (await journey.providerPage()).split('/').at(-1)!;
    const base = bench.service.baseUrl;
    for (const wrong of [url.slice(0, -1) + other, `${base}/r/x`, `${base}/r/${provider}`]) {
      expect((await bench.browse(wrong)).status).toBe(404);
    }
    const redirect = url.split('/').at(-1)!;
    expect((await bench.browse(`${base}/sandbox/provider/${redirect}`)).status).toBe(404);
  });

  it('is a 400 on the provider’s page with a decision that there is none of', async () => {
    const journey = await atStep('KYC_PENDING');
    const page = await journey.providerPage();
    expect((await decide(page, 'perhaps')).status).toBe(400);
    expect((await bench.browse(page, {})).status).toBe(400);
  });
});

describe('the address of a session', () => {
  const kept = async ({ id }: TestJourney) =>
    bench.query(
      'SELECT 1 FROM journey_redirects WHERE journey_id = $1 AND session_sealed IS NOT NULL',
      [id],
    );

  /** Something happens while the lender opens the session, after it has. */
  function duringCall(work: (url: string) => Promise<unknown>): void {
    const lender = bench.service.get(SandboxLender);
    const open = lender.openSession.bind(lender);
    vi.spyOn(lender, 'openSession').mockImplementationOnce(async (request) => {
      const verdict = await open(request);
      if (verdict.kind === 'OPENED') await work(verdict.url);
      return verdict;
    });
  }

  it('is kept until the verdict', async () => {
    const journey = await atStep('KYC_PENDING');
    const page = await journey.providerPage();
    expect(await kept(journey)).toHaveLength(1);
    await decide(page, 'approve');
    await journey.reaches('BANK_ACCOUNT_PENDING');
    expect(await kept(journey)).toEqual([]);
  });

  it('is not kept when the verdict comes during the call that opens it', async () => {
    const journey = await atStep('KYC_PENDING');
    duringCall(async (url) => {
      await decide(url, 'approve');
      await journey.reaches('BANK_ACCOUNT_PENDING');
    });
    expectReturn(await bench.visit(await journey.redirectUrl()), journey, 'KYC');
    expect(await kept(journey)).toEqual([]);
  });

  it('is not kept when the journey ends and is erased during the call', async () => {
    const journey = await atStep('KYC_PENDING');
    duringCall(async () => {
      await bench.query(
        `UPDATE journeys SET state = 'ABANDONED', redirect_id = NULL WHERE id = $1`,
        [journey.id],
      );
      await inRedirects((redirects, tx) =>
        redirects.erase(tx, { id: journey.id, partnerId: bench.service.partnerId } as Journey),
      );
    });
    expectReturn(await bench.visit(await journey.redirectUrl()), journey, 'KYC');
    expect(await kept(journey)).toEqual([]);
  });

  it('is not kept of a redirect that was released, before or after', async () => {
    const journey = await atStep('KYC_PENDING');
    const release = () =>
      inRedirects((redirects, tx) =>
        redirects.release(tx, { id: journey.id, partnerId: bench.service.partnerId } as Journey),
      );
    await journey.providerPage();
    expect(await kept(journey)).toHaveLength(1);
    await release();
    expect(await kept(journey)).toEqual([]);
    await bench.service.travel(10_001);
    await journey.providerPage();
    expect(await kept(journey)).toEqual([]);
  });

  function inRedirects(work: (redirects: RedirectsRepository, tx: Tx) => Promise<unknown>) {
    const redirects = bench.service.get(RedirectsRepository);
    return bench.service.get(Database).transaction((tx) => work(redirects, tx));
  }
});

describe('a partner without an address to return to', () => {
  it('has its applicants told on a page of ours that they can go back', async () => {
    await setReturnUrl(null);
    const journey = await atStep('KYC_PENDING');
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
    const journey = await atStep('KYC_PENDING');
    await journey.providerPage();
    await bench.query(`UPDATE sandbox_sessions SET decision = 'approve' WHERE subject_id = $1`, [
      journey.id,
    ]);
    await bench.service.travel(55_000);
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    expect((await journey.read()).state).toBe('KYC_PENDING');
    await bench.service.travel(6_000);
    await journey.reaches('BANK_ACCOUNT_PENDING');
  });
});
