import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { HostedJourneys } from '../../../src/journeys/index.js';
import { LenderUnavailable } from '../../../src/lenders/index.js';
import { SandboxLender } from '../../../src/sandbox/index.js';
import type { TestService } from '../../support/service.js';
import { sharedService } from '../../support/shared-service.js';
import { StepJourney, TEST_MS } from './step-journey.js';

vi.setConfig({ testTimeout: TEST_MS, hookTimeout: TEST_MS });

const HOUR = 3_600_000;

let service: TestService;

beforeAll(async () => {
  service = await sharedService();
});

afterEach(() => {
  vi.restoreAllMocks();
});

/** As if a limit of the newest journey was used this often. */
async function setTaken(journey: StepJourney, kind: string, count: number): Promise<void> {
  await journey.query(
    `UPDATE hosted_limits SET count = $2 WHERE (kind, ends_at) =
       (SELECT kind, max(ends_at) FROM hosted_limits WHERE kind = $1 GROUP BY kind)`,
    [kind, count],
  );
}

describe('one journey’s pages have its lender asked', () => {
  it('for 120 quotes an hour at most, and then say when there are more', async () => {
    const journey = await StepJourney.at('OFFERS_RECEIVED', service);
    const [offer] = (await journey.view()).offers;
    const quote = vi.spyOn(service.get(SandboxLender), 'quote');
    const open = async (amount: number) =>
      (await journey.client.open(`/hosted/offers/${offer.offerId}/confirm?amount=${amount}`))
        .status;
    expect(await open(100_000)).toBe(200);
    await setTaken(journey, 'QUOTES_OF_JOURNEY', 119);
    expect([await open(100_001), await open(100_002)]).toEqual([200, 429]);
    const choice = {
      offerId: offer.offerId,
      loanAmount: offer.amount,
      keyFactsHash: 'not the one that was shown',
      keyFactsIssuedAt: service.now().toISOString(),
      language: 'en' as const,
    };
    const choose = () =>
      service.get<HostedJourneys>(HostedJourneys).chooseOffer(journey.key, choice);
    await expect(choose()).rejects.toMatchObject({ code: 'rate_limited' });
    expect(quote).toHaveBeenCalledTimes(2);
  });

  it('for 30 sessions an hour at a provider at most', async () => {
    const journey = await StepJourney.at('KYC_PENDING', service);
    const url = (await journey.view()).redirect!.url;
    const open = vi.spyOn(service.get(SandboxLender), 'openSession');
    const visit = async () => {
      // Within ten seconds the applicant is led to the same session.
      await service.travel(10_001);
      const answer = await fetch(url, { redirect: 'manual', headers: { accept: 'text/html' } });
      return [answer.status, answer.headers.has('retry-after')];
    };
    expect(await visit()).toEqual([303, false]);
    await setTaken(journey, 'SESSIONS_OF_JOURNEY', 29);
    // A session that the lender did not open is not counted: the page repeats the call automatically.
    for (let away = 0; away < 2; away += 1) {
      open.mockRejectedValueOnce(new LenderUnavailable('down'));
      expect(await visit()).toEqual([503, true]);
    }
    expect(await visit()).toEqual([303, false]);
    expect(await visit()).toEqual([429, true]);
    const refused = await (await fetch(url, { headers: { accept: 'text/html' } })).text();
    expect(refused).toMatch(
      /You can try again after <strong>\d+\s\w+\s\d{4}, [\d:]+\s[ap]m(?: \([^)]+\))?<\/strong>\./,
    );
    expect(refused).not.toContain('class="btn"');
    expect(open).toHaveBeenCalledTimes(4);
    await service.travel(HOUR);
    expect(await visit()).toEqual([303, false]);
  });

  it('for 60 verdicts an hour at most, and lead on all the same', async () => {
    const journey = await StepJourney.at('KYC_PENDING', service);
    let asked = 0;
    vi.spyOn(service.get(SandboxLender), 'ask').mockImplementation(({ subjectId }) => {
      if (subjectId === journey.key.journeyId) asked += 1;
      return Promise.resolve({ status: 'PENDING', isSessionOpen: true });
    });
    const open = async () => {
      const { status, path } = await journey.client.open('/hosted/returned/KYC');
      expect([status, path]).toEqual([200, '/hosted/kyc']);
    };
    await open();
    await setTaken(journey, 'VERDICTS_OF_JOURNEY', 59);
    await open();
    expect(asked).toBeGreaterThanOrEqual(2);
    const before = asked;
    for (let count = 0; count < 6; count += 1) await open();
    // Background work also asks the lender.
    expect(asked - before).toBeLessThan(4);
  });

  it('for a verdict once when it asks to be left alone for an hour, however often they are opened', async () => {
    const journey = await StepJourney.at('KYC_PENDING', service);
    const about: string[] = [];
    vi.spyOn(service.get(SandboxLender), 'ask').mockImplementation((question) => {
      about.push(question.subjectId);
      return Promise.resolve({ status: 'PENDING', isSessionOpen: true, askAgainInMs: HOUR });
    });
    for (let count = 0; count < 4; count += 1) {
      expect((await journey.client.open('/hosted/returned/KYC')).status).toBe(200);
    }
    expect(about.filter((id) => id === journey.key.journeyId)).toHaveLength(1);
  });
});
