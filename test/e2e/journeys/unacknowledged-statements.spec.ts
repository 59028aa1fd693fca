import { describe, expect, it, vi } from 'vitest';
import { NotedReturns } from '../../../src/journeys/redirects/noted-returns.js';
import { ENVIRONMENT, type Environment } from '../../../src/platform/index.js';
import { StepJourney } from '../hosted-steps/step-journey.js';
import { acknowledgementBench, expectProvider, SHOWN } from './acknowledgement-bench.js';

const bench = acknowledgementBench();

describe('a return without a visit', () => {
  it('counts for both in the sandbox, once', async () => {
    const { journey } = await bench.chosen();
    expect((await journey.returned('KYC')).status).toBe(200);
    expect(await bench.standingOf(journey)).toMatchObject({ by: 'SANDBOX_RETURN', audits: 1 });
    await journey.complete();
    expect(await bench.standingOf(journey)).toMatchObject({ by: 'SANDBOX_RETURN', audits: 1 });
    expect(bench.opened).toEqual([]);
  });

  it('proves nothing in production: the next link shows the statement', async () => {
    const { journey, path } = await bench.chosen();
    const mode: Environment['mode'] = 'production';
    const environment = { ...bench.journeys.service.get<Environment>(ENVIRONMENT), mode };
    const returns = bench.journeys.service.get(NotedReturns);
    const inProduction = Object.create(returns, { environment: { value: environment } }) as object;
    vi.spyOn(returns, 'note').mockImplementation(
      NotedReturns.prototype.note.bind(inProduction as NotedReturns),
    );
    const asked = vi.spyOn(bench.journeys.lender, 'ask');
    const { currentNextAction } = await journey.read();
    const { status, json } = await journey.returned('KYC');
    expect([status, json.data.nextAction]).toEqual([200, currentNextAction]);
    expect(asked).not.toHaveBeenCalled();
    expect(await bench.standingOf(journey)).toMatchObject(SHOWN);
    await bench.reading(path);
  });
});

it('a hosted journey has acknowledged on its page of confirmation: its links lead to the provider at once', async () => {
  const journey = await StepJourney.at(
    'OFFERS_RECEIVED',
    bench.journeys.service,
    {},
    { language: 'hi' },
  );
  await journey.driveTo('KYC_PENDING');
  const { redirect } = await journey.view();
  const standing = await bench.standingOf(journey.start);
  expect(standing).toMatchObject({ by: 'CONFIRMATION', language: 'hi', audits: 1 });
  expect(standing.hash).toBe(standing.contentHash);
  expectProvider(await journey.client.get(new URL(redirect!.url).pathname));
  expect(bench.opened.at(-1)!.payload.acknowledgement).toEqual({
    keyFactsHash: standing.contentHash,
    acknowledgedAt: standing.at!.toISOString(),
    language: 'hi',
  });
});
