import { loanRequest, shortLoanRequest } from '../../support/loan-requests.ts';
import { Applicant, type Choices } from '../applicant.ts';
import type { Drive, Language, RecordedBrowser, Scenario } from '../drive.ts';
import { JOURNEY_PANS, JOURNEY_PRODUCTS, REDIRECT_STEPS } from '../lists.ts';

const DAY_SECONDS = 86_400;

interface HostedOptions {
  readonly productCode?: string;
  readonly pan?: string;
  readonly language?: Language;
  readonly body?: (mobile: string) => object;
}

interface Started {
  readonly applicant: Applicant;
  readonly browser: RecordedBrowser;
  readonly link: string;
}

async function startHosted(drive: Drive, options: HostedOptions = {}): Promise<Started> {
  const { language, body, ...given } = options;
  const mobile = drive.newMobile();
  const request = body?.(mobile) ?? loanRequest({ ...given, channel: 'API_HOSTED', mobile });
  const { json } = await drive.partner.initiate(request);
  const link = new URL(json.data.hostedUrl).pathname;
  const browser = drive.browser(language);
  await browser.open(link);
  return { applicant: new Applicant(drive, browser, mobile), browser, link };
}

async function atPage(drive: Drive, at: string, options: HostedOptions = {}): Promise<Started> {
  const started = await startHosted(drive, options);
  await started.applicant.goOn({ until: new RegExp(`^/hosted/${at}`) });
  return started;
}

function hosted(name: string, options: HostedOptions, choices: Choices = {}): Scenario {
  return {
    name: `hosted/${name}`,
    async play(drive) {
      const { applicant } = await startHosted(drive, options);
      await applicant.goOn(choices);
    },
  };
}

function stopped(at: string, options: HostedOptions = {}): Scenario {
  return {
    name: `hosted/stop/${options.productCode ?? 'ONLINE_PERSONAL'}-${at}`,
    async play(drive) {
      const { browser } = await atPage(drive, at, options);
      await browser.open('/hosted/stop');
      await browser.send303();
      await browser.open('/hosted');
    },
  };
}

function abandoned(at: string): Scenario {
  return {
    name: `hosted/abandoned/${at}`,
    days: 9,
    async play(drive) {
      const { browser, link } = await atPage(drive, at);
      await drive.travel(8 * DAY_SECONDS);
      await browser.open(link);
    },
  };
}

const shortBody = (mobile: string) => ({ ...shortLoanRequest(), mobile, channel: 'API_HOSTED' });

export const HOSTED: readonly Scenario[] = [
  ...JOURNEY_PRODUCTS.flatMap((productCode) =>
    (['en', 'hi'] as const).map((language) =>
      hosted(`${productCode}/${language}`, { productCode, language }),
    ),
  ),
  hosted('form-B', { body: shortBody }),
  hosted('form-B/hi', { body: shortBody, language: 'hi' }),
  ...JOURNEY_PANS.map(({ pan, outcome }) => hosted(`pan/${outcome}`, { pan })),
  hosted('every-link', {}, { looksAround: true }),
  hosted('every-link/hi', { language: 'hi' }, { looksAround: true }),
  hosted('every-link/gold', { productCode: 'ONLINE_GOLD' }, { looksAround: true }),
  hosted('empty-forms', { body: shortBody }, { sendsEmptyFirst: true }),
  hosted('empty-forms/hi', { body: shortBody, language: 'hi' }, { sendsEmptyFirst: true }),
  hosted('account/refused-once', {}, { accounts: ['123456780000', '123456789012'] }),
  hosted('account/refused-thrice', {}, { accounts: ['123456780000'] }),
  hosted('account/refused-for-good', {}, { accounts: ['123456789999'] }),
  ...['decline', 'leave'].flatMap((decision) =>
    REDIRECT_STEPS.map((step, index) =>
      hosted(
        `provider/${step}-${decision}`,
        {},
        {
          decisions: [...REDIRECT_STEPS.slice(0, index).map(() => 'approve'), decision, 'approve'],
        },
      ),
    ),
  ),
  hosted('provider/declined-always', {}, { decisions: ['decline'] }),
  ...['check', 'offers', 'kyc', 'bank-account', 'mandate', 'esign'].map((at) => stopped(at)),
  ...['branch', 'kyc', 'esign'].map((at) => stopped(at, { productCode: 'ONLINE_GOLD' })),
  ...['code', 'offers', 'kyc', 'mandate', 'esign'].map(abandoned),
  {
    name: 'hosted/paid-out',
    days: 9,
    async play(drive) {
      const { applicant, browser } = await atPage(drive, 'done');
      for (const path of ['/hosted/done/cannot-pay', '/hosted/data']) await browser.open(path);
      const calendar = await browser.get('/hosted/done/instalments.ics');
      const lines = calendar.text.split('\r\n');
      drive.note({ what: 'calendar', lines: lines.length, first: lines.slice(0, 16) });
      for (const days of [2, 2, 3]) {
        await drive.travel(days * DAY_SECONDS);
        await applicant.follow(new URL(await drive.link(applicant.mobile)).pathname);
      }
    },
  },
  {
    name: 'hosted/another-offer',
    async play(drive) {
      const { applicant } = await atPage(drive, 'kyc');
      await applicant.follow('/hosted/offers');
    },
  },
  {
    name: 'hosted/link-expired',
    days: 5,
    async play(drive) {
      const { applicant, browser, link } = await startHosted(drive);
      await drive.travel(4 * DAY_SECONDS);
      await browser.open(link);
      await browser.open('/hosted/link');
      await browser.send303({ mobile: applicant.mobile });
      await applicant.follow(new URL(await drive.link(applicant.mobile)).pathname);
    },
  },
  {
    name: 'hosted/another-browser',
    async play(drive) {
      const { link } = await startHosted(drive);
      for (const path of [link, '/hosted', '/hosted/offers', '/hosted/returned/KYC']) {
        await drive.browser().open(path);
      }
    },
  },
  {
    name: 'hosted/no-amount',
    async play(drive) {
      const { applicant, browser } = await startHosted(drive, { body: shortBody });
      await browser.send303({ loanAmount: '100' });
      await applicant.goOn();
    },
  },
  {
    name: 'hosted/wrong-codes',
    async play(drive) {
      const { browser } = await startHosted(drive);
      await browser.send303();
      for (let time = 0; time < 6; time += 1) await browser.send303({ code: '000000' });
    },
  },
  {
    name: 'pages/common',
    async play(drive) {
      for (const language of ['en', 'hi'] as const) {
        const browser = drive.browser(language);
        for (const path of [
          '/returned',
          '/nowhere',
          '/ranking',
          '/data',
          '/hosted/link',
          '/hosted',
        ]) {
          await browser.open(path);
        }
      }
    },
  },
];
