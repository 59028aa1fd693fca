import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { quoteLoan } from '../../../src/loans/index.js';
import { formatRupees } from '../../../src/platform/index.js';
import { eventually } from '../../support/eventually.js';
import { ApplicantBrowser, atSandboxGateway, openGateway } from '../../support/instant-loans.js';
import { PATIENT } from './instant-loan-bench.js';
import { comparisonAt, DECLINED, OfferStage, pageAt, payPageAt, PRINCIPAL } from './offer-stage.js';
import { chooseOfTwo, lowestIn, offerIds, offerTwo, over } from './two-offers.js';

let stage: OfferStage;

beforeAll(async () => {
  stage = await OfferStage.open();
});

afterAll(() => stage?.close());

/** What the row is called in both languages. */
const TOTAL = /^(?:You repay, with the fee|फ़ीस मिलाकर कुल चुकाएँगे)$/;

const cardsOf = (page: string) =>
  page
    .split('<article')
    .slice(1)
    .map((card) => card.split('</article>')[0]);

/** The row of what is repaid: its label, its value and what is said of it. */
function totalIn(html: string): { label: string; value: string; note: string } {
  const rows = html.matchAll(
    /<dt>([^<]+)<\/dt><dd>([^<]+?) ?(?:<span class="tag">[^<]+<\/span> ?)?<small>([^<]+)<\/small><\/dd>/g,
  );
  const found = [...rows].find(([, label]) => TOTAL.test(label));
  const [, label = '', value = '', note = ''] = found ?? [];
  return { label, value, note };
}

/** Of an offer for 25,000 rupees: months, percent a year, paise. */
function costs(tenureMonths: number, annualRatePercent: number, fee: number) {
  const { totalPayable } = quoteLoan({
    principal: PRINCIPAL,
    annualRatePercent,
    tenureMonths,
    fees: [{ name: 'Processing fee', payee: 'LENDER', amount: fee }],
  });
  return {
    instalments: totalPayable,
    fee,
    whole: totalPayable + fee,
    cost: totalPayable + fee - PRINCIPAL,
  };
}

function shown(language: 'en' | 'hi', of: ReturnType<typeof costs>) {
  const [value, cost] = [of.whole, of.cost].map(formatRupees);
  return language === 'en'
    ? { label: 'You repay, with the fee', value, note: `costs you ${cost}` }
    : { label: 'फ़ीस मिलाकर कुल चुकाएँगे', value, note: `लोन का ख़र्च ${cost}` };
}

describe('what an applicant pays in all', () => {
  it.each(['en', 'hi'] as const)(
    'has the fee in it on each card, before a choice and beside it: %s',
    async (language) => {
      const loan = await offerTwo(stage);
      const expected = [
        shown(language, costs(12, 20, 60_000)),
        shown(language, costs(3, 30, 30_000)),
      ];
      const first = await pageAt(loan.redirectUrl, language);
      expect(cardsOf(first).map(totalIn)).toEqual(expected);
      const { navdhara } = await offerIds(stage, loan.id);
      await new ApplicantBrowser(language).choose(loan.redirectUrl, navdhara);
      const beside = await comparisonAt(loan.redirectUrl, language);
      expect(cardsOf(beside).map(totalIn)).toEqual(expected);
    },
  );

  it.each(['en', 'hi'] as const)(
    'has the fee in it where it is paid, and after the payment: %s',
    async (language) => {
      const loan = await chooseOfTwo(stage);
      const expected = shown(language, costs(12, 20, 60_000));
      expect(totalIn(await payPageAt(loan.redirectUrl, language))).toEqual(expected);
      const browser = new ApplicantBrowser(language);
      const gateway = await openGateway(browser, loan.redirectUrl);
      await atSandboxGateway(browser, gateway, 'pay');
      await eventually(async () => {
        const { text } = await browser.open(`${loan.redirectUrl}/done`);
        const { value, note } = expected;
        expect(totalIn(text)).toMatchObject({ value, note });
      }, PATIENT);
    },
  );
});

describe('the tags', () => {
  it('go by the whole sum: an offer whose instalments come to less costs the most by its fee', async () => {
    const loan = await stage.create();
    const [feeIsHigh, feeIsLow] = [costs(12, 20, 200_000), costs(12, 24, 30_000)];
    expect(feeIsHigh.instalments).toBeLessThan(feeIsLow.instalments);
    expect(feeIsHigh.whole).toBeGreaterThan(feeIsLow.whole);
    await stage.tellAll(
      loan.id,
      over(stage, 12, 20, 200_000),
      over(stage, 12, 24, 30_000),
      DECLINED,
    );
    const [first, second] = cardsOf(await pageAt(loan.redirectUrl));
    expect([first.includes('Kaverisetu'), second.includes('Navdhara')]).toEqual([true, true]);
    expect([first, second].map(lowestIn)).toEqual([
      ['APR', 'You repay, with the fee'],
      ['EMI × 12 months'],
    ]);
  });

  it('and so does the lowest total where another offer has the lowest APR', async () => {
    const loan = await stage.create();
    // The longer one has the lower APR and the larger fee; its instalments alone come to less.
    const [long, short] = [costs(9, 18, 100_000), costs(6, 27.5, 10_000)];
    expect(long.instalments).toBeLessThan(short.instalments);
    expect(long.whole).toBeGreaterThan(short.whole);
    await stage.tellAll(
      loan.id,
      over(stage, 9, 18, 100_000),
      over(stage, 6, 27.5, 10_000),
      DECLINED,
    );
    const page = await pageAt(loan.redirectUrl);
    expect(cardsOf(page).map(lowestIn)).toEqual([
      ['EMI × 9 months', 'APR'],
      ['You repay, with the fee'],
    ]);
    for (const { cost } of [long, short]) expect(page).toContain(`costs you ${formatRupees(cost)}`);
  });
});
