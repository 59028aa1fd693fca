import { describe, expect, it, vi } from 'vitest';
import {
  LenderUnavailable,
  type SelectionVerdict,
  type SelectRequest,
} from '../../../src/lenders/index.js';
import { OrphanedActionsTasks } from '../../../src/journeys/background/journey.tasks.js';
import { SandboxLender } from '../../../src/sandbox/index.js';
import { MINUTE, type TestJourney, refusal, journeyBench } from './journey-bench.js';

const bench = journeyBench();

/** The lenders give this answer to every choice; the questions are recorded. */
function onSelect(answer: () => Promise<SelectionVerdict>): SelectRequest[] {
  const asked: SelectRequest[] = [];
  vi.spyOn(bench.service.get(SandboxLender), 'select').mockImplementation((request) => {
    asked.push(request);
    return answer();
  });
  return asked;
}

const accepted = (): Promise<SelectionVerdict> =>
  Promise.resolve({ kind: 'ACCEPTED', applicationReference: 'APP-1', keyFactsSignature: 'a.b.c' });

const PAUSE = 4_000;

const away = () => Promise.reject(new LenderUnavailable('down'));

async function intentsOf({ id }: TestJourney) {
  return bench.query<{ id: string; status: string }>(
    'SELECT id, status FROM journey_intents WHERE journey_id = $1 ORDER BY created_at, id',
    [id],
  );
}

async function frozenHash({ id }: TestJourney): Promise<string> {
  const [row] = await bench.query<{ hash: string }>(
    'SELECT content_hash AS hash FROM key_facts_statements WHERE journey_id = $1',
    [id],
  );
  return row.hash;
}

describe('the choice of an offer', () => {
  it('is sent to its lender, whose reference every later question has', async () => {
    const asked = onSelect(accepted);
    const journey = await bench.startWithOffers();
    const lender = bench.service.get(SandboxLender);
    const ask = vi.spyOn(lender, 'ask');
    const verify = vi.spyOn(lender, 'verifyAccount');
    expect((await journey.select({ loanAmount: 150_000 })).status).toBe(200);
    await journey.complete();

    const [offer] = await bench.query<{ reference: string }>(
      `SELECT lender_reference AS reference FROM journey_offers AS o
       JOIN journeys AS j ON j.selected_offer_id = o.id WHERE j.id = $1`,
      [journey.id],
    );
    expect(asked).toMatchObject([
      {
        subjectId: journey.id,
        offerReference: offer.reference,
        loanAmount: 150_000_00,
        keyFactsHash: await frozenHash(journey),
      },
    ]);
    // The partner made the choice: the applicant acknowledged nothing on a page of the service.
    expect(asked[0].payload.acknowledgement).toBeUndefined();
    const later = [...ask.mock.calls, ...verify.mock.calls].filter(
      ([one]) =>
        one.subjectId === journey.id &&
        !('kind' in one && ['OFFERS', 'WITHDRAWAL'].includes(one.kind)),
    );
    expect(later.length).toBeGreaterThan(3);
    for (const [{ payload }] of later) expect(payload.applicationReference).toBe('APP-1');
    const [{ selection }] = await bench.query<{ selection: object }>(
      'SELECT selection FROM journeys WHERE id = $1',
      [journey.id],
    );
    expect(selection).toMatchObject({ applicationReference: 'APP-1' });
    const [{ signature }] = await bench.query<{ signature: string }>(
      'SELECT lender_signature AS signature FROM key_facts_statements WHERE journey_id = $1',
      [journey.id],
    );
    expect(signature).toBe('a.b.c');
  });

  it('is 409 when the lender says GONE, and other offers stay', async () => {
    const journey = await bench.startWithOffers();
    const [first, second] = await journey.offers();
    const before = await journey.read();
    onSelect(() => Promise.resolve({ kind: 'GONE', reason: 'WITHDRAWN' }));
    const refused = await journey.select({ offerId: first.offerId });
    expect([refused.status, refused.json.code]).toEqual([409, 'offer_expired']);
    expect(refused.json.error).toMatch(/^The lender withdrew this offer/);
    expect(await journey.read()).toEqual({ ...before, updatedAt: expect.any(String) });
    expect(
      await bench.query('SELECT 1 FROM key_facts_statements WHERE journey_id = $1', [journey.id]),
    ).toEqual([]);
    vi.restoreAllMocks();
    expect((await journey.select({ offerId: second.offerId })).status).toBe(200);
  });
});

