import { describe, expect, it } from 'vitest';
import { formOf, type HostedClient, plain } from '../../support/hosted-client.js';
import { MANDATE_STAYS, wordsOf } from '../hosted-steps/step-journey.js';
import { acknowledgementBench, linkOf, SHOWN } from './acknowledgement-bench.js';
import type { TestJourney } from './journey-bench.js';

const QUESTION = 'Stop applying?';
const STOPPED = 'You stopped this application';

const bench = acknowledgementBench();

/** Opens the question from the first link's page. */
async function atQuestion(path: string): Promise<HostedClient> {
  const client = await bench.reading(path);
  expect(client.page!.text).toContain(`href="${path}/stop"`);
  expect((await client.get(`${path}/stop`)).heading).toBe(QUESTION);
  return client;
}

async function outcomeOf(journey: TestJourney): Promise<unknown[]> {
  const { state, outcomeReason } = await journey.read();
  return [state, outcomeReason ?? null];
}

describe('a no by the link of a headless journey', () => {
  it('is asked about first, with what it costs; then the journey ends: partner and lender are notified, nothing is agreed', async () => {
    const { journey, path } = await bench.chosen();
    const [client, ...others] = [await atQuestion(path), await atQuestion(path)];
    const reader = await bench.reading(path);
    const question = client.page!;
    expect(wordsOf(question)).toContain('It’s free: you owe nothing.');
    expect(question.text).toContain(`href="${path}">Keep applying`);
    const { hidden } = formOf(question);
    expect((await bench.browser().post(`${path}/stop`, hidden)).status).toBe(403);
    expect(await outcomeOf(journey)).toEqual(['KYC_PENDING', null]);

    // All browsers submit at once.
    for (const sent of await Promise.all([client, ...others].map((one) => one.submit()))) {
      expect([sent.status, sent.location]).toEqual([303, `${path}/stop`]);
    }
    const names = await journey.eventNames();
    expect(names.filter((name) => name === 'journey.abandoned')).toHaveLength(1);
    const page = await client.get(`${path}/stop`);
    expect([page.status, page.heading]).toEqual([200, STOPPED]);
    expect(wordsOf(page)).toContain('You owe nothing.');
    const back = new URL(
      plain(/class="btn" href="([^"]+)"/.exec(page.text)![1]),
      bench.journeys.service.baseUrl,
    );
    expect(Object.fromEntries(back.searchParams)).toEqual({
      journeyId: journey.id,
      outcome: 'ABANDONED',
    });
    const sent = { withdrawal: { reason: 'CONSENT_WITHDRAWN' } };
    expect(await journey.withdrawals()).toMatchObject([{ lender: 'navdhara', payload: sent }]);
    // Neither the partner's call nor an open page can revive it.
    const returned = await journey.returned('KYC');
    expect(returned.json.data.nextAction.type).toBe('JOURNEY_ABANDONED');
    await reader.submit({ hasRead: '1' });
    expect(await outcomeOf(journey)).toEqual(['ABANDONED', 'CONSENT_WITHDRAWN']);
    expect(await bench.standingOf(journey)).toMatchObject(SHOWN);
    expect(bench.opened).toEqual([]);
  });

  it('after the mandate says that it stays at the bank, and cannot be said once the applicant has signed', async () => {
    const { journey } = await bench.chosen();
    await journey.goOnTo('ESIGN_PENDING');
    const link = await linkOf(journey);
    const client = bench.browser();
    const question = await client.get(`${link}/stop`);
    expect(question.heading).toBe(QUESTION);
    expect(wordsOf(question)).toContain(MANDATE_STAYS);
    await bench.approve(await client.copy().get(link));
    await client.submit();
    expect((await journey.reaches('SANCTIONED')).state).toBe('SANCTIONED');
  });

  it('can be said after the acknowledgement, too, but not by the link of a step that is over', async () => {
    const { journey, path } = await bench.chosen();
    const client = await atQuestion(path);
    const late = await atQuestion(path);
    const provider = await (await bench.reading(path)).submit({ hasRead: '1' });
    expect((await client.get(`${path}/stop`)).heading).toBe(QUESTION);
    await bench.approve(provider);
    await journey.reaches('BANK_ACCOUNT_PENDING');
    await late.submit();
    expect((await client.get(`${path}/stop`)).location).toBe(path);
    expect(await outcomeOf(journey)).toEqual(['BANK_ACCOUNT_PENDING', null]);
  });
});
