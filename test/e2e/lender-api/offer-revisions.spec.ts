import { afterEach, describe, expect, it, vi } from 'vitest';
import { SandboxLender } from '../../../src/sandbox/index.js';
import { eventually } from '../../support/eventually.js';
import { HostedClient } from '../../support/hosted-client.js';
import { expectProvider, HASH, linkOf } from '../journeys/acknowledgement-bench.js';
import { DAY } from '../journeys/journey-bench.js';
import { StepJourney } from '../hosted-steps/step-journey.js';
import { WAIT_MS } from '../journeys/test-journey.js';
import { CallbackBench, type TestJourney } from './callback-bench.js';
import { ofFile } from '../../support/of-file.js';

const WAIT = { withinMs: WAIT_MS };

const bench = ofFile(() => CallbackBench.open());

afterEach(() => {
  vi.restoreAllMocks();
});

/** ₹10,000 for a year at 12 percent, without charges: ₹888.49 a month. */
const OFFER = {
  reference: 'R-2',
  principal: 1_000_000,
  minimumAmount: 1_000_000,
  tenureMonths: 12,
  rate: { kind: 'FIXED', annualPercent: '12' },
  repayment: { kind: 'EMI', instalment: 88_800 } as object,
  apr: '12.00',
  netPayout: 1_000_000,
  fees: [],
};

async function chosen(): Promise<TestJourney> {
  const journey = await bench.journeys.startWithOffers();
  await journey.select();
  return journey;
}

async function revision(journey: Pick<TestJourney, 'id'>, offer: object = {}, more: object = {}) {
  const validUntil = new Date(bench.journeys.service.now().getTime() + 30 * DAY).toISOString();
  return {
    id: bench.newId(),
    ...(await bench.applicationOf(journey)),
    reason: 'GOLD_APPRAISED',
    revisedAt: '2026-11-25T09:00:00+05:30',
    offer: { ...OFFER, validUntil, ...offer },
    ...more,
  };
}

/** Drives the journey to the signature's page. */
async function signsNow(journey: TestJourney): Promise<void> {
  await journey.goOnTo('ESIGN_PENDING');
  await bench.journeys.visit(await journey.redirectUrl());
}

/** Gives the journey's offers the revision's reference. */
function nameTheSame({ id }: TestJourney) {
  const rename = 'UPDATE journey_offers SET lender_reference = $2 WHERE journey_id = $1';
  return bench.journeys.query(rename, [id, OFFER.reference]);
}

/** Makes the lender quote the revised offer. */
function quotesRevision(): void {
  const connector = bench.journeys.service.get<SandboxLender>(SandboxLender);
  const quote = connector.quote.bind(connector);
  vi.spyOn(connector, 'quote').mockImplementation(async (request) => {
    const quoted = await quote({ ...request, principal: 15_000_000 });
    if (request.offerReference !== OFFER.reference || !quoted) return quote(request);
    const { principal, minimumAmount, tenureMonths, netPayout: netDisbursed } = OFFER;
    const figures = { annualRatePercent: 12, apr: 12, instalment: 88_800, netDisbursed, fees: [] };
    return { ...quoted, principal, minimumAmount, tenureMonths, ...figures };
  });
}

async function offerIdOf({ id }: TestJourney): Promise<string> {
  const [offer] = await bench.journeys.query<{ id: string }>(
    'SELECT id FROM journey_offers WHERE journey_id = $1 AND lender_reference = $2',
    [id, OFFER.reference],
  );
  return offer.id;
}

/** Sends a revision and waits until it is processed. */
async function revised(journey: Pick<TestJourney, 'id'>, offer: object = {}): Promise<void> {
  const body = await revision(journey, offer);
  expect((await bench.lender.tell('offer-revisions', body)).status).toBe(202);
  await processed(body.id);
}

