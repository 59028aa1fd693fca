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
  toldOf,
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

/** The journey's rows that come of its choice. */
async function choiceOf(journey: StepJourney) {
  const [row] = await journey.query<{ account: string | null; reference: string }>(
    `SELECT bank_account_sealed AS account, selection ->> 'applicationReference' AS reference
     FROM journeys WHERE id = $1`,
  );
  return row;
}

describe('another offer', () => {
  it.each(['KYC_PENDING', 'ESIGN_PENDING'])(
    'is chosen in %s: its steps begin anew, and the money is its lender’s',
    async (state) => {
      const journey = await StepJourney.at(state, service);
      const before = await journey.view();
      const { reference } = await choiceOf(journey);
      const passedBefore = await trailOf(journey);
      const eventsBefore = await eventsOf(journey);
      expect(await toldOf(journey)).toEqual([]);

      const other = await chooseAnother(journey);
      const after = await journey.view();
      expect([after.state, after.selected!.offer.offerId]).toEqual(['KYC_PENDING', other.offerId]);
      expect(await choiceOf(journey)).toMatchObject({ account: null });
      expect(await toldOf(journey)).toEqual([
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

      await journey.driveTo('SANCTIONED');
      const paid = await journey.query<{ lender: string }>(
        `SELECT lender_code AS lender FROM lender_questions WHERE subject_id = $1 AND kind = 'DISBURSEMENT'`,
      );
      expect(paid).toEqual([{ lender: other.lenderCode }]);
      const others = before.offers.map(({ lenderCode }) => lenderCode).toSorted();
      expect((await toldOf(journey)).map(({ lender, reason }) => [lender, reason])).toEqual(
        others.filter((code) => code !== other.lenderCode).map((code) => [code, 'NOT_CHOSEN']),
      );
    },
  );

  it('of a gold loan is chosen before the branch and after it, which is asked for again', async () => {
    const journey = await StepJourney.at('OFFER_SELECTED', service, { productCode: 'ONLINE_GOLD' });
    await chooseAnother(journey);
    expect((await journey.view()).state).toBe('OFFER_SELECTED');
    await journey.driveTo('ESIGN_PENDING');
    expect((await journey.view()).selected!.branch).not.toBeNull();
    await chooseAnother(journey);
    const view = await journey.view();
    expect([view.state, view.selected!.branch]).toEqual(['OFFER_SELECTED', null]);
  });

  it('leaves each statement as it was acknowledged, and each choice on record', async () => {
    const journey = await StepJourney.at('BANK_ACCOUNT_PENDING', service);
    const { offerId: first, kfsUrl } = (await journey.view()).selected!.offer;
    const { offerId: second } = await chooseAnother(journey);
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
      { id: second, ...acknowledged },
    ]);
    const shown = await journey.query<{ kind: string; content: string }>(
      `SELECT kind, content FROM offer_presentations WHERE subject_id = $1 ORDER BY recorded_at, id`,
    );
    const chosen = shown.filter(({ kind }) => kind === 'CHOSEN');
    expect(
      chosen.map(({ content }) => (JSON.parse(content) as { offerId: string }).offerId),
    ).toEqual([first, second]);
  });

  it('is compared with the chosen one marked, which is recorded so', async () => {
    const journey = await StepJourney.at('KYC_PENDING', service);
    const { selected } = await journey.view();
    const step = await journey.client.open('/hosted');
    expect(step.text).toContain('href="/hosted/offers"');
    const page = await journey.client.open('/hosted/offers');
    expect([page.path, page.heading]).toEqual(['/hosted/offers', 'Choose another offer?']);
    const cards = page.text.split('<article');
    const card = cards.find((text) => text.includes(`id="offer-${selected!.offer.offerId}"`))!;
    expect(card.slice(0, card.indexOf('EMI ×'))).toContain('>Your choice now<');
    expect(page.text.split('>Your choice now<')).toHaveLength(2);
    const [, keep] = page.text.split('<a href="/hosted">');
    expect(selected!.offer.lenderName).toBe('Navdhara Capital Limited');
    expect(keep).toMatch(/^Stay with Navdhara</);
    expect(page.text).not.toContain(`/hosted/offers/${selected!.offer.offerId}/`);
    const [newest] = await journey.query<{ content: string }>(
      `SELECT content FROM offer_presentations WHERE subject_id = $1 AND kind = 'SHOWN'
       ORDER BY recorded_at DESC LIMIT 1`,
    );
    const { offers } = JSON.parse(newest.content) as {
      offers: { offerId: string; isChosen?: boolean }[];
    };
    const marked = offers.filter(({ isChosen }) => isChosen).map(({ offerId }) => offerId);
    expect(marked).toEqual([selected!.offer.offerId]);
    // Whoever only looks has lost nothing.
    await openConfirmation(journey.client, othersOf(await journey.view())[0]);
    expect((await journey.view()).selected!.offer.offerId).toBe(selected!.offer.offerId);
    expect(await toldOf(journey)).toEqual([]);
  });

  it('tells its lender nothing of what was agreed with the earlier one', async () => {
    const journey = await StepJourney.at('MANDATE_PENDING', service);
    const select = vi.spyOn(service.get<SandboxLender>(SandboxLender), 'select');
    const quote = vi.spyOn(service.get<SandboxLender>(SandboxLender), 'quote');
    await chooseAnother(journey);
    const asked = [...select.mock.calls, ...quote.mock.calls].map(([{ payload }]) => payload);
    expect(asked.length).toBeGreaterThan(1);
    for (const payload of asked) {
      expect(payload).not.toHaveProperty('bankAccount');
      expect(payload).not.toHaveProperty('applicationReference');
      expect(payload).not.toHaveProperty('netDisbursed');
    }
  });
});

