import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import {
  catalogueOf,
  formatPercent,
  formatRupees,
  type Language,
  LANGUAGES,
  projectPath,
  translate,
} from '../../../src/platform/index.js';
import { type DrawnScreen, onEachScreen } from '../../support/drawn-screens.js';
import { plain } from '../../support/hosted-client.js';
import {
  ApplicantBrowser,
  applyForInstantLoan,
  atSandboxGateway,
  openGateway,
  untilOffered,
} from '../../support/instant-loans.js';
import { partnerClient } from '../../support/partner-client.js';
import type { TestService } from '../../support/service.js';
import { sharedService } from '../../support/shared-service.js';
import { StepJourney, TEST_MS } from '../hosted-steps/step-journey.js';

vi.setConfig({ testTimeout: TEST_MS, hookTimeout: TEST_MS });

/** The table of docs/contributors/glossary.md. */
const FIGURES = [
  ...readFileSync(projectPath('docs/contributors/glossary.md'), 'utf8').matchAll(
    /^\| [^|]+ \| `([\w.]+)` +\| ([^|]+?) +\| ([^|]+?) +\|$/gm,
  ),
].map(([, key, en, hi]) => ({ key, en, hi }));

/** Where a label of the statement's summary is a copy of its own, and what it is a copy of. */
const COPIES = [
  ['kfs.form5.short.emi.other', 'offers.emi.other'],
  ['kfs.form5.short.apr', 'offers.apr'],
  ['kfs.form5.short.get', 'offers.get'],
  ['kfs.form5.short.repay', 'offers.repay'],
  ['kfs.form5.short.repay-with-fee', 'instant.repay'],
] as const;

let service: TestService;
let drawn: DrawnScreen[] = [];

beforeAll(async () => {
  service = await sharedService();
  onEachScreen(service, (screen) => drawn.push(screen));
});

function textOf(language: Language, key: string): string {
  const text = catalogueOf(language).get(key);
  if (text === undefined) throw new Error(`${language} has no ${key}`);
  return text;
}

/** A figure on a page, and what it is called there. */
interface Labelled {
  readonly page: string;
  readonly label: string;
  readonly value: string;
}

const PAIR = /<dt>(.*?)<\/dt>\s*<dd>(.*?)<\/dd>/gs;

function labelled({ name, html }: DrawnScreen): Labelled[] {
  // Below the summary of a statement is the RBI's form, in the RBI's words.
  const [read] = name === 'offers/statement' ? html.split('class="kfs-form') : [html];
  return [...read.matchAll(PAIR)].map(([, label, value]) => ({
    page: name,
    label: plain(label),
    value: plain(value),
  }));
}

describe('the figures of a loan', () => {
  it('have in the catalogue the labels that the glossary lists', () => {
    expect(FIGURES.length).toBeGreaterThan(10);
    expect(FIGURES).toEqual(
      FIGURES.map(({ key }) => ({ key, en: textOf('en', key), hi: textOf('hi', key) })),
    );
  });

  it.each(LANGUAGES)('have in %s no second key that says the same', (language) => {
    const labels = new Map(FIGURES.map(({ key }) => [textOf(language, key), key]));
    const again = [...catalogueOf(language)].filter(
      ([key, text]) => labels.has(text) && labels.get(text) !== key && !key.startsWith('kfs.form'),
    );
    expect([labels.size, again]).toEqual([FIGURES.length, []]);
  });

  it.each(LANGUAGES)(
    'are called in the %s summary of a statement what the pages call them',
    (language) => {
      for (const [copy, key] of COPIES) expect(textOf(language, copy)).toBe(textOf(language, key));
    },
  );

  it.each(LANGUAGES)(
    'have one label each on every %s page from the offers to the last one, the provider’s with them',
    async (language) => {
      drawn = [];
      const journey = await StepJourney.at('OFFERS_RECEIVED', service, {}, { language });
      const { client } = journey;
      const [{ offerId }] = (await journey.view()).offers;
      for (const path of ['', `/${offerId}`, `/${offerId}/confirm?amount=200000`])
        await client.get(`/hosted/offers${path}`);
      for (const step of ['mandate', 'esign']) {
        await journey.driveTo(`${step.toUpperCase()}_PENDING`);
        await client.get(`/hosted/${step}`);
      }
      const { redirect, selected } = await journey.view();
      const provider = await client.get(new URL(redirect!.url).pathname);
      await client.open(provider.location);
      await client.open(new URL(selected!.kfsUrl).pathname);
      await client.post(provider.location, { decision: 'approve' });
      await journey.reaches('SANCTIONED');
      await client.open('/hosted');

      const { selection, statement } = selected!;
      const { totalPayable } = statement.aprComputation;
      const called: Readonly<Record<string, string>> = {
        [formatRupees(selection.loanAmount)]: textOf(language, 'offers.amount'),
        [formatRupees(selection.instalment)]: translate(language, 'offers.emi', {
          count: selection.tenureMonths,
        }),
        [formatRupees(totalPayable)]: textOf(language, 'offers.repay'),
        [formatRupees(selection.netDisbursed)]: textOf(language, 'offers.get'),
        [formatPercent(selection.annualRatePercent)]: textOf(language, 'offers.confirm.interest'),
        [formatPercent(selection.apr)]: textOf(language, 'offers.apr'),
      };
      const figures = drawn
        .flatMap(labelled)
        .map(({ page, label, value }) => ({
          page,
          // The confirmation says what the APR is.
          label:
            label === textOf(language, 'offers.confirm.apr')
              ? textOf(language, 'offers.apr')
              : label,
          wanted: called[/^[₹\d,.]+%?/.exec(value)?.[0].replace(/,$/, '') ?? ''],
        }))
        // On the first day leaving the loan costs what was received: another figure, with a label of its own.
        .filter(
          ({ wanted, label }) =>
            wanted !== undefined && label !== textOf(language, 'steps.exit.today'),
        );
      expect(figures.filter(({ label, wanted }) => label !== wanted)).toEqual([]);
      const shownOn = (key: string) =>
        [
          ...new Set(
            figures.filter(({ label }) => label === textOf(language, key)).map(({ page }) => page),
          ),
        ].toSorted();
      const pages = [
        'offers/amount',
        'offers/confirm',
        'offers/offers',
        'offers/statement',
        'sandbox/provider',
      ];
      expect(shownOn('offers.repay')).toEqual([...pages, 'steps/done', 'steps/esign'].toSorted());
      expect(shownOn('offers.get')).toEqual([...pages, 'steps/esign'].toSorted());
    },
  );

  it('are called the same on the pages of an instant loan, but for the total with its fee', async () => {
    drawn = [];
    const { json } = await applyForInstantLoan(partnerClient(service));
    const browser = new ApplicantBrowser();
    const url = json.data.redirectUrl;
    await untilOffered(browser, url);
    const gateway = await openGateway(browser, url);
    await atSandboxGateway(browser, gateway, 'pay');
    await browser.open(`${url}/done`);
    const own = drawn.filter(({ html }) => html.includes('<dl class="figs">'));
    expect(new Set(own.map(({ name }) => name))).toEqual(
      new Set(['instant/choose', 'instant/pay']),
    );
    for (const { html } of own) {
      const [, card = ''] = html.split('<dl class="figs">');
      const labels = [...card.matchAll(/<dt>([^<]+)/g)].map(([, label]) => label);
      expect(labels[0]).toMatch(/^EMI × \d+ months$/);
      expect(labels.slice(1)).toEqual(
        expect.arrayContaining(['APR', 'You get', 'You repay, with the fee', 'If an EMI is late']),
      );
    }
  });
});
