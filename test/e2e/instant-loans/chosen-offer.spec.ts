import { describe, expect, it, vi } from 'vitest';
import { PaymentCallbacks } from '../../../src/payments/payment-callbacks.js';
import { formatRupees } from '../../../src/platform/index.js';
import { OFFER_METRIC } from '../../../src/matching/index.js';
import { eventually } from '../../support/eventually.js';
import {
  ApplicantBrowser,
  atSandboxGateway,
  choosableIn,
  hiddenIn,
  openGateway,
  orderFee,
} from '../../support/instant-loans.js';
import { HOUR, MINUTE, PATIENT } from './instant-loan-bench.js';
import { cardsOf, comparisonAt, DAY, OfferStage, pageAt } from './offer-stage.js';
import {
  auditOf,
  chooseOfTwo,
  endsIn,
  keepsFee,
  type Loan,
  logOf,
  offerIds,
  offerTwo,
  payForm,
} from './two-offers.js';
import { ofFile } from '../../support/of-file.js';

const stage = ofFile(() => OfferStage.open());

function isReleased(id: string): Promise<void> {
  return eventually(async () => {
    expect(await stage.bench.row(id)).toMatchObject({ state: 'OFFERS_RECEIVED', offer_id: null });
    const { json: lead } = await stage.bench.demo.get(`/leads/${id}/status`);
    expect(lead.data).toMatchObject({ status: 'PAYMENT_PENDING' });
    // The fee of an undone choice cannot be paid.
    expect(lead.data).not.toHaveProperty('fee');
  }, PATIENT);
}

describe('an offer beside the chosen one', () => {
  it('is chosen by it: fee, end, statement, terms and comparison are its own; once it is paid, and no sooner, the others hear of it', async () => {
    const loan = await chooseOfTwo(stage);
    const { kaverisetu, navdhara } = await offerIds(stage, loan.id);
    const validUntil = await endsIn(stage, 60 * HOUR, kaverisetu);
    await keepsFee(stage, kaverisetu);
    const before = await stage.bench.row(loan.id);
    const browser = new ApplicantBrowser();
    const pressed = await browser.choose(loan.redirectUrl, kaverisetu);
    expect([pressed.status, pressed.location]).toEqual([303, new URL(loan.redirectUrl).pathname]);
    const row = await stage.bench.row(loan.id);
    expect(row).toMatchObject({
      state: 'FEE_PENDING',
      offer_id: kaverisetu,
      lender_code: 'kaverisetu',
      fee: 30_000,
      fee_on_decline: 'KEPT',
      expires_at: validUntil,
    });
    const { key_facts_hash: keyFactsHash } = row;
    expect(keyFactsHash).not.toBe(before.key_facts_hash);
    const { text } = await browser.open(loan.redirectUrl);
    for (const words of ['Agree and pay ₹300', 'The lender keeps the ₹300.', keyFactsHash])
      expect(text).toContain(words);
    expect(choosableIn(await comparisonAt(loan.redirectUrl))).toEqual([navdhara]);
    const [, statement = ''] = /href="([^"]*\/kfs\/[^"]+)"/.exec(text) ?? [];
    expect(await pageAt(new URL(statement, loan.redirectUrl).href)).toContain(keyFactsHash);

    await orderFee(stage.bench.records, loan);
    expect(await stage.ordersOf(loan.id)).toMatchObject([{ amount: 30_000 }]);
    expect(await stage.withdrawals(loan.id)).toEqual([]);
    await stage.bench.atGateway(loan, 'pay');
    await stage.bench.reaches(loan.id, 'SANCTIONED');
    expect(await stage.withdrawals(loan.id)).toEqual(['NOT_CHOSEN navdhara']);
    expect(stage.decisionAsked(loan.id)).toMatchObject({
      lenderCode: 'kaverisetu',
      payload: { keyFactsHash, feePaid: { amount: 30_000 } },
    });
    const agreed = { hash: keyFactsHash, language: 'en' };
    expect(await stage.bench.agreements(loan.id)).toEqual([agreed]);
    const paid = await stage.bench.row(loan.id);
    await browser.send(`${loan.redirectUrl}/choice`, { ...hiddenIn(text), offerId: navdhara });
    expect(await stage.bench.row(loan.id)).toEqual(paid);
  });

  it('is one choice, whatever is pressed side by side, with all that belongs to it: audit, log and fee', async () => {
    const loan = await offerTwo(stage);
    const { kaverisetu, navdhara } = await offerIds(stage, loan.id);
    const fees = { [kaverisetu]: 30_000, [navdhara]: 60_000 };
    const choose = (offerId: string) =>
      new ApplicantBrowser('hi').choose(loan.redirectUrl, offerId);
    await Promise.all([kaverisetu, navdhara, kaverisetu, navdhara, kaverisetu].map(choose));
    const row = await stage.bench.row(loan.id);
    const offerId = row.offer_id!;
    await Promise.all([choose(offerId), choose(offerId)]);
    expect(await stage.bench.row(loan.id)).toEqual(row);
    expect(row.fee).toBe(fees[offerId]);
    const choices = await auditOf(stage, loan.id, 'OFFER_SELECTED');
    expect(choices.at(-1)?.detail).toMatchObject({ selectedOfferId: offerId });
    const log = await logOf(stage, loan.id);
    const chosen = log.filter((one) => one.kind === 'CHOSEN' && one.offerId === offerId);
    expect(chosen).toMatchObject([
      { metric: OFFER_METRIC, language: 'hi', figures: { processingFees: row.fee } },
    ]);
    const shown = log.filter(({ kind }) => kind === 'SHOWN').map(({ id }) => id);
    expect(shown).toContain(chosen[0].presentationId);
    expect(await pageAt(loan.redirectUrl)).toContain(`Agree and pay ${formatRupees(row.fee)}`);
  });
});

