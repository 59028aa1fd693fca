import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { SandboxLender } from '../../../src/sandbox/index.js';
import { plain } from '../../support/hosted-client.js';
import type { TestService } from '../../support/service.js';
import { sharedService } from '../../support/shared-service.js';
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
import { StepJourney, TEST_MS, wordsOf } from './step-journey.js';

vi.setConfig({ testTimeout: TEST_MS, hookTimeout: TEST_MS });

const HOUR = 3_600_000;

let service: TestService;

beforeAll(async () => {
  service = await sharedService();
});

afterEach(() => {
  vi.restoreAllMocks();
});

/** The rows that the choice added to the journey. */
async function choiceOf(journey: StepJourney) {
  const [row] = await journey.query<{ account: string | null; reference: string }>(
    `SELECT bank_account_sealed AS account, selection ->> 'applicationReference' AS reference
     FROM journeys WHERE id = $1`,
  );
  return row;
}

describe('another offer', () => {
  it('is chosen before the signature: its steps begin again, and the money is its lender’s', async () => {
    const journey = await StepJourney.at('ESIGN_PENDING', service);
    const before = await journey.view();
    const { reference } = await choiceOf(journey);
    const passedBefore = await trailOf(journey);
    const eventsBefore = await eventsOf(journey);
    expect(await withdrawalsOf(journey)).toEqual([]);
    const lender = service.get<SandboxLender>(SandboxLender);
    const calls = [vi.spyOn(lender, 'select'), vi.spyOn(lender, 'quote')];

    const other = await chooseAnother(journey);
    const asked = calls.flatMap(({ mock }) => mock.calls as [{ payload: object }][]);
    expect(asked.length).toBeGreaterThan(1);
    for (const [{ payload }] of asked) {
      for (const agreed of ['bankAccount', 'applicationReference', 'netDisbursed'])
        expect(payload).not.toHaveProperty(agreed);
    }
    const after = await journey.view();
    expect([after.state, after.selected!.offer.offerId]).toEqual(['KYC_PENDING', other.offerId]);
    expect(await choiceOf(journey)).toMatchObject({ account: null });
    expect(await withdrawalsOf(journey)).toEqual([
      { lender: chosenLender(before), reason: 'NOT_CHOSEN', applicationReference: reference },
    ]);
    expect(await trailOf(journey)).toEqual([
      ...passedBefore,
      'OFFER_LET_GO',
      'OFFER_SELECTED',
      'KEY_FACTS_ACKNOWLEDGED',
    ]);
    const newest = eventsBefore.at(-1)![0];
    expect((await eventsOf(journey)).slice(eventsBefore.length)).toEqual([
      [newest + 1, 'journey.offer_selected'],
    ]);

    // Each statement stays as it was acknowledged, and each choice stays recorded.
    const { offerId: first, kfsUrl } = before.selected!.offer;
    const shownNow = plain(await (await fetch(kfsUrl)).text());
    expect(shownNow).toContain('Another one was taken');
    expect(shownNow).not.toContain('You agreed to this statement');
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
    const others = before.offers.map(({ lenderCode }) => lenderCode).toSorted();
    expect(
      (await withdrawalsOf(journey)).map(({ lender: code, reason }) => [code, reason]),
    ).toEqual(
      others.filter((code) => code !== other.lenderCode).map((code) => [code, 'NOT_CHOSEN']),
    );
  });

  it('of a gold loan is chosen before the branch and after it, which is asked for again', async () => {
    const journey = await StepJourney.at('OFFER_SELECTED', service, { productCode: 'ONLINE_GOLD' });
    await chooseAnother(journey);
    expect((await journey.view()).state).toBe('OFFER_SELECTED');
    await journey.driveTo('KYC_PENDING');
    // A step that the journey does not have cannot make the choice binding.
    await setTerms(journey, { bindsAfter: 'MANDATE' });
    expect(wordsOf(await journey.client.open('/hosted'))).not.toContain(
      'lets you choose another offer only',
    );
    expect((await journey.view()).selected!.branch).not.toBeNull();
    await chooseAnother(journey);
    const view = await journey.view();
    expect([view.state, view.selected!.branch]).toEqual(['OFFER_SELECTED', null]);
  });

  it('is compared with the chosen one marked; what still comes of the earlier lender changes nothing', async () => {
    // KYC fails once.
    const journey = await StepJourney.at('KYC_PENDING', service, { pan: 'SANDX0004A' });
    const { client } = journey;
    expect((await client.open('/hosted')).text).toContain('href="/hosted/offers"');
    const { offer: chosen } = (await journey.view()).selected!;
    const page = await client.open('/hosted/offers');
    expect([page.path, page.heading]).toEqual(['/hosted/offers', 'Choose another offer?']);
    const cards = page.text.split('<article');
    const card = cards.find((text) => text.includes(`id="offer-${chosen.offerId}"`))!;
    expect(card.slice(0, card.indexOf('EMI ×'))).toContain('>Your choice now<');
    expect(page.text.split('>Your choice now<')).toHaveLength(2);
    const [, keep] = page.text.split('<a href="/hosted">');
    expect(keep).toMatch(/^Stay with Navdhara</);
    expect(page.text).not.toContain(`/hosted/offers/${chosen.offerId}/`);
    const shown = (await presented(journey, 'SHOWN')).at(-1)!.offers!;
    const marked = shown.filter(({ isChosen }) => isChosen).map(({ offerId }) => offerId);
    expect(marked).toEqual([chosen.offerId]);
    // An applicant who only reads the page keeps the choice.
    const [, third] = othersOf(await journey.view());
    await openConfirmation(client, third);
    expect((await journey.view()).selected!.offer.offerId).toBe(chosen.offerId);
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
    const visit = await fetch(old!.url, { redirect: 'manual', headers: { accept: 'text/html' } });
    expect(visit.headers.get('location')).toContain('/hosted/returned/KYC');
    expect(open).not.toHaveBeenCalled();
    await decide(provider);
    await vi.waitFor(async () => {
      const flags = await journey.query(
        `SELECT kind FROM operator_flags WHERE subject_id = $1 AND kind = 'LATE_ANSWER'`,
      );
      expect(flags).toHaveLength(1);
    }, 20_000);
    expect(await journey.view()).toMatchObject({
      state: 'KYC_PENDING',
      stamp: before.stamp,
      selected: { offer: { offerId: other.offerId } },
    });
    // A step that was passed at the first lender is not passed at this one.
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
    const send = async (words: string) => {
      const page = await client.send303({ hasRead: '1' });
      expect(wordsOf(page)).toContain(words);
      const view = await journey.view();
      expect([view.state, view.selected!.offer.offerId]).toEqual([
        'BANK_ACCOUNT_PENDING',
        before.offerId,
      ]);
      expect(await withdrawalsOf(journey)).toEqual([]);
    };
    await openConfirmation(client, second);
    await expire(journey, second.offerId);
    await send('That offer has expired or was withdrawn.');
    vi.spyOn(service.get<SandboxLender>(SandboxLender), 'select').mockResolvedValueOnce({
      kind: 'GONE',
      reason: 'WITHDRAWN',
    });
    await openConfirmation(client, first);
    await send('The lender withdrew that offer.');
    await expire(journey, first.offerId);
    expect((await journey.view()).offerChange).toBe('NONE_LEFT');
    const page = await openConfirmation(client, first);
    expect(page.path).toBe('/hosted/bank-account');
    expect(wordsOf(page)).toContain('The other offers can no longer be chosen');
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
    expect(wordsOf(page)).toContain('You may have signed with Navdhara.');
    expect(page.text).not.toContain('href="/hosted/stop"');
    expect((await client.open('/hosted/stop')).path).toBe('/hosted/esign');
    const view = await journey.view();
    expect([view.state, view.offerChange]).toEqual(['ESIGN_PENDING', 'MAY_BE_SIGNED']);

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

  it('by who has signed since the lender was asked last, however long it wants not to be', async () => {
    const journey = await StepJourney.at('ESIGN_PENDING', service);
    const { redirect, selected } = await journey.view();
    await providerPage(redirect!.url);
    const lender = service.get<SandboxLender>(SandboxLender);
    const ask = vi.spyOn(lender, 'ask').mockResolvedValue({
      status: 'PENDING',
      isSessionOpen: true,
      askAgainInMs: HOUR,
    });
    await journey.client.open('/hosted/returned/ESIGN');
    expect((await journey.view()).offerChange).toBe('OPEN');
    await openConfirmation(journey.client, othersOf(await journey.view())[0]);
    // The agreement was signed on another phone, and the callback has not come.
    ask.mockRestore();
    await journey.query(
      `UPDATE sandbox_sessions SET decision = 'approve', decided_at = app_now()
       WHERE subject_id = $1 AND step = 'ESIGN'`,
    );
    await journey.client.send303({ hasRead: '1' });
    const view = await journey.view();
    expect(view.selected!.offer.offerId).toBe(selected!.offer.offerId);
    expect(await trailOf(journey)).toContain('ESIGN_PASSED');
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
    const page = await journey.client.send303({ hasRead: '1' });
    expect(page.path).toBe('/hosted/esign');
    const view = await journey.view();
    expect([view.state, view.selected!.offer.offerId]).toEqual([
      'ESIGN_PENDING',
      selected!.offer.offerId,
    ]);
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
    expect(wordsOf(await client.open('/hosted'))).toContain(now);
    await openConfirmation(client, othersOf(await journey.view())[0]);
    const form = client.copy();
    await journey.driveTo('BANK_ACCOUNT_PENDING');
    const before = (await journey.view()).selected!.offer.offerId;
    await form.submit({ hasRead: '1' });
    expect((await journey.view()).selected!.offer.offerId).toBe(before);
    const page = await client.open('/hosted/offers');
    expect(page.path).toBe('/hosted/bank-account');
    expect(wordsOf(page)).toContain('you can no longer choose another offer');
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

function expire(journey: StepJourney, offerId: string) {
  return journey.query(
    `UPDATE journey_offers SET valid_until = app_now() - interval '1 minute' WHERE id = $1`,
    [offerId],
  );
}

function setTerms(journey: StepJourney, terms: object) {
  return journey.query(`UPDATE journey_offers SET terms = terms || $2 WHERE journey_id = $1`, [
    journey.start.id,
    terms,
  ]);
}