describe('a choice of which it is unknown whether the lender took it', () => {
  it('is 503, and the next action asks again under the same id, of the same statement', async () => {
    const journey = await bench.startWithOffers();
    const [{ offerId }] = await journey.offers();
    const lost = onSelect(away);
    expect(refusal(await journey.select({ offerId }))).toEqual([503, 'lender_unavailable']);
    expect(await intentsOf(journey)).toMatchObject([{ status: 'OPEN' }]);
    await bench.service.travel(MINUTE);
    expect(refusal(await journey.select({ offerId }))).toEqual([503, 'lender_unavailable']);
    vi.restoreAllMocks();
    // It is not quoted again, even though the offer has expired meanwhile.
    const quote = vi.spyOn(bench.service.get(SandboxLender), 'quote').mockImplementation(away);
    await bench.query(
      `UPDATE journey_offers SET valid_until = app_now() - interval '1 minute' WHERE journey_id = $1`,
      [journey.id],
    );
    const asked = onSelect(accepted);
    // A waiting caller may trigger an early retry, but only after a pause.
    expect(refusal(await journey.select({ offerId }))).toEqual([503, 'lender_unavailable']);
    expect(asked).toHaveLength(0);
    await bench.service.travel(PAUSE);
    const late = await journey.select({ offerId });
    expect(quote).not.toHaveBeenCalled();
    // The choice that was in progress is complete now.
    expect([late.status, late.json.code]).toEqual([409, 'wrong_step']);
    expect((await journey.read()).state).toBe('KYC_PENDING');
    const all = [...lost, ...asked];
    expect(all.length).toBeGreaterThanOrEqual(3);
    expect(new Set(all.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
    expect(new Set(all.map(({ keyFactsHash }) => keyFactsHash))).toEqual(
      new Set([await frozenHash(journey)]),
    );
    expect(await intentsOf(journey)).toMatchObject([{ status: 'COMPLETED' }]);
  });

  it('is given up when it was asked about for as long as lenders are waited for', async () => {
    const journey = await bench.startWithOffers();
    const [first, second] = await journey.offers();
    onSelect(away);
    expect((await journey.select({ offerId: first.offerId })).status).toBe(503);
    await bench.service.travel(31 * MINUTE);
    await bench.service.get(OrphanedActionsTasks).run();
    const intents = await intentsOf(journey);
    expect(intents).toMatchObject([{ status: 'WITHDRAWN' }]);
    vi.restoreAllMocks();
    // The lender may have accepted it, so it gets a withdrawal. It could not distinguish a second choice from the first.
    const [{ reference }] = await bench.query<{ reference: string }>(
      `SELECT q.reference FROM lender_questions AS q
       JOIN journey_offers AS o ON o.lender_code = q.lender_code AND o.journey_id = q.subject_id
       WHERE o.id = $1 AND q.kind = 'WITHDRAWAL'`,
      [first.offerId],
    );
    expect(reference).toBe(intents[0].id);
    expect((await journey.select({ offerId: first.offerId })).json.code).toBe('offer_expired');
    expect((await journey.select({ offerId: second.offerId })).status).toBe(200);
  });

  it('is not withdrawn when it was taken and could not be recorded', async () => {
    const journey = await bench.startWithOffers();
    const asked = onSelect(accepted);
    const lock = `ALTER TABLE key_facts_statements ADD CONSTRAINT none CHECK (false) NOT VALID`;
    await bench.query(lock);
    expect((await journey.select()).status).toBe(503);
    expect(await intentsOf(journey)).toMatchObject([{ status: 'OPEN' }]);
    // A replica that takes it over cannot record it either.
    await bench.service.travel(MINUTE);
    await bench.service.get(OrphanedActionsTasks).run();
    expect(await intentsOf(journey)).toMatchObject([{ status: 'OPEN' }]);
    await bench.query('ALTER TABLE key_facts_statements DROP CONSTRAINT none');
    await bench.service.travel(MINUTE);
    await bench.service.get(OrphanedActionsTasks).run();
    expect((await journey.read()).state).toBe('KYC_PENDING');
    expect(new Set(asked.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
  });
});
