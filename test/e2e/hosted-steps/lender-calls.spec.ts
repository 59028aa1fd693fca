import { describe, expect, it, vi } from 'vitest';
import { Logger } from '@nestjs/common';
import { HostedChoices } from '../../../src/journeys/index.js';
import { type LenderReply, LenderUnavailable } from '../../../src/lenders/index.js';
import { SandboxLender } from '../../../src/sandbox/index.js';
import { atOffers, hostedService, setTaken, StepJourney } from './step-journey.js';

const HOUR = 3_600_000;

const service = hostedService();

/** A journey at the identity check with this reply of its lender; counts the questions. */
async function atKyc(reply: LenderReply) {
  const journey = await StepJourney.at('KYC_PENDING', service);
  const asked = { count: 0 };
  vi.spyOn(service.get(SandboxLender), 'ask').mockImplementation(({ subjectId }) => {
    if (subjectId === journey.key.journeyId) asked.count += 1;
    return Promise.resolve(reply);
  });
  const comeBack = async (times: number) => {
    for (let count = 0; count < times; count += 1) {
      const { status, path } = await journey.client.open('/hosted/returned/KYC');
      expect([status, path]).toEqual([200, '/hosted/kyc']);
    }
    return asked.count;
  };
  return { journey, comeBack };
}

describe('one journey’s pages have its lender asked', () => {
  it('for 120 quotes an hour at most, and then say when there are more', async () => {
    const { journey, client, offer, path } = await atOffers(service);
    const quote = vi.spyOn(service.get(SandboxLender), 'quote');
    const open = async (amount: number) =>
      (await client.open(`${path}/confirm?amount=${amount}`)).status;
    expect(await open(100_000)).toBe(200);
    await setTaken(journey, 'QUOTES_OF_JOURNEY', 119);
    expect([await open(100_001), await open(100_002)]).toEqual([200, 429]);
    const chosen = service.get<HostedChoices>(HostedChoices).chooseOffer(journey.key, {
      offerId: offer.offerId,
      loanAmount: offer.amount,
      keyFactsHash: 'not the one that was shown',
      keyFactsIssuedAt: service.now().toISOString(),
      language: 'en',
    });
    await expect(chosen).rejects.toMatchObject({ code: 'rate_limited' });
    expect(quote).toHaveBeenCalledTimes(2);
  });

  it('for a session every ten seconds, and 30 an hour at most: until then reloads lead to the session that was opened, or wait', async () => {
    const journey = await StepJourney.at('KYC_PENDING', service);
    const link = new URL((await journey.view()).redirect!.url).pathname;
    const open = vi.spyOn(service.get(SandboxLender), 'openSession');
    const errors = vi.spyOn(Logger.prototype, 'error');
    const reload = () => journey.client.get(link);
    const visit = async () => {
      await service.travel(10_001);
      const page = await reload();
      expect(page.headers.has('retry-after')).toBe(page.status !== 303);
      return page;
    };
    open.mockRejectedValueOnce(new LenderUnavailable('down'));
    expect((await visit()).status).toBe(503);
    expect(errors).not.toHaveBeenCalled();
    const waiting = await reload();
    expect([waiting.status, waiting.heading]).toEqual([200, 'One moment']);
    expect(waiting.text).toContain('http-equiv="refresh"');
    const { location } = await visit();
    expect((await reload()).location).toBe(location);
    expect(open).toHaveBeenCalledTimes(2);
    expect((await visit()).location).toBe(location);
    await setTaken(journey, 'SESSIONS_OF_JOURNEY', 29);
    // A failed attempt to open a session does not count: the page retries automatically.
    for (let away = 0; away < 2; away += 1) {
      open.mockRejectedValueOnce(new LenderUnavailable('down'));
      expect((await visit()).status).toBe(503);
    }
    expect((await visit()).status).toBe(303);
    const refused = await visit();
    expect(refused.status).toBe(429);
    expect(refused.text).toMatch(
      /You can try again after <strong>\d+\s\w+\s\d{4}, [\d:]+\s[ap]m(?: \([^)]+\))?<\/strong>\./,
    );
    expect(refused.text).not.toContain('class="btn"');
    expect(open).toHaveBeenCalledTimes(6);
    await service.travel(HOUR);
    expect((await visit()).status).toBe(303);
  });

  it('for 60 verdicts an hour at most, and lead on all the same', async () => {
    const { journey, comeBack } = await atKyc({ status: 'PENDING', isSessionOpen: true });
    await comeBack(1);
    await setTaken(journey, 'VERDICTS_OF_JOURNEY', 59);
    const before = await comeBack(1);
    expect(before).toBeGreaterThanOrEqual(2);
    // The background asks besides.
    expect((await comeBack(6)) - before).toBeLessThan(4);
  });

  it('for a verdict once when it asks to be left alone for an hour, however often they are opened', async () => {
    const reply = { status: 'PENDING', isSessionOpen: true, askAgainInMs: HOUR } as const;
    const { comeBack } = await atKyc(reply);
    expect(await comeBack(4)).toBe(1);
  });
});
