import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { OfferWithdrawals } from '../../../src/instant-loans/progress/offer-withdrawals.js';
import { InstantLoansRepository } from '../../../src/instant-loans/store/instant-loans.repository.js';
import { OFFER_METRIC } from '../../../src/matching/index.js';
import { formatRupees } from '../../../src/platform/index.js';
import { LenderCatalogue } from '../../../src/settings/index.js';
import {
  ApplicantBrowser,
  choosableIn,
  hiddenIn,
  orderFee,
  paymentFormOf,
} from '../../support/instant-loans.js';
import { HOUR, MINUTE } from './instant-loan-bench.js';
import { comparisonAt, DAY, OfferStage, pageAt, PRINCIPAL } from './offer-stage.js';
import { auditOf, chooseOfTwo, type Loan, logOf, offerIds, offerTwo } from './two-offers.js';

let stage: OfferStage;

beforeAll(async () => {
  stage = await OfferStage.open();
});

afterAll(() => stage?.close());

const twoOffers = () => chooseOfTwo(stage);

/** An offer that its lender stands by for so long. @returns until when */
async function endsIn(ms: number, offerId: string): Promise<Date> {
  const validUntil = new Date(stage.bench.service.now().getTime() + ms);
  await stage.bench.records.query('UPDATE instant_offers SET valid_until = $2 WHERE id = $1', [
    offerId,
    validUntil,
  ]);
  return validUntil;
}

const donePath = ({ redirectUrl }: Loan) => `${new URL(redirectUrl).pathname}/done`;