describe('no other offer is chosen', () => {
  it('that has run out, nor one whose lender was told that another was', async () => {
    const journey = await StepJourney.at('KYC_PENDING', service);
    const [first, second] = othersOf(await journey.view());
    const earlier = (await journey.view()).selected!.offer;
    await journey.client.open(
      `/hosted/offers/${second.offerId}/confirm?amount=${second.amount / 100}`,
    );
    await journey.query(
      `UPDATE journey_offers SET valid_until = app_now() - interval '1 minute' WHERE id = $1`,
      [second.offerId],
    );
    await journey.client.send303({ hasRead: '1' });
    expect(wordsOf(journey.client.page!)).toContain('That offer has expired or was withdrawn.');
    expect((await journey.view()).selected!.offer.offerId).toBe(earlier.offerId);

    await chooseAnother(journey);
    expect((await journey.view()).selected!.offer.offerId).toBe(first.offerId);
    // Both others are gone now: one has run out, and the lender of the other was told.
    const { offers, offerChange } = await journey.view();
    expect(offerChange).toBe('NONE_LEFT');
    expect(offers.find(({ offerId }) => offerId === earlier.offerId)).toMatchObject({
      isReleased: true,
      isValid: false,
    });
    const page = await openConfirmation(journey.client, earlier);
    expect(page.path).toBe('/hosted/kyc');
    expect(wordsOf(page)).toContain('The other offers can no longer be chosen');
    expect(page.text).toContain('href="/hosted/stop"');
  });

  it('that its lender has withdrawn: the choice stands, and nobody is told', async () => {
    const journey = await StepJourney.at('BANK_ACCOUNT_PENDING', service);
    const before = (await journey.view()).selected!.offer.offerId;
    vi.spyOn(service.get<SandboxLender>(SandboxLender), 'select').mockResolvedValue({
      kind: 'GONE',
      reason: 'WITHDRAWN',
    });
    const [other] = othersOf(await journey.view());
    await openConfirmation(journey.client, other);
    const page = await journey.client.send303({ hasRead: '1' });
    expect(wordsOf(page)).toContain('The lender withdrew that offer.');
    const view = await journey.view();
    expect([view.state, view.selected!.offer.offerId]).toEqual(['BANK_ACCOUNT_PENDING', before]);
    expect(await toldOf(journey)).toEqual([]);
  });

  it('after the agreement is signed', async () => {
    // The payout takes half a minute.
    const journey = await StepJourney.at('ESIGN_PENDING', service, { pan: 'SANDX0008A' });
    const [other] = othersOf(await journey.view());
    await openConfirmation(journey.client, other);
    const form = journey.client.copy();
    await journey.driveTo('DISBURSEMENT_PENDING');
    const before = (await journey.view()).selected!.offer.offerId;
    expect((await form.send303({ hasRead: '1' })).path).toBe('/hosted/disbursement');
    expect((await journey.client.open('/hosted/offers')).path).toBe('/hosted/disbursement');
    expect((await journey.client.open('/hosted/stop')).path).toBe('/hosted/disbursement');
    const view = await journey.view();
    expect([view.offerChange, view.mayStop, view.selected!.offer.offerId]).toEqual([
      null,
      false,
      before,
    ]);
    expect(await trailOf(journey)).not.toContain('OFFER_LET_GO');
  });

  it('while nobody knows whether the agreement is signed', async () => {
    // Its provider takes ten seconds over everything.
    const journey = await StepJourney.at('ESIGN_PENDING', service, { pan: 'SANDX0012A' });
    const { redirect, selected } = await journey.view();
    const [other] = othersOf(await journey.view());
    await openConfirmation(journey.client, other);
    await sign(redirect!.url);
    const page = await journey.client.send303({ hasRead: '1' });
    expect(page.path).toBe('/hosted/esign');
    expect(wordsOf(page)).toContain('You may have signed with Navdhara.');
    expect(page.text).not.toContain('href="/hosted/stop"');
    expect((await journey.client.open('/hosted/stop')).path).toBe('/hosted/esign');
    const view = await journey.view();
    expect([view.state, view.offerChange]).toEqual(['ESIGN_PENDING', 'MAY_BE_SIGNED']);
    expect(view.selected!.offer.offerId).toBe(selected!.offer.offerId);
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
    // Signed on another phone, and the callback has not come.
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

  it('by who goes to the page of the signature while the other lender is being told', async () => {
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
    // The other lender has taken the choice, so it hears that nothing comes of it.
    expect(await toldOf(journey)).toMatchObject([
      { lender: other.lenderCode, reason: 'NOT_CHOSEN' },
    ]);
    await decide(signing);
    await journey.reaches('SANCTIONED');
  });

  it('after the step after which the lender’s terms bind, and the page says so before it', async () => {
    const journey = await StepJourney.at('KYC_PENDING', service);
    await journey.query(
      `UPDATE journey_offers SET terms = terms || '{"bindsAfter":"KYC"}' WHERE journey_id = $1`,
    );
    const [other] = othersOf(await journey.view());
    expect(wordsOf(await journey.client.open('/hosted'))).toContain(
      'After this step you cannot choose another offer',
    );
    await openConfirmation(journey.client, other);
    const form = journey.client.copy();
    await journey.driveTo('BANK_ACCOUNT_PENDING');
    const before = (await journey.view()).selected!.offer.offerId;
    await form.submit({ hasRead: '1' });
    expect((await journey.view()).selected!.offer.offerId).toBe(before);
    const page = await journey.client.open('/hosted/offers');
    expect(page.path).toBe('/hosted/bank-account');
    expect(wordsOf(page)).toContain('you can no longer choose another offer');
    expect(page.text).toContain('href="/hosted/stop"');
  });
});

describe('a lender whose terms bind at a later step', () => {
  it.each([
    ['is named with it from the first step on', 'ONLINE_BUSINESS', true],
    ['is not where the journey has no such step', 'ONLINE_GOLD', false],
  ])('%s', async (_, productCode, isSaid) => {
    const journey = await StepJourney.at('KYC_PENDING', service, { productCode });
    await journey.query(
      `UPDATE journey_offers SET terms = terms || '{"bindsAfter":"MANDATE"}' WHERE journey_id = $1`,
    );
    const words = wordsOf(await journey.client.open('/hosted'));
    expect(words).not.toContain('After this step you cannot choose another offer');
    expect(words.includes('only until Autopay is set up')).toBe(isSaid);
    expect(words.includes('lets you choose another offer only')).toBe(isSaid);
    expect((await journey.view()).offerChange).toBe('OPEN');
  });
});

describe('what still comes of the earlier lender', () => {
  it('a verdict changes nothing, and is put before the operator', async () => {
    const journey = await StepJourney.at('KYC_PENDING', service);
    const { redirect: old } = await journey.view();
    const page = await providerPage(old!.url);
    const other = await chooseAnother(journey);
    const before = await journey.view();
    await decide(page);
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
    // That it was passed there does not pass it here.
    const [verdicts] = await journey.query<{ verdicts: (string | null)[] }>(
      `SELECT array_agg(verdict ORDER BY created_at) AS verdicts FROM journey_redirects WHERE journey_id = $1`,
    );
    expect(verdicts).toEqual({ verdicts: ['PASSED', null] });
  });

  it('a return changes nothing, and its link opens no session any more', async () => {
    const journey = await StepJourney.at('KYC_PENDING', service);
    const { redirect: old } = await journey.view();
    await providerPage(old!.url);
    await chooseAnother(journey);
    const before = await journey.view();
    await journey.client.open('/hosted/returned/KYC');
    expect(await journey.view()).toMatchObject({ state: 'KYC_PENDING', stamp: before.stamp });
    const open = vi.spyOn(service.get<SandboxLender>(SandboxLender), 'openSession');
    const visit = await fetch(old!.url, { redirect: 'manual', headers: { accept: 'text/html' } });
    expect(visit.headers.get('location')).toContain('/hosted/returned/KYC');
    expect(open).not.toHaveBeenCalled();
  });

  it('its questions are asked no more, and tries begin anew', async () => {
    // KYC fails once.
    const journey = await StepJourney.at('KYC_PENDING', service, { pan: 'SANDX0004A' });
    await journey.client.open('/hosted/returned/KYC');
    expect((await journey.view()).redirect).toMatchObject({ attempt: 2 });
    await providerPage((await journey.view()).redirect!.url);
    await chooseAnother(journey);
    expect((await journey.view()).redirect).toMatchObject({ attempt: 1 });
    const open = await journey.query(
      `SELECT kind FROM lender_questions WHERE subject_id = $1 AND status = 'OPEN' AND kind <> 'WITHDRAWAL'`,
    );
    expect(open).toEqual([]);
  });
});

describe('a journey whose lenders were told that another offer was chosen', () => {
  it('is not led back to them', async () => {
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
});
