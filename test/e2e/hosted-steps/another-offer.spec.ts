import { describe, expect, it, vi } from 'vitest';
import { SandboxLender } from '../../../src/sandbox/index.js';
import {
  chooseAnother,
  chosenLender,
  decide,
  eventsOf,
  openConfirmation,
  othersOf,
  providerPage,
  sign,
  withdrawalsOf,
  trailOf,
} from './leaving-bench.js';
import { expectWords, expire, hostedService, StepJourney, wordsOf } from './step-journey.js';

const service = hostedService();

/** The parts of the journey's row that depend on the choice. */
async function choiceOf(journey: StepJourney) {
  const [row] = await journey.query<{ account: string | null; reference: string }>(
    `SELECT bank_account_sealed AS account, selection ->> 'applicationReference' AS reference
     FROM journeys WHERE id = $1`,
  );
  return row;
}

async function expectChosen(journey: StepJourney, state: string, offerId: string): Promise<void> {
  expect(await journey.view()).toMatchObject({ state, selected: { offer: { offerId } } });
}

describe('another offer', () => {
  it('is chosen before the signature: its steps begin again, and the money is its lender’s', async () => {
    const journey = await StepJourney.at('ESIGN_PENDING', service);
    const before = await journey.view();
    const { reference } = await choiceOf(journey);
    const [trail, events] = [await trailOf(journey), await eventsOf(journey)];
    const lender = service.get<SandboxLender>(SandboxLender);
    const calls = [vi.spyOn(lender, 'select'), vi.spyOn(lender, 'quote')];

    const other = await chooseAnother(journey);
    const asked = calls.flatMap(({ mock }) => mock.calls as [{ payload: object }][]);
    expect(asked.length).toBeGreaterThan(1);
    for (const [{ payload }] of asked) {
      for (const agreed of ['bankAccount', 'applicationReference', 'netDisbursed'])
        expect(payload).not.toHaveProperty(agreed);
    }
    await expectChosen(journey, 'KYC_PENDING', other.offerId);
    expect(await choiceOf(journey)).toMatchObject({ account: null });
    expect(await withdrawalsOf(journey)).toEqual([
      { lender: chosenLender(before), reason: 'NOT_CHOSEN', applicationReference: reference },
    ]);
    const again = ['OFFER_LET_GO', 'OFFER_SELECTED', 'KEY_FACTS_ACKNOWLEDGED'];
    expect(await trailOf(journey)).toEqual([...trail, ...again]);
    expect(await eventsOf(journey)).toEqual([
      ...events,
      [events.at(-1)![0] + 1, 'journey.offer_selected'],
    ]);

    // The lead never had the intermediate state, so no event names it.
    const ofLead = await journey.query<{ change: string }>(
      `SELECT concat_ws(' ', body::json #>> '{data,previousStatus}', body::json #>> '{data,status}') AS change
       FROM webhook_events WHERE body::json ->> 'journeyId' = $1 AND application_id IS NOT NULL
       ORDER BY sequence DESC LIMIT 1`,
      [journey.start.id],
    );
    expect(ofLead).toEqual([{ change: 'ESIGN_PENDING KYC_PENDING' }]);

    // Each statement stays as it was acknowledged, and each choice stays recorded.
    const { offerId: first, kfsUrl } = before.selected!.offer;
    expectWords(await journey.client.open(kfsUrl), 'Another one was taken');
    const statements = await journey.query(
      `SELECT offer_id AS id, acknowledged_by AS by, acknowledged_hash = content_hash AS "isIts"
       FROM key_facts_statements WHERE journey_id = $1 ORDER BY frozen_at`,
    );
    const acknowledged = { by: 'CONFIRMATION', isIts: true };
    expect(statements).toEqual([
      { id: first, ...acknowledged },
      { id: other.offerId, ...acknowledged },
    ]);
    const chosen = await presented(journey, 'CHOSEN');
    expect(chosen.map(({ offerId }) => offerId)).toEqual([first, other.offerId]);

    await journey.driveTo('SANCTIONED');
    const paid = await journey.query<{ lender: string }>(
      `SELECT lender_code AS lender FROM lender_questions WHERE subject_id = $1 AND kind = 'DISBURSEMENT'`,
    );
    expect(paid).toEqual([{ lender: other.lenderCode }]);
    const left = before.offers.filter(({ offerId }) => offerId !== other.offerId);
    expect(
      (await withdrawalsOf(journey)).map(({ lender: code, reason }) => `${code} ${reason}`),
    ).toEqual(left.map(({ lenderCode }) => `${lenderCode} NOT_CHOSEN`).toSorted());
  });

  it('is compared with the chosen one marked; what still comes of the earlier lender changes nothing', async () => {
    // KYC fails once.
    const journey = await StepJourney.at('KYC_PENDING', service, { pan: 'SANDX0004A' });
    const { client } = journey;
    expect((await client.open('/hosted')).text).toContain('href="/hosted/offers"');
    const { offerId: chosen } = (await journey.view()).selected!.offer;
    const page = await client.open('/hosted/offers');
    expect([page.path, page.heading]).toEqual(['/hosted/offers', 'Choose another offer?']);
    const marked = page.text.split('<article').filter((card) => card.includes('>Your choice now<'));
    expect(marked).toEqual([expect.stringContaining(`id="offer-${chosen}"`)]);
    expect(page.text).toMatch(/<a href="\/hosted">Stay with Navdhara</);
    expect(page.text).not.toContain(`/hosted/offers/${chosen}/`);
    const shown = (await presented(journey, 'SHOWN')).at(-1)!.offers!;
    expect(shown.flatMap(({ isChosen, offerId }) => (isChosen ? [offerId] : []))).toEqual([chosen]);
    // Reading the page does not change the choice.
    await openConfirmation(client, othersOf(await journey.view())[1]);
    await expectChosen(journey, 'KYC_PENDING', chosen);
    expect(await withdrawalsOf(journey)).toEqual([]);

    await client.open('/hosted/returned/KYC');
    const { redirect: old } = await journey.view();
    expect(old).toMatchObject({ attempt: 2 });
    const provider = await providerPage(old!.url);
    const other = await chooseAnother(journey);
    const before = await journey.view();
    expect(before.redirect).toMatchObject({ attempt: 1 });
    const questions = await journey.query(
      `SELECT kind FROM lender_questions WHERE subject_id = $1 AND status = 'OPEN' AND kind <> 'WITHDRAWAL'`,
    );
    expect(questions).toEqual([]);

    await client.open('/hosted/returned/KYC');
    const open = vi.spyOn(service.get<SandboxLender>(SandboxLender), 'openSession');
    const visit = await client.get(new URL(old!.url).pathname);
    expect(visit.location).toContain('/hosted/returned/KYC');
    expect(open).not.toHaveBeenCalled();
    await decide(provider);
    await vi.waitFor(async () => {
      const flags = await journey.query(
        `SELECT kind FROM operator_flags WHERE subject_id = $1 AND kind = 'LATE_ANSWER'`,
      );
      expect(flags).toHaveLength(1);
    }, 20_000);
    await expectChosen(journey, 'KYC_PENDING', other.offerId);
    expect((await journey.view()).stamp).toBe(before.stamp);
    // A step passed at the first lender does not count at the second one.
    const [verdicts] = await journey.query<{ verdicts: (string | null)[] }>(
      `SELECT array_agg(verdict ORDER BY created_at) AS verdicts FROM journey_redirects WHERE journey_id = $1`,
    );
    expect(verdicts).toEqual({ verdicts: ['FAILED', 'PASSED', null] });
  });
});