it('another offer, chosen when the fee is ordered, is the choice at once; the page of the first closes, and what was paid there goes back', async () => {
  const loan = await chooseOfTwo(stage);
  const { kaverisetu } = await offerIds(stage, loan.id);
  const browser = new ApplicantBrowser();
  const first = await openGateway(browser, loan.redirectUrl);
  expect(await comparisonAt(loan.redirectUrl)).toContain('don’t pay there');
  // Paid before the choice changes, but the service has not received the report.
  const callbacks = stage.bench.service.get<PaymentCallbacks>(PaymentCallbacks);
  const lost = vi.spyOn(callbacks, 'take').mockRejectedValue(new Error('lost on the way'));
  await atSandboxGateway(browser, first, 'pay');
  await browser.choose(loan.redirectUrl, kaverisetu);
  await eventually(async () => {
    expect(await stage.bench.refunds(loan.id)).toEqual(['PAID_TOO_LATE']);
  }, PATIENT);
  lost.mockRestore();
  const page = await pageAt(loan.redirectUrl);
  for (const words of ['Pay ₹300', 'Money coming back to you', '₹600'])
    expect(page).toContain(words);
  const second = await openGateway(browser, loan.redirectUrl);
  await browser.choose(loan.redirectUrl, (await offerIds(stage, loan.id)).navdhara);
  await eventually(async () => {
    expect((await browser.open(second)).text).toContain('This payment was cancelled');
  }, PATIENT);
  await stage.bench.atGateway(loan, 'pay');
  await stage.bench.reaches(loan.id, 'SANCTIONED');
  expect(stage.decisionAsked(loan.id)).toMatchObject({ lenderCode: 'navdhara' });
  expect(await stage.bench.refunds(loan.id)).toEqual(['PAID_TOO_LATE']);
});