function processed(messageId: string): Promise<unknown> {
  return eventually(async () => {
    const rows = await bench.journeys.query(
      'SELECT 1 FROM lender_inbox WHERE answer_id = $1 AND consumed_at IS NOT NULL',
      [`revised/${messageId}`],
    );
    expect(rows).toHaveLength(1);
  }, WAIT);
}

describe('a revised offer', () => {
  it('that holds takes the place of the chosen one, once: it is to be chosen again', async () => {
    const journey = await chosen();
    const before = await journey.events();
    const body = await revision(journey);
    for (const _ of [1, 2]) {
      expect((await bench.lender.tell('offer-revisions', body)).status).toBe(202);
    }
    await processed(body.id);
    const { state, currentNextAction, selectedOffer } = await journey.read();
    expect([state, currentNextAction.type, selectedOffer]).toEqual([
      'OFFERS_RECEIVED',
      'SELECT_OFFER',
      null,
    ]);
    // The partner is notified; the operator is not.
    const names = (await journey.events()).slice(before.length).map(({ name }) => name);
    expect(names).toEqual(['journey.offers_received']);
    expect(await journey.flags()).toEqual([]);
    expect((await bench.kept('OFFER_REVISION')).at(-1)).toMatchObject({ messageId: body.id });
    const trail = await bench.journeys.query<{ trigger: string }>(
      'SELECT trigger FROM journey_audit WHERE journey_id = $1 ORDER BY id DESC LIMIT 2',
      [journey.id],
    );
    expect(trail.map(({ trigger }) => trigger)).toEqual(['OFFER_LET_GO', 'OFFER_REVISED']);
  });

  it('leaves nothing else to choose: not the offer before it, and none whose lender was notified of the choice', async () => {
    await bench.journeys.configure('UPDATE lenders SET is_enabled = true');
    const journey = await bench.journeys.startWithOffers();
    const [first] = await bench.journeys.query<{ id: string }>(
      `SELECT id FROM journey_offers WHERE journey_id = $1 AND lender_code = 'navdhara'`,
      [journey.id],
    );
    await journey.select({ offerId: first.id });
    await revised(journey);
    await bench.journeys.keepOneLender();
    const offers = await bench.journeys.query<{ id: string; reference: string }>(
      'SELECT id, lender_reference AS reference FROM journey_offers WHERE journey_id = $1',
      [journey.id],
    );
    expect(offers.length).toBeGreaterThan(2);
    const earlier = offers.filter(({ reference }) => reference !== OFFER.reference);
    for (const { id } of earlier) {
      expect((await journey.select({ offerId: id })).status).toBe(409);
    }
    quotesRevision();
    expect((await journey.select({ offerId: await offerIdOf(journey) })).status).toBe(200);
  });

  it('ends no other offer on the screens: the lenders are asked again when the last one expires', async () => {
    await bench.journeys.configure('UPDATE lenders SET is_enabled = true');
    const { start } = await StepJourney.at('KYC_PENDING', bench.journeys.service);
    await bench.journeys.keepOneLender();
    await bench.journeys.query(
      `UPDATE journey_offers SET valid_until = date_trunc('second', app_now()) + interval '20 days'
       WHERE journey_id = $1`,
      [start.id],
    );
    await revised(start, { validUntil: new Date(Date.now() + 10 * DAY).toISOString() });
    const [row] = await bench.journeys.query(
      `SELECT state, offers_due_at = max(o.valid_until) AS "isLast", count(*)::int AS offers
       FROM journeys AS j
       JOIN journey_offers AS o ON o.journey_id = j.id AND o.valid_until > app_now()
       WHERE j.id = $1 GROUP BY j.id`,
      [start.id],
    );
    expect(row).toEqual({ state: 'OFFERS_RECEIVED', isLast: true, offers: 3 });
  });

  it('is replaced by the next one before a choice, and ends no other offer of its lender early', async () => {
    bench.journeys.lendersOffer((offer) => [
      offer,
      { ...offer, reference: `${offer.reference}-b` },
    ]);
    const journey = await chosen();
    await bench.journeys.query(
      `UPDATE journey_offers SET valid_until = date_trunc('day', app_now()) + interval '60 days'
       WHERE journey_id = $1 AND id <> (SELECT selected_offer_id FROM journeys WHERE id = $1)`,
      [journey.id],
    );
    const about = await bench.applicationOf(journey);
    const standing = async () => {
      const offers = await bench.journeys.query<{ reference: string; isLast: boolean }>(
        `SELECT lender_reference AS reference, valid_until = offers_due_at AS "isLast"
         FROM journey_offers AS o JOIN journeys AS j ON j.id = o.journey_id
         WHERE j.id = $1 AND valid_until > app_now() ORDER BY o.created_at`,
        [journey.id],
      );
      return offers.map(({ reference, isLast }) => [reference, isLast]);
    };
    await revised(journey);
    expect(await standing()).toEqual([
      [expect.stringContaining('navdhara'), true],
      ['R-2', false],
    ]);
    const next = await revision(journey, { reference: 'R-5' }, about);
    expect((await bench.lender.tell('offer-revisions', next)).status).toBe(202);
    await processed(next.id);
    expect(await standing()).toEqual([
      [expect.stringContaining('navdhara'), true],
      ['R-5', false],
    ]);
    expect([(await journey.read()).state, await journey.flags()]).toEqual(['OFFERS_RECEIVED', []]);
  });

  it('waits for the end of an action that is under way', async () => {
    const journey = await chosen();
    const hold = (seconds: number) =>
      bench.journeys.query(
        `UPDATE journeys SET lease_until = app_now() + make_interval(secs => $2) WHERE id = $1`,
        [journey.id, seconds],
      );
    await hold(3_600);
    const body = await revision(journey);
    await bench.lender.tell('offer-revisions', body);
    await eventually(async () => {
      const [row] = await bench.journeys.query<{ waits: boolean }>(
        `SELECT next_attempt_at > received_at AS waits FROM lender_inbox WHERE answer_id = $1`,
        [`revised/${body.id}`],
      );
      expect(row.waits).toBe(true);
    }, WAIT);
    expect((await journey.read()).state).toBe('KYC_PENDING');
    await hold(-1);
    await bench.journeys.service.travel(11_000);
    await processed(body.id);
    expect((await journey.read()).state).toBe('OFFERS_RECEIVED');
  });

  it.each<[string, (journey: TestJourney) => Promise<unknown>]>([
    ['once the page of the signature was open', signsNow],
    ['under the reference of another one', nameTheSame],
  ])('%s is put before the operator, and moves nothing', async (_, goOn) => {
    const journey = await chosen();
    await goOn(journey);
    const other = await revision(journey, {}, { applicationReference: 'ANOTHER' });
    expect((await bench.lender.tell('offer-revisions', other)).status).toBe(404);
    const { state, selectedOffer } = await journey.read();
    await revised(journey);
    expect(await journey.flags()).toMatchObject([
      { kind: 'OFFER_REVISED', detail: { holds: true, principal: 1_000_000, apr: 12, state } },
    ]);
    expect(await journey.read()).toMatchObject({ state, selectedOffer });
  });

  it('above the requested amount is refused by its name, each time', async () => {
    const journey = await chosen();
    const connector = bench.journeys.service.get<SandboxLender>(SandboxLender);
    const ask = connector.ask.bind(connector);
    const refused: unknown[] = [];
    vi.spyOn(connector, 'ask').mockImplementation((question) => {
      const { withdrawal } = question.payload;
      if (question.kind === 'WITHDRAWAL') refused.push(...(withdrawal?.refusedOffers ?? []));
      return ask(question);
    });
    // ₹10,00,000 at no interest; the journey's amount is lower.
    const above = {
      principal: 120_000_000,
      minimumAmount: 1_000_000,
      rate: { kind: 'FIXED', annualPercent: '0' },
      repayment: { kind: 'EMI', instalment: 10_000_000 },
      apr: '0.00',
      netPayout: 120_000_000,
    };
    for (const reference of ['R-3', 'R-4']) {
      const body = await revision(journey, { ...above, reference });
      expect((await bench.lender.tell('offer-revisions', body)).status).toBe(202);
      await processed(body.id);
    }
    await eventually(() => {
      expect(refused).toMatchObject([
        { offerReference: 'R-3', problem: 'RANGE' },
        { offerReference: 'R-4', problem: 'RANGE' },
      ]);
    });
    expect((await journey.read()).state).toBe('KYC_PENDING');
  });

  it('with another APR than ours is refused by its name: operator and lender read why', async () => {
    const journey = await chosen();
    const connector = bench.journeys.service.get<SandboxLender>(SandboxLender);
    const ask = connector.ask.bind(connector);
    const withdrawals: unknown[] = [];
    vi.spyOn(connector, 'ask').mockImplementation((question) => {
      if (question.kind === 'WITHDRAWAL') withdrawals.push(question.payload);
      return ask(question);
    });
    const body = await revision(journey, { apr: '11.50' });
    expect((await bench.lender.tell('offer-revisions', body)).status).toBe(202);
    const refused = { offerReference: 'R-2', problem: 'APR', stated: '11.5%', computed: '12%' };
    expect(await journey.flags()).toMatchObject([
      { kind: 'OFFER_REVISED', detail: { holds: false, problems: [refused] } },
    ]);
    await eventually(() => {
      expect(withdrawals).toMatchObject([
        {
          applicant: { mobile: '', pan: '' },
          applicationId: body.applicationId,
          withdrawal: { reason: 'OFFER_REFUSED', refusedOffers: [refused] },
        },
      ]);
    });
    await bench.lender.tell('offer-revisions', body);
    expect(await journey.flags()).toHaveLength(1);
    expect((await journey.read()).state).toBe('KYC_PENDING');
  });
});