describe('no other offer is chosen', () => {
  it('that has expired, or that its lender has withdrawn: the choice stays, and no lender is notified', async () => {
    const journey = await StepJourney.at('BANK_ACCOUNT_PENDING', service);
    const { client } = journey;
    const before = (await journey.view()).selected!.offer;
    const [first, second] = othersOf(await journey.view());
    const send = async (words: string, from = client) => {
      expectWords(await from.send303({ hasRead: '1' }), words);
      await expectChosen(journey, 'BANK_ACCOUNT_PENDING', before.offerId);
      expect(await withdrawalsOf(journey)).toEqual([]);
    };
    await openConfirmation(client, second);
    const again = client.copy();
    vi.spyOn(service.get<SandboxLender>(SandboxLender), 'select').mockResolvedValueOnce({
      kind: 'GONE',
      reason: 'WITHDRAWN',
    });
    await send('The lender withdrew that offer.');
    await send('That offer has expired or was withdrawn.', again);
    await openConfirmation(client, first);
    await expire(journey, first);
    await send('The other offers can no longer be chosen');
    expect((await journey.view()).offerChange).toBe('NONE_LEFT');
    const page = await openConfirmation(client, first);
    expect(page.path).toBe('/hosted/bank-account');
    expectWords(page, 'The other offers can no longer be chosen');
    expect(page.text).toContain('href="/hosted/stop"');
  });

  it('while it is unknown whether the agreement is signed, nor after the agreement is signed', async () => {
    // The provider takes ten seconds for each decision.
    const journey = await StepJourney.at('ESIGN_PENDING', service, { pan: 'SANDX0012A' });
    const { client } = journey;
    const { redirect, selected } = await journey.view();
    await openConfirmation(client, othersOf(await journey.view())[0]);
    const form = client.copy();
    await sign(redirect!.url);
    const page = await client.send303({ hasRead: '1' });
    expect(page.path).toBe('/hosted/esign');
    expectWords(page, 'You may have signed with Navdhara.');
    expect(page.text).not.toContain('href="/hosted/stop"');
    expect((await client.open('/hosted/stop')).path).toBe('/hosted/esign');
    expect((await journey.view()).offerChange).toBe('MAY_BE_SIGNED');

    await journey.driveTo('SANCTIONED');
    expect((await form.send303({ hasRead: '1' })).path).toBe('/hosted/done');
    for (const path of ['/hosted/offers', '/hosted/stop'])
      expect((await client.open(path)).path).toBe('/hosted/done');
    expect(await journey.view()).toMatchObject({
      offerChange: null,
      mayStop: false,
      selected: { offer: { offerId: selected!.offer.offerId } },
    });
    expect(await trailOf(journey)).not.toContain('OFFER_LET_GO');
  });

  it('by an applicant who opens the page of the signature while the other lender is being notified', async () => {
    const journey = await StepJourney.at('ESIGN_PENDING', service);
    const { redirect, selected } = await journey.view();
    const [other] = othersOf(await journey.view());
    await openConfirmation(journey.client, other);
    const lender = service.get<SandboxLender>(SandboxLender);
    const select = lender.select.bind(lender);
    let signing = '';
    vi.spyOn(lender, 'select').mockImplementation(async (request) => {
      signing = await providerPage(redirect!.url);
      return select(request);
    });
    expect((await journey.client.send303({ hasRead: '1' })).path).toBe('/hosted/esign');
    await expectChosen(journey, 'ESIGN_PENDING', selected!.offer.offerId);
    // The other lender accepted the choice, so it gets a withdrawal.
    expect(await withdrawalsOf(journey)).toMatchObject([
      { lender: other.lenderCode, reason: 'NOT_CHOSEN' },
    ]);
    await decide(signing);
    await journey.reaches('SANCTIONED');
  });

  it('after the step after which the lender’s terms bind, and the page says so before it', async () => {
    const journey = await StepJourney.at('KYC_PENDING', service, {
      productCode: 'ONLINE_BUSINESS',
    });
    const { client } = journey;
    const now = 'After this step you cannot choose another offer';
    await setTerms(journey, { bindsAfter: 'MANDATE' });
    const early = wordsOf(await client.open('/hosted'));
    expect(early).not.toContain(now);
    expect(early).toContain('only until Autopay is set up');
    expect((await journey.view()).offerChange).toBe('OPEN');
    await setTerms(journey, { bindsAfter: 'KYC' });
    expectWords(await client.open('/hosted'), now);
    await openConfirmation(client, othersOf(await journey.view())[0]);
    const form = client.copy();
    const { selected } = await journey.driveTo('BANK_ACCOUNT_PENDING');
    await form.submit({ hasRead: '1' });
    await expectChosen(journey, 'BANK_ACCOUNT_PENDING', selected!.offer.offerId);
    const page = await client.open('/hosted/offers');
    expect(page.path).toBe('/hosted/bank-account');
    expectWords(page, 'you can no longer choose another offer');
    expect(page.text).toContain('href="/hosted/stop"');
  });
});