describe('an offer beside the chosen one', () => {
  it('has a button, and says which costs less in all; nothing is chosen by looking', async () => {
    const loan = await twoOffers();
    const { kaverisetu } = await offerIds(stage, loan.id);
    const page = await comparisonAt(loan.redirectUrl);
    expect(choosableIn(page)).toEqual([kaverisetu]);
    expect(page).toContain(`aria-labelledby="choose-${kaverisetu} offer-${kaverisetu}"`);
    expect(page).toContain('Navdhara Capital Limited is your choice until you choose another');
    expect(await pageAt(loan.redirectUrl)).toMatch(/1 other offer; one costs ₹[\d,]+ less/);
    expect(await comparisonAt(loan.redirectUrl, 'hi')).toContain(
      'Navdhara Capital Limited आपकी पसंद है',
    );
    expect(await stage.bench.row(loan.id)).toMatchObject({ lender_code: 'navdhara' });
  });

  it('is chosen by it: fee, end, statement, terms and comparison are its own', async () => {
    const loan = await twoOffers();
    const { kaverisetu, navdhara } = await offerIds(stage, loan.id);
    const validUntil = await endsIn(60 * HOUR, kaverisetu);
    await stage.bench.records.query(
      `UPDATE instant_offers SET fee_on_decline = 'KEPT' WHERE id = $1`,
      [kaverisetu],
    );
    const before = await stage.bench.row(loan.id);
    const browser = new ApplicantBrowser();
    const pressed = await browser.choose(loan.redirectUrl, kaverisetu);
    expect([pressed.status, pressed.location]).toEqual([303, new URL(loan.redirectUrl).pathname]);
    const row = await stage.bench.row(loan.id);
    expect(row).toMatchObject({
      status: 'PAYMENT_PENDING',
      offer_id: kaverisetu,
      lender_code: 'kaverisetu',
      fee: 30_000,
      fee_on_decline: 'KEPT',
      expires_at: validUntil,
    });
    expect(row.key_facts_hash).not.toBe(before.key_facts_hash);
    const { text } = await browser.open(loan.redirectUrl);
    for (const words of [
      'Agree and pay ₹300',
      'Kaverisetu Finserv Private Limited',
      'The lender keeps the ₹300.',
      row.key_facts_hash,
    ]) {
      expect(text).toContain(words);
    }
    expect(choosableIn(await comparisonAt(loan.redirectUrl))).toEqual([navdhara]);
    const [, path = ''] = /href="(\/kfs\/[^"]+)"/.exec(text) ?? [];
    const statement = await pageAt(`${stage.bench.service.baseUrl}${path}`);
    for (const words of ['Kaverisetu', '₹300', row.key_facts_hash])
      expect(statement).toContain(words);
    // To its partner it is what it was.
    expect(await stage.bench.status(loan.id)).toBe('PAYMENT_PENDING');
    const { json } = await stage.bench.demo.get<{ leads: { applicationId: string }[] }>('/leads');
    expect(json.data.leads.find((one) => one.applicationId === loan.id)).toMatchObject({
      loanType: 'ONLINE_INSTANT',
      loanAmount: PRINCIPAL / 100,
      status: 'PAYMENT_PENDING',
    });
  });

  it('can be given up again for the first, whose statement is then the same', async () => {
    const loan = await twoOffers();
    const { kaverisetu, navdhara } = await offerIds(stage, loan.id);
    const before = await stage.bench.row(loan.id);
    const browser = new ApplicantBrowser('hi');
    await browser.choose(loan.redirectUrl, kaverisetu);
    await browser.choose(loan.redirectUrl, navdhara);
    // When it was written, and how it was sealed, is another each time.
    const { updated_at: _, key_facts_sealed: __, ...row } = await stage.bench.row(loan.id);
    expect(before).toMatchObject(row);
  });

  it('is recorded: in the audit, and in the log with what was shown last', async () => {
    const loan = await offerTwo(stage);
    const { kaverisetu, navdhara } = await offerIds(stage, loan.id);
    await new ApplicantBrowser('hi').choose(loan.redirectUrl, kaverisetu);
    const { key_facts_hash: keyFactsHash, expires_at: expiresAt } = await stage.bench.row(loan.id);
    const [{ detail }, ...more] = await auditOf(stage, loan.id, 'OTHER_OFFER_CHOSEN');
    expect(more).toEqual([]);
    expect(detail).toMatchObject({
      offerId: kaverisetu,
      lenderCode: 'kaverisetu',
      insteadOf: navdhara,
      insteadOfLender: 'navdhara',
      fee: 30_000,
      feeOnDecline: 'REFUND',
      keyFactsHash,
      expiresAt: expiresAt.toISOString(),
      language: 'hi',
    });
    const shown = await stage.bench.records.query<{ id: string }>(
      `SELECT id FROM offer_presentations WHERE subject_id = $1 AND kind = 'SHOWN'`,
      [loan.id],
    );
    const chosen = (await logOf(stage, loan.id)).filter(({ kind }) => kind === 'CHOSEN');
    expect(chosen).toMatchObject([
      {
        metric: OFFER_METRIC,
        language: 'hi',
        presentationId: shown[0].id,
        offerId: kaverisetu,
        lenderCode: 'kaverisetu',
        figures: { fee: 30_000 },
      },
    ]);
    await pageAt(loan.redirectUrl, 'hi');
    const { offers } = (await logOf(stage, loan.id)).at(-1)!;
    expect(offers?.map(({ lenderCode }) => lenderCode)).toEqual(['kaverisetu']);
  });

  it('is paid for and decided on by its lender; then, and no sooner, the others hear of it', async () => {
    const loan = await twoOffers();
    const { kaverisetu } = await offerIds(stage, loan.id);
    await new ApplicantBrowser().choose(loan.redirectUrl, kaverisetu);
    await orderFee(stage.bench.records, loan);
    expect(await stage.ordersOf(loan.id)).toMatchObject([{ amount: 30_000 }]);
    expect(await stage.withdrawals(loan.id)).toEqual([]);
    await stage.bench.atGateway(loan, 'pay');
    await stage.bench.reaches(loan.id, 'SANCTIONED');
    expect(await stage.withdrawals(loan.id)).toEqual(['NOT_CHOSEN navdhara']);
    const { key_facts_hash: keyFactsHash } = await stage.bench.row(loan.id);
    expect(stage.decisionAsked(loan.id)).toMatchObject({
      lenderCode: 'kaverisetu',
      payload: { keyFactsHash, feePaid: { amount: 30_000 } },
    });
    expect((await auditOf(stage, loan.id, 'KEY_FACTS_AGREED'))[0].detail).toMatchObject({
      keyFactsHash,
    });
  });

  it('has its lender told, like the chosen one, when nothing is paid', async () => {
    const loan = await twoOffers();
    await stage.bench.service.travel(73 * HOUR);
    await stage.bench.reaches(loan.id, 'EXPIRED');
    expect(await stage.withdrawals(loan.id)).toEqual([
      'ABANDONED kaverisetu',
      'ABANDONED navdhara',
    ]);
  });
});

