import { Logger } from '@nestjs/common';
import { afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { LenderUnavailable } from '../../../src/lenders/index.js';
import { BANK_ACCOUNT, REDIRECT_DEFINITIONS } from '../../../src/journey-steps/index.js';
import { addMonths, dayInIndia } from '../../../src/loans/index.js';
import { Database, formatDate } from '../../../src/platform/index.js';
import { SandboxLender } from '../../../src/sandbox/index.js';
import { LenderCatalogue } from '../../../src/settings/index.js';
import { formOf, plain } from '../../support/hosted-client.js';
import type { TestService } from '../../support/service.js';
import { sharedService } from '../../support/shared-service.js';
import { ACCOUNT, StepJourney, TEST_MS, wordsOf } from './step-journey.js';

vi.setConfig({ testTimeout: TEST_MS, hookTimeout: TEST_MS });

/** The pause before the lender is asked for another session. */
const SESSION_PAUSE_MS = 10_001;
const GOLD = { productCode: 'ONLINE_GOLD' };
/** A branch of another lender. */
const OTHER_BRANCH = 'brn_01a1fcf153ad7174853dd701385fe9c0';

let service: TestService;

beforeAll(async () => {
  service = await sharedService();
});

afterEach(() => {
  vi.restoreAllMocks();
});

function lender(): SandboxLender {
  return service.get(SandboxLender);
}

function setTries(step: object & { maxTries: number }, maxTries: number): void {
  const before = step.maxTries;
  onTestFinished(() => void Object.assign(step, { maxTries: before }));
  Object.assign(step, { maxTries });
}

it('the branch: shows the lender’s branches by name, with address and map, and takes one of them once', async () => {
  const journey = await StepJourney.at('OFFER_SELECTED', service, GOLD);
  const { client } = journey;
  const page = await client.open('/hosted');
  expect([page.path, page.heading]).toEqual(['/hosted/branch', 'Where will you take your gold?']);
  const words = wordsOf(page);
  const places = ['Ameerpet', 'Ernakulam', 'R. S. Puram', 'T. Nagar'].map((name) =>
    words.indexOf(` ${name} `),
  );
  expect(places).toEqual(places.toSorted((one, other) => one - other));
  expect(places.every((place) => place > 0)).toBe(true);
  expect(words).toContain('56 Usman Road, T. Nagar, Chennai 600017');
  expect(page.text).toContain('google.com/maps/search/');
  expect(words).toContain('Step 5 of 8');
  // Only this page may ask the browser for the location.
  expect(page.headers.get('permissions-policy')).toContain('geolocation=(self)');

  for (const branchLocationId of ['', 'brn_nowhere', OTHER_BRANCH]) {
    const again = await client.submit({ branchLocationId });
    expect(again.text).toContain('<a href="#branchLocationId">');
    expect((await journey.view()).state).toBe('OFFER_SELECTED');
  }
  const { branches } = (await journey.view()).selected!.offer.terms;
  const tab = client.copy();
  expect((await client.submit({ branchLocationId: branches[0].id })).location).toBe('/hosted');
  const late = await tab.submit({ branchLocationId: branches[1].id });
  expect([late.status, late.location]).toEqual([303, '/hosted/kyc']);
  expect((await journey.view()).selected?.branch?.id).toBe(branches[0].id);
});

const STEPS = [
  ['KYC', '/hosted/kyc', 'Verify your identity', 'Step 5 of 8'],
  ['MANDATE', '/hosted/mandate', 'Set up Autopay (eNACH)', 'Step 7 of 8'],
  ['ESIGN', '/hosted/esign', 'Sign the agreement', 'Step 8 of 8'],
] as const;

it('each step says what will happen, and leads to the provider by our own link; the signature is asked for below what is signed', async () => {
  const today = dayInIndia(service.now());
  const due = (months: number) => plain(formatDate('en', addMonths(today, months)));
  const facts = {
    KYC: [],
    MANDATE: [
      'Collected by Navdhara Capital Limited',
      'From HDFC0001234 ••••9012',
      'EMI × 36 months ₹6,594',
      'At most at one time ₹9,891',
      `First EMI ${due(1)} or later`,
      `Last EMI ${due(36)} or later`,
      'The EMI and charges that are due; nothing else Your bank refuses more.',
      'Ending Autopay Any time, at your bank',
      'If no loan is paid out, Navdhara may collect nothing',
      'Without Autopay Navdhara pays out no loan.',
    ],
    ESIGN: [
      'Navdhara Capital Limited',
      '₹6,594',
      '₹2,37,393',
      '13.23%',
      '₹1,95,080',
      '3 days after payout, no penalty',
    ],
  };
  const journey = await StepJourney.begin(service);
  const { client } = journey;
  for (const [step, path, heading, count] of STEPS) {
    setTries(
      REDIRECT_DEFINITIONS.find(({ name }) => name === step)!,
      7,
    );
    await journey.driveTo(`${step}_PENDING`);
    const { redirect, selected } = await journey.view();
    const { url } = redirect!;
    const page = await client.open('/hosted');
    expect([page.path, page.heading]).toEqual([path, heading]);
    expect(page.text).toMatch(/class="btn" href="http[^"]+\/r\/rdr_[\w.-]+"/);
    for (const said of [
      count,
      `The next page is Sandbox Provider at ${new URL(service.baseUrl).host} . Close any other.`,
      'We never ask for your Aadhaar OTP.',
      ...facts[step],
    ])
      expect(wordsOf(page)).toContain(said);
    expect(page.text.includes(`href="${selected!.kfsUrl}.pdf"`)).toBe(step === 'ESIGN');

    const visit = await client.get(new URL(url).pathname);
    const returned = () => client.open(`/hosted/returned/${step}`);
    // With nothing done the page is unchanged, and leads to the same provider page.
    const left = await returned();
    expect([left.path, left.heading]).toEqual([path, heading]);
    const ask = vi.spyOn(lender(), 'ask').mockResolvedValue({ status: 'PENDING' });
    const waiting = await returned();
    ask.mockRestore();
    expect(waiting.heading).toMatch(/^Waiting for/);
    for (const each of [page, left, waiting]) {
      expect(each.text.includes('http-equiv="refresh"')).toBe(each === waiting);
      expect(each.text).toContain(`href="${url}"`);
    }

    await client.post(visit.location, { decision: 'decline' });
    const failed = await returned();
    expect(failed.path).toBe(path);
    expect(wordsOf(failed)).toContain('You can try 6 more times.');
    const again = (await journey.view()).redirect!;
    expect([again.attempt, again.url === url]).toEqual([2, false]);
    expect(failed.text).not.toContain(`href="${url}"`);
    expect(failed.text).toContain(`href="${again.url}"`);
    if (step !== 'MANDATE') continue;
    await journey.query(
      `UPDATE journey_offers SET terms = terms - 'mandateLimitPercent' WHERE journey_id = $1`,
    );
    const words = wordsOf(await client.get(path));
    expect(words).toContain('At most at one time Your bank’s page names the amount');
    expect(words).not.toContain('₹9,891');
  }
});

describe('a provider that the configuration names', () => {
  const HOST = 'kyc.example.in';
  const ELSEWHERE = [
    `https://a.${HOST}/visit`,
    'https://example.in/visit',
    `https://${HOST}.evil.example/visit?token=secret`,
    `https://not${HOST}/visit`,
    'https://k\u0443c.example.in/visit',
    `https://${HOST}@evil.example/visit`,
    `https://${HOST}:8443/visit`,
    `http://${HOST}/visit`,
    'javascript:alert(1)',
  ];

  it('is named with its host, and is the only one: no applicant is sent elsewhere, and one line is logged', async () => {
    const journey = await StepJourney.at('KYC_PENDING', service);
    const catalogue = service.get<LenderCatalogue>(LenderCatalogue);
    const find = catalogue.find.bind(catalogue);
    vi.spyOn(catalogue, 'find').mockImplementation(async (code) => {
      const found = await find(code);
      const providers = [{ step: 'KYC' as const, name: 'Kyc Services', host: HOST }];
      const terms = { ...found?.terms, providers };
      return found && ({ ...(found as object), terms } as typeof found);
    });
    const words = wordsOf(await journey.client.get('/hosted/kyc'));
    expect(words).toContain(`The next page is Kyc Services at ${HOST} . Close any other.`);
    const link = new URL((await journey.view()).redirect!.url).pathname;
    const open = vi.spyOn(lender(), 'openSession');
    const visit = async (url: string) => {
      open.mockResolvedValueOnce({ kind: 'OPENED', url, covers: ['KYC'] });
      await service.travel(SESSION_PAUSE_MS);
      return journey.client.get(link);
    };
    for (const url of [...ELSEWHERE, ELSEWHERE[2]]) {
      const { status, location, headers, text } = await visit(url);
      expect([url, status, location, headers.get('retry-after')]).toEqual([url, 503, '', '5']);
      expect(text).not.toContain('/visit');
    }
    const [{ visited_at }] = await journey.query<{ visited_at: Date | null }>(
      'SELECT visited_at FROM journey_redirects WHERE journey_id = $1',
    );
    expect([visited_at, (await journey.view()).state]).toEqual([null, 'KYC_PENDING']);
    const right = `https://${HOST.toUpperCase()}:443/visit?a=1`;
    for (let times = 0; times < 2; times += 1) {
      expect(await visit(right)).toMatchObject({ status: 303, location: right });
    }
    // A rejected session is not requested again.
    const keys = open.mock.calls.map(([{ idempotencyKey }]) => idempotencyKey.split(':').at(-1));
    expect(keys).toEqual(['1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'b']);
    const [[{ lender: asked }]] = open.mock.calls;
    const origin = `https://${HOST}.evil.example`;
    const flags = await service.get<Database>(Database).query(
      `SELECT subject_id, detail FROM operator_flags
         WHERE kind = 'SESSION_ELSEWHERE' AND detail ->> 'origin' = $1`,
      [origin],
    );
    const detail = { lenderCode: asked.code, step: 'KYC', origin, host: HOST };
    expect(flags).toEqual([{ subject_id: asked.code, detail: expect.objectContaining(detail) }]);
  });
});

it('reloads of the link to a provider within ten seconds lead to the session that was opened, or to a page that waits after a failure', async () => {
  const journey = await StepJourney.at('KYC_PENDING', service);
  const link = new URL((await journey.view()).redirect!.url).pathname;
  const reload = () => journey.client.get(link);
  const open = vi.spyOn(lender(), 'openSession');
  const errors = vi.spyOn(Logger.prototype, 'error');
  open.mockRejectedValueOnce(new LenderUnavailable('down'));
  expect((await reload()).status).toBe(503);
  expect(errors).not.toHaveBeenCalled();
  for (let time = 0; time < 3; time += 1) {
    const page = await reload();
    expect([page.status, page.heading]).toEqual([200, 'One moment']);
    expect(page.text).toContain('http-equiv="refresh"');
  }
  expect(open).toHaveBeenCalledTimes(1);
  await service.travel(SESSION_PAUSE_MS);
  const { location } = await reload();
  for (let time = 0; time < 3; time += 1) {
    expect(await reload()).toMatchObject({ status: 303, location });
  }
  expect(open).toHaveBeenCalledTimes(2);
  await service.travel(SESSION_PAUSE_MS);
  expect(await reload()).toMatchObject({ status: 303, location });
  expect(open).toHaveBeenCalledTimes(3);
});

describe('the bank account', () => {
  it('is asked for with the name that is known; what is wrong or refused is explained, until no try is left', async () => {
    setTries(BANK_ACCOUNT, 2);
    const journey = await StepJourney.at('BANK_ACCOUNT_PENDING', service);
    const { client } = journey;
    const page = await client.open('/hosted');
    expect([page.path, page.heading]).toEqual([
      '/hosted/bank-account',
      'Where should the money go?',
    ]);
    expect(page.text).toContain('value="Asha Verma"');
    expect(page.text).not.toContain(' checked');
    expect(wordsOf(page)).toContain('Navdhara pays ₹1,95,080. The account must be your own.');
    const { acctype, ...others } = ACCOUNT;
    const many = await client.submit({ ...others, accHolderName: '', accNo: '1', accNoAgain: '1' });
    const [, mistakes] = /class="errors"[^]*?<h2[^>]*>[^<]*<\/h2>([^]*?)<\/ul>/.exec(many.text)!;
    expect(mistakes.match(/<li>/g)).toHaveLength(3);
    expect(mistakes).toContain('<a href="#acctype">');
    expect(many.text).toContain('name="accNoAgain" type="text" value=""');
    expect(many.text).not.toContain(' checked');
    const chosen = await client.submit({ acctype: 'CURRENT' });
    expect(chosen.text).toMatch(/value="CURRENT" checked/);
    const unknown = await client.submit({ ...ACCOUNT, ifscCode: 'HDFC0ZZZZZZ' });
    expect(wordsOf(unknown)).toContain('HDFC Bank. We don’t know HDFC0ZZZZZZ');
    expect(await journey.view()).toMatchObject({ state: 'BANK_ACCOUNT_PENDING', stepFailures: 0 });

    const verify = vi.spyOn(lender(), 'verifyAccount');
    verify.mockRejectedValueOnce(new LenderUnavailable('down'));
    const away = await client.submit({ ...ACCOUNT, acctype });
    expect([away.status, away.heading]).toEqual([
      503,
      'Navdhara Capital Limited can’t be reached right now',
    ]);
    expect(away.text).toContain('href="/hosted/bank-account"');
    verify.mockResolvedValue({ kind: 'REFUSED', reason: 'ACCOUNT_NOT_FOUND' });
    await client.get('/hosted/bank-account');
    const refused = await client.submit(ACCOUNT);
    expect(refused.text).toContain('value="1234 5678 9012"');
    // The page still says it after coming back.
    for (const each of [refused, await client.get('/hosted/bank-account')]) {
      expect(wordsOf(each)).toContain('Tries left: 1.');
      expect(wordsOf(each)).toContain('The bank cannot pay into this account.');
    }
    expect((await client.submit(ACCOUNT)).location).toBe('/hosted');
    expect(await client.open('/hosted')).toMatchObject({
      path: '/hosted/rejected',
      heading: 'The account could not be used',
    });
  });

  it('is taken once the bank and branch of its IFSC have been shown, and once when it is sent twice', async () => {
    const journey = await StepJourney.at('BANK_ACCOUNT_PENDING', service);
    const { client } = journey;
    const { ifscShown: _, ...typed } = ACCOUNT;
    await client.get('/hosted/bank-account');
    const page = await client.submit(typed);
    expect(wordsOf(page)).toContain('HDFC Bank');
    expect(wordsOf(page)).toContain('Yes, continue');
    expect(page.text).not.toContain('id="errors-title"');
    expect((await journey.view()).state).toBe('BANK_ACCOUNT_PENDING');
    // The fields are empty, the repeated number included.
    for (const name of ['accNo', 'accNoAgain', 'ifscCode'] as const) {
      expect(page.text).toContain(`name="${name}" type="text" value="${ACCOUNT[name]}"`);
    }
    const other = { ...typed, ifscCode: 'SBIN0000300' };
    expect(wordsOf(await client.submit(other))).toContain('State Bank of India');
    const again = client.copy();
    for (const taken of await Promise.all([client.submit(other), again.submit(other)])) {
      expect(taken.status).toBe(303);
    }
    const { bankAccount } = await journey.reaches('MANDATE_PENDING');
    expect(bankAccount).toMatchObject({ ifscCode: 'SBIN0000300' });
    const rows = await journey.query(
      `SELECT 1 FROM journey_intents WHERE journey_id = $1 AND kind = 'SUBMIT_BANK_ACCOUNT'
         AND status = 'COMPLETED'`,
    );
    expect(rows).toHaveLength(1);
  });

  it('tells the branch to its form alone, in its own step, to who is signed in', async () => {
    const path = '/hosted/bank-account/branch';
    const journey = await StepJourney.at('OFFER_SELECTED', service, GOLD);
    const { client } = journey;
    const early = formOf(await client.get('/hosted/branch')).hidden;
    const other = await client.post(path, { csrf: early.csrf, ifscCode: 'HDFC0001234' });
    expect([other.status, other.location]).toEqual([303, '/hosted/branch']);
    await journey.driveTo('BANK_ACCOUNT_PENDING');
    const { csrf } = formOf(await client.get('/hosted/bank-account')).hidden;
    const ask = (ifscCode: string) => client.post(path, { csrf, ifscCode });
    expect(wordsOf(await ask('hdfc 0001234'))).toContain('HDFC Bank');
    for (const typed of ['HDFC000123', '../../package', '<b>HDFC0001234']) {
      const page = await ask(typed);
      expect([typed, page.status]).toEqual([typed, 200]);
      expect(page.text).toContain('<div id="bank-branch"></div>');
    }
    const without: Record<string, string>[] = [{}, { csrf: 'x' }];
    for (const token of without) {
      const refused = await client.post(path, { ifscCode: 'HDFC0001234', ...token });
      expect([refused.status, refused.text.includes('HDFC Bank')]).toEqual([403, false]);
    }
    client.cookies.set('session', 'another-session');
    const stranger = await ask('HDFC0001234');
    expect([stranger.status, stranger.location]).toEqual([303, '/hosted/link']);
  });
});

describe('every screen', () => {
  const PATHS = [
    'offers',
    'branch',
    'kyc',
    'bank-account',
    'mandate',
    'esign',
    'disbursement',
    'done',
    'done/cannot-pay',
    'done/instalments.ics',
    'rejected',
    'abandoned',
  ].map((page) => `/hosted/${page}`);

  it('is never cached, framed or fed by another host; leads to the journey’s own, and without a verified session to a new link', async () => {
    const { client } = await StepJourney.at('KYC_PENDING', service);
    const { status, headers, text } = await client.get('/hosted/kyc');
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(headers.get('permissions-policy')).toContain('geolocation=()');
    const policy = headers.get('content-security-policy')!;
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
    expect(text).not.toMatch(/<script(?![^>]*src="\/assets\/)/);
    expect(text).not.toMatch(/ style="/);

    for (const path of ['/hosted/branch', '/hosted/bank-account', '/hosted/offers/x/confirm']) {
      expect((await client.post(path, { ...ACCOUNT, csrf: 'x' })).status).toBe(403);
    }
    const leadsTo = async (paths: string[], to: string) => {
      for (const path of paths) {
        const answer = await client.get(path);
        expect([path, answer.status, answer.location]).toEqual([path, 303, to]);
      }
    };
    // The comparison is open until the agreement is signed.
    const open = new Set(['/hosted/kyc', '/hosted/offers']);
    await leadsTo(
      PATHS.filter((each) => !open.has(each)),
      '/hosted/kyc',
    );
    client.cookies.set('session', 'another-session');
    const offers = ['/hosted/offers/off_x', '/hosted/offers/off_x/confirm'];
    await leadsTo([...PATHS, '/hosted/moment', ...offers], '/hosted/link');
  });
});
