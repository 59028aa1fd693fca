import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  LenderUnavailable,
  type SelectionVerdict,
  type SelectRequest,
} from '../../../src/lenders/index.js';
import { OrphanedActionsTasks } from '../../../src/journeys/background/journey.tasks.js';
import { IntentsRepository } from '../../../src/journeys/store/intents.repository.js';
import { eventually } from '../../support/eventually.js';
import { MINUTE, type TestJourney, refusal, journeyBench } from './journey-bench.js';

const bench = journeyBench();

afterEach(async () => {
  await bench.query(
    `UPDATE journey_intents SET status = 'WITHDRAWN' WHERE partner_id = $1 AND status = 'OPEN'`,
    [bench.service.partnerId],
  );
});

/** Sets the lenders' answer to every choice, and records their questions. */
function onSelect(answer: (request: SelectRequest) => Promise<SelectionVerdict>): SelectRequest[] {
  const asked: SelectRequest[] = [];
  vi.spyOn(bench.lender, 'select').mockImplementation((request) => {
    asked.push(request);
    return answer(request);
  });
  return asked;
}

const accepted = (): Promise<SelectionVerdict> =>
  Promise.resolve({ kind: 'ACCEPTED', applicationReference: 'APP-1', keyFactsSignature: 'a.b.c' });
const PAUSE = 4_000;
const away = () => Promise.reject(new LenderUnavailable('down'));

function resolveOrphans(): Promise<void> {
  return bench.service.get(OrphanedActionsTasks).run();
}

async function intentsOf({ id }: TestJourney) {
  return bench.query<{ id: string; status: string; secondsLeft: number }>(
    `SELECT id, status, extract(epoch FROM next_attempt_at - app_now())::float AS "secondsLeft"
     FROM journey_intents WHERE journey_id = $1 ORDER BY created_at, id`,
    [id],
  );
}

async function statementsOf({ id }: TestJourney) {
  return bench.query<{ hash: string; signature: string | null }>(
    `SELECT content_hash AS hash, lender_signature AS signature
     FROM key_facts_statements WHERE journey_id = $1`,
    [id],
  );
}

describe('the choice of an offer', () => {
  it('is sent to its lender with the statement’s hash, and kept with the lender’s reference and signature', async () => {
    const asked = onSelect(accepted);
    const journey = await bench.startWithOffers();
    expect((await journey.select({ loanAmount: 150_000 })).status).toBe(200);
    const [row] = await bench.query<{ offerReference: string; selection: object }>(
      `SELECT lender_reference AS "offerReference", selection FROM journey_offers AS o
       JOIN journeys AS j ON j.selected_offer_id = o.id WHERE j.id = $1`,
      [journey.id],
    );
    expect(row.selection).toMatchObject({ applicationReference: 'APP-1' });
    const [{ hash, signature }] = await statementsOf(journey);
    expect(signature).toBe('a.b.c');
    expect(asked).toMatchObject([
      {
        subjectId: journey.id,
        offerReference: row.offerReference,
        loanAmount: 150_000_00,
        keyFactsHash: hash,
      },
    ]);
    // The partner made the choice: the applicant acknowledged nothing on a page of the service.
    expect(asked[0].payload.acknowledgement).toBeUndefined();
  });

  it('is 409 when the lender says GONE: the offer is left out, and other offers stay', async () => {
    const journey = await bench.startWithOffers();
    const before = await journey.read();
    const [first, ...others] = before.offers;
    onSelect(() => Promise.resolve({ kind: 'GONE', reason: 'WITHDRAWN' }));
    const refused = await journey.select({ offerId: first.offerId });
    expect(refusal(refused)).toEqual([409, 'offer_expired']);
    expect(refused.json.error).toMatch(/^The lender withdrew this offer/);
    expect(await journey.read()).toEqual({
      ...before,
      offers: others.map((one, index) => ({ ...one, rank: index + 1 })),
      updatedAt: expect.any(String),
    });
    expect(await statementsOf(journey)).toEqual([]);
    vi.restoreAllMocks();
    expect((await journey.select({ offerId: others[0].offerId })).status).toBe(200);
  });

  it.each([
    ['leaves the offer out', 'the whole amount', undefined],
    ['keeps the offer', 'a smaller amount', 150_000],
  ])('%s when the lender quotes %s as GONE', async (does, _, loanAmount) => {
    const journey = await bench.startWithOffers();
    const [{ offerId }] = await journey.offers();
    vi.spyOn(bench.lender, 'quote').mockResolvedValueOnce(null);
    expect(refusal(await journey.select({ offerId, loanAmount }))).toEqual([409, 'offer_expired']);
    const left = (await journey.offers()).map((one) => one.offerId);
    expect(left.includes(offerId)).toBe(does === 'keeps the offer');
  });

  it('has the lenders asked again when the last offer is GONE', async () => {
    const journey = await bench.startWithOffers();
    const [{ offerId }] = await journey.offers();
    await bench.query(
      'UPDATE journey_offers SET valid_until = app_now() WHERE journey_id = $1 AND id <> $2',
      [journey.id, offerId],
    );
    onSelect(() => Promise.resolve({ kind: 'GONE', reason: 'EXPIRED' }));
    expect(refusal(await journey.select({ offerId }))).toEqual([409, 'offer_expired']);
    const { offers } = await journey.reaches('OFFERS_RECEIVED');
    expect(offers.map((one) => one.offerId)).not.toContain(offerId);
    expect((await journey.questions()).map(({ reference }) => reference)).toContain('2');
  });
});