describe('an offer cannot be chosen', () => {
  async function expectRefused(loan: Loan, offerId: string): Promise<void> {
    const before = await stage.bench.row(loan.id);
    const pressed = await new ApplicantBrowser().choose(loan.redirectUrl, offerId);
    expect(pressed.status).toBe(409);
    expect(pressed.text).toContain('That offer is gone.');
    expect(pressed.text).toContain('Agree and pay ₹600');
    expect(await stage.bench.row(loan.id)).toEqual(before);
    expect(await auditOf(stage, loan.id, 'OTHER_OFFER_CHOSEN')).toEqual([]);
  }

  it.each(['', 'off_00000000000000000000000000000000', "' OR 1=1 --", 'x'.repeat(20_000)])(
    'that there is not: %#',
    async (offerId) => expectRefused(await twoOffers(), offerId),
  );

  it('of another application', async () => {
    const [mine, other] = [await twoOffers(), await twoOffers()];
    await expectRefused(mine, (await offerIds(stage, other.id)).kaverisetu);
  });

  it('that its lender no longer stands by for as long as a payment page is open', async () => {
    const loan = await twoOffers();
    const { kaverisetu } = await offerIds(stage, loan.id);
    await endsIn(2 * DAY, kaverisetu);
    await stage.bench.service.travel(2 * DAY - 17 * MINUTE);
    expect(choosableIn(await comparisonAt(loan.redirectUrl))).toEqual([kaverisetu]);
    const late = new ApplicantBrowser();
    const { text } = await late.open(loan.redirectUrl);
    await stage.bench.service.travel(2 * MINUTE);
    const pressed = await late.send(`${loan.redirectUrl}/choice`, {
      ...hiddenIn(text),
      offerId: kaverisetu,
    });
    expect(pressed.status).toBe(409);
    expect(choosableIn(await comparisonAt(loan.redirectUrl))).toEqual([]);
    expect(await stage.bench.row(loan.id)).toMatchObject({ lender_code: 'navdhara' });
  });

  it('of a lender that is switched off', async () => {
    const loan = await twoOffers();
    const catalogue = stage.bench.service.get<LenderCatalogue>(LenderCatalogue);
    const all = await catalogue.serving('ONLINE_INSTANT');
    const { kaverisetu } = await offerIds(stage, loan.id);
    const serving = vi
      .spyOn(catalogue, 'serving')
      .mockResolvedValue(all.filter(({ code }) => code !== 'kaverisetu'));
    try {
      expect(choosableIn(await comparisonAt(loan.redirectUrl))).toEqual([]);
      await expectRefused(loan, kaverisetu);
    } finally {
      serving.mockRestore();
    }
  });

  it('whose lender was told that another was chosen', async () => {
    const loan = await twoOffers();
    const row = await stage.bench.service
      .get<InstantLoansRepository>(InstantLoansRepository)
      .findByLink(loan.id);
    const withdrawals = stage.bench.service.get<OfferWithdrawals>(OfferWithdrawals);
    await stage.bench.transaction((tx) => withdrawals.tellNotChosen(tx, row!));
    expect(choosableIn(await comparisonAt(loan.redirectUrl))).toEqual([]);
    await expectRefused(loan, (await offerIds(stage, loan.id)).kaverisetu);
    // Nor is it told a second time that nothing comes of it.
    await stage.bench.service.travel(73 * HOUR);
    await stage.bench.reaches(loan.id, 'EXPIRED');
    expect(await stage.withdrawals(loan.id)).toEqual([
      'NOT_CHOSEN kaverisetu',
      'ABANDONED navdhara',
    ]);
  });

  it('once the fee is paid, by a page that was opened before', async () => {
    const loan = await twoOffers();
    const { kaverisetu } = await offerIds(stage, loan.id);
    const late = new ApplicantBrowser();
    const { text } = await late.open(loan.redirectUrl);
    await stage.bench.atGateway(loan, 'pay');
    await stage.bench.reaches(loan.id, 'SANCTIONED');
    const before = await stage.bench.row(loan.id);
    const form = { ...hiddenIn(text), offerId: kaverisetu };
    const pressed = await late.send(`${loan.redirectUrl}/choice`, form);
    expect([pressed.status, pressed.location]).toEqual([303, new URL(loan.redirectUrl).pathname]);
    expect((await late.open(loan.redirectUrl)).location).toBe(donePath(loan));
    expect(await stage.bench.row(loan.id)).toEqual(before);
  });

  it('by a form of another site', async () => {
    const loan = await twoOffers();
    const { kaverisetu: offerId } = await offerIds(stage, loan.id);
    const { status } = await new ApplicantBrowser().send(`${loan.redirectUrl}/choice`, { offerId });
    expect(status).toBe(403);
    expect(await stage.bench.row(loan.id)).toMatchObject({ lender_code: 'navdhara' });
  });
});