it('what was acknowledged before a revision counts for nothing of it: its statement is read again', async () => {
  const read = async (path: string) => {
    const client = new HostedClient(bench.journeys.service.baseUrl, { language: 'hi' });
    const { status, text } = await client.get(path);
    const [, hash] = HASH.exec(text)!;
    expect(status).toBe(200);
    return { client, text, hash };
  };
  quotesRevision();
  const connector = bench.journeys.service.get<SandboxLender>(SandboxLender);
  const open = vi.spyOn(connector, 'openSession');
  const journey = await chosen();
  const before = await linkOf(journey);
  const first = await read(before);
  expectProvider(await first.client.submit({ hasRead: '1' }));
  await revised(journey);

  // The earlier link only redirects back.
  const old = await new HostedClient(bench.journeys.service.baseUrl).get(before);
  expect([old.status, old.location]).toEqual([303, expect.not.stringContaining('/provider/')]);
  await journey.select({ offerId: await offerIdOf(journey) });
  const path = await linkOf(journey);
  const second = await read(path);
  expect(second.text).toContain('₹10,000');
  expect(second.hash).not.toBe(first.hash);
  expect(open).toHaveBeenCalledTimes(1);
  expectProvider(await second.client.submit({ hasRead: '1' }));

  const statements = await bench.journeys.query(
    `SELECT content_hash AS hash, acknowledged_hash AS acknowledged FROM key_facts_statements
     WHERE journey_id = $1 ORDER BY frozen_at`,
    [journey.id],
  );
  const hashes = [first, second].map(({ hash }) => hash);
  expect(statements).toEqual(hashes.map((hash) => ({ hash, acknowledged: hash })));
  const sent = open.mock.calls.map(([{ payload }]) => payload.acknowledgement?.keyFactsHash);
  expect(sent).toEqual(hashes);
});