describe('an offer cannot be chosen', () => {
  async function expectRefused(loan: Loan, offerId: string): Promise<void> {
    const before = await stage.bench.row(loan.id);
    const pressed = await new ApplicantBrowser().choose(loan.redirectUrl, offerId);
    expect(pressed.status).toBe(409);
    for (const words of ['That offer is gone.', 'Agree and pay ₹600'])
      expect(pressed.text).toContain(words);
    expect(await stage.bench.row(loan.id)).toEqual(before);
  }

  it('that is unknown, of another application, pressed on another site, or ends before its payment page would close', async () => {
    const [loan, other] = [await chooseOfTwo(stage), await offerTwo(stage)];
    const { kaverisetu: foreign } = await offerIds(stage, other.id);
    for (const offerId of ['', 'x'.repeat(20_000), foreign]) await expectRefused(loan, offerId);
    const { kaverisetu: offerId } = await offerIds(stage, loan.id);
    const { status } = await new ApplicantBrowser().send(`${loan.redirectUrl}/choice`, { offerId });
    expect(status).toBe(403);
    expect(await stage.bench.row(loan.id)).toMatchObject({ lender_code: 'navdhara' });
    await endsIn(stage, 2 * DAY, offerId);
    await stage.bench.service.travel(2 * DAY - 17 * MINUTE);
    expect(choosableIn(await comparisonAt(loan.redirectUrl))).toEqual([offerId]);
    await stage.bench.service.travel(2 * MINUTE);
    expect(choosableIn(await comparisonAt(loan.redirectUrl))).toEqual([]);
    await expectRefused(loan, offerId);
  });
});

it('two phones pay only for the offer that the pressed page showed', async () => {
  const loan = await chooseOfTwo(stage);
  const { kaverisetu } = await offerIds(stage, loan.id);
  const [one, other] = [new ApplicantBrowser(), new ApplicantBrowser()];
  const form = await payForm(one, loan);
  await other.choose(loan.redirectUrl, kaverisetu);
  const pressed = await one.send(loan.redirectUrl, form);
  expect(pressed.status).toBe(409);
  for (const words of ['The offer has changed.', 'Agree and pay ₹300'])
    expect(pressed.text).toContain(words);
  expect(pressed.text).not.toMatch(/name="hasRead"[^>]* checked/);
  const { csrf } = form as Record<string, string>;
  expect((await one.send(loan.redirectUrl, { csrf, hasRead: '1' })).status).toBe(409);
  expect(await stage.ordersOf(loan.id)).toEqual([]);
  expect(await stage.bench.agreements(loan.id)).toEqual([]);
  await one.press(loan.redirectUrl);
  expect(await stage.ordersOf(loan.id)).toMatchObject([{ amount: 30_000 }]);
});

it('when the chosen offer ends unpaid the others are compared again; the last one is shown, with its own box, and can be paid for', async () => {
  const loan = await stage.create();
  const [one, two, three] = [10_000, 60_000, 90_000].map((fee) => stage.offering(fee));
  await stage.tellAll(loan.id, one, two, three);
  const { navdhara, kaverisetu, tarangudyam } = await offerIds(stage, loan.id);
  await endsIn(stage, DAY, navdhara);
  await endsIn(stage, 2 * DAY, kaverisetu);
  const browser = new ApplicantBrowser();
  const chooseAndOutlive = async (offerId: string, ms: number) => {
    await browser.choose(loan.redirectUrl, offerId);
    const form = await payForm(browser, loan);
    await stage.bench.service.travel(ms);
    await isReleased(loan.id);
    const { status, text } = await browser.send(loan.redirectUrl, form);
    expect(status).toBe(409);
    return text;
  };
  await chooseAndOutlive(navdhara, DAY - 15 * MINUTE);
  const page = await pageAt(loan.redirectUrl);
  expect(choosableIn(page)).toEqual([kaverisetu, tarangudyam]);
  expect(cardsOf(page)[0]).toContain('No longer available');
  const last = await chooseAndOutlive(kaverisetu, DAY);
  for (const words of ['Agree and pay ₹900', 'name="hasRead"', 'Offers that are gone'])
    expect(last).toContain(words);
  expect(await stage.withdrawals(loan.id)).toEqual([]);
  expect(await stage.ordersOf(loan.id)).toEqual([]);
  await stage.bench.atGateway(loan, 'pay');
  await stage.bench.reaches(loan.id, 'SANCTIONED');
  const { payload } = stage.decisionAsked(loan.id);
  expect(payload).toMatchObject({ feePaid: { amount: 90_000 } });
});
