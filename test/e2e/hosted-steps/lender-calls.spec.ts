import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { HostedJourneys } from '../../../src/journeys/index.js';
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

/** Opens an address so often, as somebody does who wants to do harm; the statuses that came. */
async function openOften(
  { client }: StepJourney,
  path: (count: number) => string,
  times: number,
): Promise<number[]> {
  const statuses = new Set<number>();
  for (let count = 0; count < times; count += 1) {
    statuses.add((await client.open(path(count))).status);
  }
  return [...statuses];
}

describe('one journey’s pages have its lender asked', () => {
  it('for 120 quotes an hour at most, and then say when there are more', async () => {
    const journey = await StepJourney.at('OFFERS_RECEIVED', service);
    const [offer] = (await journey.view()).offers;
    const quote = vi.spyOn(service.get(SandboxLender), 'quote');
    const path = (count: number) =>
      `/hosted/offers/${offer.offerId}/confirm?amount=${100_000 + count}`;
    expect(await openOften(journey, path, 121)).toEqual([200, 429]);
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
    expect(quote).toHaveBeenCalledTimes(120);
  });

  it('for 30 sessions an hour at a provider at most', async () => {
    const journey = await StepJourney.at('KYC_PENDING', service);
    const url = (await journey.view()).redirect!.url;
    const open = vi.spyOn(service.get(SandboxLender), 'openSession');
    const visit = async () => {
      const answer = await fetch(url, { redirect: 'manual', headers: { accept: 'text/html' } });
      return [answer.status, answer.headers.has('retry-after')];
    };
    for (let time = 0; time < 30; time += 1) {
      expect(await visit()).toEqual([303, false]);
      // Sooner than that the same session is led to.
      await service.travel(10_001);
    }
    expect(await visit()).toEqual([429, true]);
    const refused = await (await fetch(url, { headers: { accept: 'text/html' } })).text();
    expect(refused).toMatch(
      /You can try again after <strong>\d+\s\w+\s\d{4}, [\d:]+\s[ap]m(?: \([^)]+\))?<\/strong>\./,
    );
    expect(refused).not.toContain('class="btn"');
    expect(open).toHaveBeenCalledTimes(30);
    await service.travel(HOUR + 1_000);
    expect(await visit()).toEqual([303, false]);
  });

  it('for 60 verdicts an hour at most, and lead on all the same', async () => {
    const journey = await StepJourney.at('KYC_PENDING', service);
    const lender = service.get(SandboxLender);
    const about: string[] = [];
    vi.spyOn(lender, 'ask').mockImplementation((question) => {
      about.push(question.subjectId);
      return Promise.resolve({ status: 'PENDING', isSessionOpen: true });
    });
    expect(await openOften(journey, () => '/hosted/returned/KYC', 70)).toEqual([200]);
    expect(journey.client.page!.path).toBe('/hosted/kyc');
    const asked = about.filter((id) => id === journey.key.journeyId).length;
    expect(asked).toBeGreaterThanOrEqual(60);
    // Each has the background ask once besides, as the visit has.
    expect(asked).toBeLessThanOrEqual(121);
  });

  it('for a verdict once when it asks to be left alone for an hour, however often they are opened', async () => {
    const journey = await StepJourney.at('KYC_PENDING', service);
    const about: string[] = [];
    vi.spyOn(service.get(SandboxLender), 'ask').mockImplementation((question) => {
      about.push(question.subjectId);
      return Promise.resolve({ status: 'PENDING', isSessionOpen: true, askAgainInMs: HOUR });
    });
    expect(await openOften(journey, () => '/hosted/returned/KYC', 10)).toEqual([200]);
    expect(about.filter((id) => id === journey.key.journeyId)).toHaveLength(1);
  });
});