it('a journey whose lenders were notified of another choice does not lead back to them', async () => {
  const journey = await StepJourney.at('KYC_PENDING', service);
  await journey.query(
    `INSERT INTO lender_questions
       (id, partner_id, subject_id, lender_code, kind, reference, payload_sealed, status, next_attempt_at)
     SELECT 'qst_of_test_' || o.id, o.partner_id, o.journey_id, o.lender_code, 'WITHDRAWAL', 'NOT_CHOSEN',
       q.payload_sealed, 'ANSWERED', app_now()
     FROM journey_offers AS o JOIN journeys AS j ON j.id = o.journey_id
     JOIN lender_questions AS q ON q.subject_id = j.id AND q.kind = 'OFFERS' AND q.lender_code = o.lender_code
     WHERE j.id = $1 AND o.id <> j.selected_offer_id`,
  );
  expect((await journey.view()).offerChange).toBe('NONE_LEFT');
});

interface Presented {
  readonly offerId: string;
  readonly offers?: { offerId: string; isChosen?: boolean }[];
}

/** The presentations of the journey's offers, in order. */
async function presented(journey: StepJourney, kind: 'SHOWN' | 'CHOSEN'): Promise<Presented[]> {
  const rows = await journey.query<{ content: string }>(
    `SELECT content FROM offer_presentations WHERE subject_id = $1 AND kind = '${kind}'
     ORDER BY recorded_at, id`,
  );
  return rows.map(({ content }) => JSON.parse(content) as Presented);
}

function setTerms(journey: StepJourney, terms: object) {
  return journey.query(`UPDATE journey_offers SET terms = terms || $2 WHERE journey_id = $1`, [
    journey.start.id,
    terms,
  ]);
}
