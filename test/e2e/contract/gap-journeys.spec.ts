import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { QuoteRequest } from '../../../src/lenders/index.js';
import { SandboxLender } from '../../../src/sandbox/index.js';
import { eventually } from '../../support/eventually.js';
import { JourneyBench, type TestJourney } from '../journeys/journey-bench.js';
import { ofFile } from '../../support/of-file.js';

const bench = ofFile(() => JourneyBench.open());

beforeAll(async () => {
  await bench.keepOneLender();
});

afterEach(() => {
  vi.restoreAllMocks();
});

async function atStep(state: string): Promise<TestJourney> {
  const journey = await bench.startWithOffers();
  await journey.goOnTo(state);
  return journey;
}

describe('a callback', () => {
  it('moves the journey though an action holds its lease', async () => {
    const journey = await atStep('KYC_PENDING');
    await bench.query(
      `UPDATE journeys SET lease_until = app_now() + interval '30 seconds' WHERE id = $1`,
      [journey.id],
    );
    const reference = await journey.redirectId('KYC');
    await bench.deliverTo(journey.id, { kind: 'PASSED' }, { kind: 'KYC', reference });
    expect((await journey.read()).state).toBe('BANK_ACCOUNT_PENDING');
  });
});

describe('a call to a lender', () => {
  function holdQuotes() {
    const asked: QuoteRequest[] = [];
    vi.spyOn(bench.service.get(SandboxLender), 'quote').mockImplementation((request) => {
      asked.push(request);
      return new Promise(() => undefined);
    });
    return asked;
  }

  it('ends within ten seconds, holds no transaction open meanwhile, and changes nothing', async () => {
    const journey = await bench.startWithOffers();
    const asked = holdQuotes();
    const timers = vi.spyOn(globalThis, 'setTimeout');
    const answer = journey.select();
    await eventually(() => asked.length === 1);
    const deadline = timers.mock.calls.findLast(([, ms]) => ms === 10_000)!;
    // Other transactions are short; one that waits for a lender would remain.
    await eventually(async () => {
      const held = await bench.query(
        `SELECT query FROM pg_stat_activity
         WHERE datname = current_database() AND state LIKE 'idle in transaction%'`,
      );
      expect(held).toEqual([]);
    });
    deadline[0]();
    const { status, json } = await answer;
    expect([status, json.code]).toEqual([503, 'lender_unavailable']);
    expect((await journey.read()).state).toBe('OFFERS_RECEIVED');
    vi.restoreAllMocks();
    expect((await journey.select()).status).toBe(200);
  });
});

describe('the Key Facts Statement', () => {
  it('is frozen under its template’s version, and cited by its hash where the loan is signed', async () => {
    const journey = await atStep('ESIGN_PENDING');
    const openSession = vi.spyOn(bench.service.get(SandboxLender), 'openSession');
    await journey.providerPage();
    const [frozen] = await bench.query<{ content_hash: string; template_version: string }>(
      'SELECT content_hash, template_version FROM key_facts_statements WHERE journey_id = $1',
      [journey.id],
    );
    const [[request]] = openSession.mock.calls;
    expect(frozen.template_version).toMatch(/^\d+$/);
    expect(request.step).toBe('ESIGN');
    expect(request.payload.keyFactsHash).toBe(frozen.content_hash);
  });

  it('explains what the gold is good for', async () => {
    const journey = await bench.startWithOffers({ productCode: 'ONLINE_GOLD' });
    const [{ kfsLink }] = await journey.offers();
    const { text } = await bench.browse(kfsLink);
    expect(text).toContain('Your gold');
    expect(text).toMatch(/42\.5 g of gold at ₹[\d,]+ a gram is worth ₹[\d,]+/);
  });

  it('shows the lender’s charges, grievance officer, cooling-off and every instalment', async () => {
    const journey = await bench.startWithOffers();
    const [offer] = await journey.offers();
    const { text } = await bench.browse(offer.kfsLink);
    for (const part of ['Stamp duty', 'Late payment', 'Sharmila Deshpande', 'Clause 14.2']) {
      expect(text).toContain(part);
    }
    expect(text.match(/<tr><th scope="row">\d+<\/th>/g)).toHaveLength(offer.tenure);
  });
});