describe('two phones', () => {
  it('pay only for the offer that the pressed page showed', async () => {
    const loan = await twoOffers();
    const { kaverisetu } = await offerIds(stage, loan.id);
    const [one, other] = [new ApplicantBrowser(), new ApplicantBrowser()];
    const { text } = await one.open(loan.redirectUrl);
    await other.choose(loan.redirectUrl, kaverisetu);
    const form = { ...hiddenIn(paymentFormOf(text)!), hasRead: '1' };
    const pressed = await one.send(loan.redirectUrl, form);
    expect(pressed.status).toBe(409);
    expect(pressed.text).toContain('The offer has changed.');
    expect(pressed.text).toContain('Agree and pay ₹300');
    expect(pressed.text).not.toMatch(/name="hasRead"[^>]* checked/);
    expect(await stage.ordersOf(loan.id)).toEqual([]);
    expect(await auditOf(stage, loan.id, 'KEY_FACTS_AGREED')).toEqual([]);
    // A form that names no statement.
    const { csrf } = form as Record<string, string>;
    expect((await one.send(loan.redirectUrl, { csrf, hasRead: '1' })).status).toBe(409);
    expect(await stage.ordersOf(loan.id)).toEqual([]);
    await one.press(loan.redirectUrl);
    expect(await stage.ordersOf(loan.id)).toMatchObject([{ amount: 30_000 }]);
  });

  it('that choose side by side leave one choice, with all that belongs to it', async () => {
    const loan = await twoOffers();
    const { kaverisetu, navdhara } = await offerIds(stage, loan.id);
    const fees = { [kaverisetu]: 30_000, [navdhara]: 60_000 };
    await Promise.all(
      [kaverisetu, navdhara, kaverisetu, navdhara, kaverisetu].map((offerId) =>
        new ApplicantBrowser().choose(loan.redirectUrl, offerId),
      ),
    );
    const row = (await stage.bench.row(loan.id)) as { offer_id?: unknown } & Record<
      string,
      unknown
    >;
    const fee = fees[String(row.offer_id)];
    expect(row.fee).toBe(fee);
    const choices = await auditOf(stage, loan.id, 'OTHER_OFFER_CHOSEN');
    expect(choices.at(-1)?.detail).toMatchObject({ offerId: row.offer_id, fee });
    expect(await pageAt(loan.redirectUrl)).toContain(`Agree and pay ${formatRupees(fee)}`);
  });
});