describe('a choice of which it is unknown whether the lender took it', () => {
  async function offerOf({ id }: TestJourney, lender?: string): Promise<string> {
    const [offer] = await bench.query<{ id: string }>(
      `SELECT id FROM journey_offers WHERE journey_id = $1 AND lender_code = coalesce($2, lender_code)`,
      [id, lender],
    );
    return offer.id;
  }

  async function leftOpen(lender?: string): Promise<TestJourney> {
    const journey = await bench.startWithOffers();
    const answer = await journey.select({ offerId: await offerOf(journey, lender) });
    expect(refusal(answer)).toEqual([503, 'lender_unavailable']);
    expect(await intentsOf(journey)).toMatchObject([{ status: 'OPEN' }]);
    return journey;
  }

  it('is stored as it is sent, before it is sent', async () => {
    const kept: boolean[] = [];
    const bodies: (string | null)[] = [];
    onSelect(async ({ subjectId, sent }) => {
      bodies.push(sent!.before);
      await sent!.sending('the body');
      const [row] = await bench.query<{ isKept: boolean }>(
        'SELECT sent_sealed IS NOT NULL AS "isKept" FROM journey_intents WHERE journey_id = $1',
        [subjectId],
      );
      kept.push(row.isKept);
      return bodies.length === 1 ? away() : accepted();
    });
    const journey = await leftOpen();
    await bench.service.travel(PAUSE);
    await journey.read();
    await journey.select({ offerId: await offerOf(journey) });
    expect([kept, bodies]).toEqual([
      [true, true],
      [null, 'the body'],
    ]);
  });

  it('is 503, is asked about again after a wait that doubles, and by the next action under the same id, of the same statement', async () => {
    const lost = onSelect(away);
    const journey = await leftOpen();
    const waits = [(await intentsOf(journey))[0].secondsLeft];
    await bench.service.travel(MINUTE);
    expect((await journey.select()).status).toBe(503);
    waits.push((await intentsOf(journey))[0].secondsLeft);
    expect(waits.map((seconds) => seconds > 3 && seconds <= 6)).toEqual([true, false]);
    expect(waits.map((seconds) => seconds > 8 && seconds <= 12)).toEqual([false, true]);
    vi.restoreAllMocks();
    // A retry does not quote again, even though the offer has expired.
    const quote = vi.spyOn(bench.lender, 'quote').mockImplementation(away);
    const [{ offerId }] = await journey.offers();
    await bench.query(
      `UPDATE journey_offers SET valid_until = app_now() - interval '1 minute' WHERE journey_id = $1`,
      [journey.id],
    );
    const asked = onSelect(accepted);
    // A waiting caller may trigger an early retry, but only after a pause.
    expect((await journey.select({ offerId })).status).toBe(503);
    expect(asked).toHaveLength(0);
    await bench.service.travel(PAUSE);
    // The interrupted choice has completed.
    expect(refusal(await journey.select({ offerId }))).toEqual([409, 'wrong_step']);
    expect(quote).not.toHaveBeenCalled();
    expect((await journey.read()).state).toBe('KYC_PENDING');
    const all = [...lost, ...asked];
    expect(all.length).toBeGreaterThanOrEqual(3);
    expect(new Set(all.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
    const [{ hash }] = await statementsOf(journey);
    expect(new Set(all.map(({ keyFactsHash }) => keyFactsHash))).toEqual(new Set([hash]));
    expect(await intentsOf(journey)).toMatchObject([{ status: 'COMPLETED' }]);
  });

  it('is given up when it was asked about for as long as lenders are waited for', async () => {
    onSelect(away);
    const journey = await leftOpen('navdhara');
    await bench.service.travel(31 * MINUTE);
    await resolveOrphans();
    const [intent] = await intentsOf(journey);
    expect(intent.status).toBe('WITHDRAWN');
    vi.restoreAllMocks();
    // The lender may have accepted it, so it gets a withdrawal. It could not distinguish a second choice from the first.
    expect(await journey.withdrawals()).toMatchObject([
      { lender: 'navdhara', reference: intent.id },
    ]);
    const offerId = await offerOf(journey, 'navdhara');
    expect((await journey.select({ offerId })).json.code).toBe('offer_expired');
    // The withdrawn offer is no longer shown.
    expect((await journey.select()).status).toBe(200);
  });

  it('is not withdrawn when it was taken and could not be recorded, and is completed in the background', async () => {
    const asked = onSelect(accepted);
    const lock = `ALTER TABLE key_facts_statements ADD CONSTRAINT none CHECK (false) NOT VALID`;
    await bench.query(lock);
    const journey = await leftOpen();
    // Another replica cannot record it either.
    await bench.service.travel(MINUTE);
    await resolveOrphans();
    expect(await intentsOf(journey)).toMatchObject([{ status: 'OPEN' }]);
    await bench.query('ALTER TABLE key_facts_statements DROP CONSTRAINT none');
    await bench.service.travel(MINUTE);
    await resolveOrphans();
    expect((await journey.read()).state).toBe('KYC_PENDING');
    expect(new Set(asked.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
  });

  it('is not asked about before its lender wants it', async () => {
    onSelect(() => Promise.reject(new LenderUnavailable('busy', { askAgainInMs: 600_000 })));
    const [{ secondsLeft }] = await intentsOf(await leftOpen());
    expect(secondsLeft).toBeGreaterThan(590);
  });

  it('keeps no other lender’s waiting, and asks no lender about more than two at once', async () => {
    onSelect(away);
    for (let count = 0; count < 4; count += 1) await leftOpen('navdhara');
    const other = await leftOpen('kaverisetu');
    vi.restoreAllMocks();
    const silent = Promise.withResolvers<never>();
    const asked = onSelect(({ lender }) =>
      lender.code === 'navdhara' ? silent.promise : accepted(),
    );
    await bench.service.travel(2 * MINUTE);
    const pass = resolveOrphans();
    await other.reaches('KYC_PENDING');
    const ofNavdhara = () => asked.filter(({ lender }) => lender.code === 'navdhara');
    await eventually(() => expect(ofNavdhara()).toHaveLength(2));
    silent.reject(new LenderUnavailable('down'));
    await pass;
    // The scheduled pass may have taken some of them.
    await eventually(() => {
      expect(new Set(ofNavdhara().map(({ subjectId }) => subjectId)).size).toBe(4);
    });
  });

  it('is claimed by one replica alone', async () => {
    onSelect(away);
    const journeys = [await leftOpen(), await leftOpen()];
    await bench.service.travel(2 * MINUTE);
    const intents = bench.service.get(IntentsRepository);
    const room = { most: 8, aLender: 2, busy: new Map<string, number>() };
    const claims = await Promise.all([1, 2, 3].map(() => intents.claimOrphans(room)));
    const claimed = claims.flat().map(({ journeyId }) => journeyId);
    expect(claimed.toSorted()).toEqual(journeys.map(({ id }) => id).toSorted());
  });
});
