import { Logger } from '@nestjs/common';
import { afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { LenderUnavailable } from '../../../src/lenders/index.js';
import { BANK_ACCOUNT, REDIRECT_DEFINITIONS } from '../../../src/journey-steps/index.js';
import { addMonths, dayInIndia } from '../../../src/loans/index.js';
import { Database, formatDate, translate } from '../../../src/platform/index.js';
import { SandboxLender } from '../../../src/sandbox/index.js';
import { LenderCatalogue } from '../../../src/settings/index.js';
import { formOf, plain } from '../../support/hosted-client.js';
import type { TestService } from '../../support/service.js';
import { sharedService } from '../../support/shared-service.js';
import { ACCOUNT, journeysToLookAt, StepJourney, TEST_MS, wordsOf } from './step-journey.js';

vi.setConfig({ testTimeout: TEST_MS, hookTimeout: TEST_MS });

/** So long the lender is not asked for another session. */
const SESSION_PAUSE_MS = 10_001;
const GOLD = { productCode: 'ONLINE_GOLD' };

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

const lookAt = journeysToLookAt(() => service);

describe('the branch', () => {
  const atBranch = () => lookAt('OFFER_SELECTED', GOLD);

  it('200: shows the lender’s branches by name, with address and map', async () => {
    const { client } = await atBranch();
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
    // The browser may be asked for the place here, and nowhere else.
    expect(page.headers.get('permissions-policy')).toContain('geolocation=(self)');
  });

  it.each([
    ['nothing', {}],
    ['what is no branch', { branchLocationId: 'brn_nowhere' }],
    ['a branch of another lender', { branchLocationId: 'brn_01a1fcf153ad7174853dd701385fe9c0' }],
  ])('chosen as %s is asked for again', async (_, fields) => {
    const journey = await atBranch();
    await journey.client.get('/hosted/branch');
    const page = await journey.client.submit(fields);
    expect(page.text).toContain(
      `<a href="#branchLocationId">${translate('en', 'offers.visit.missing')}</a>`,
    );
    expect((await journey.view()).state).toBe('OFFER_SELECTED');
  });

  it('303: is chosen once, and the second tab goes where the journey is', async () => {
    const journey = await StepJourney.at('OFFER_SELECTED', service, GOLD);
    const { client } = journey;
    const { selected } = await journey.view();
    const [first, second] = selected!.offer.terms.branches;
    await client.get('/hosted/branch');
    const tab = client.copy();
    const chosen = await client.submit({ branchLocationId: first.id });
    expect([chosen.status, chosen.location]).toEqual([303, '/hosted']);
    const late = await tab.submit({ branchLocationId: second.id });
    expect([late.status, late.location]).toEqual([303, '/hosted/kyc']);
    expect((await journey.view()).selected?.branch?.id).toBe(first.id);
  });
});

describe.each([
  ['KYC', '/hosted/kyc', 'Verify your identity', 'Step 5 of 8'],
  ['MANDATE', '/hosted/mandate', 'Set up Autopay (eNACH)', 'Step 7 of 8'],
  ['ESIGN', '/hosted/esign', 'Sign the agreement', 'Step 8 of 8'],
])('the step %s', (step, path, heading, count) => {
  it('says what will happen, and leads to the provider by our own link; then what came of each visit', async () => {
    const definition = REDIRECT_DEFINITIONS.find(({ name }) => name === step)!;
    const { maxTries } = definition;
    onTestFinished(() => void Object.assign(definition, { maxTries }));
    Object.assign(definition, { maxTries: 7 });
    const journey = await StepJourney.at(`${step}_PENDING`, service);
    const { client } = journey;
    const { url } = (await journey.view()).redirect!;
    const page = await client.open('/hosted');
    expect([page.path, page.heading]).toEqual([path, heading]);
    expect(page.text).toMatch(/class="btn" href="http[^"]+\/r\/rdr_[\w.-]+"/);
    const { host } = new URL(service.baseUrl);
    for (const said of [
      count,
      `The next page is Sandbox Provider at ${host} . Close any other.`,
      'We never ask for your Aadhaar OTP.',
    ])
      expect(wordsOf(page)).toContain(said);

    const visit = await client.get(new URL(url).pathname);
    const returned = () => client.open(`/hosted/returned/${step}`);
    // With nothing done it is shown as before, and leads to the same page again.
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
  });
});

describe('a provider that the configuration names', () => {
  const KYC_HOST = 'kyc.example.in';

  /** A journey at KYC whose lender has a provider, and a visit to its link that the lender answers so. */
  async function toProvider(at = StepJourney.at('KYC_PENDING', service)) {
    const journey = await at;
    const catalogue = service.get<LenderCatalogue>(LenderCatalogue);
    const find = catalogue.find.bind(catalogue);
    vi.spyOn(catalogue, 'find').mockImplementation(async (code) => {
      const found = await find(code);
      const providers = [{ step: 'KYC' as const, name: 'Kyc Services', host: KYC_HOST }];
      const terms = { ...found?.terms, providers };
      return found && ({ ...(found as object), terms } as typeof found);
    });
    const link = new URL((await journey.view()).redirect!.url).pathname;
    const open = vi.spyOn(lender(), 'openSession');
    const visit = (url: string) => {
      open.mockResolvedValueOnce({ kind: 'OPENED', url, covers: ['KYC'] });
      return journey.client.get(link);
    };
    return { journey, open, visit };
  }

  it('is named with its host, and the applicant is sent there', async () => {
    const { journey, visit } = await toProvider();
    const words = wordsOf(await journey.client.get('/hosted/kyc'));
    expect(words).toContain(`The next page is Kyc Services at ${KYC_HOST} . Close any other.`);
    const url = `https://${KYC_HOST.toUpperCase()}:443/visit?a=1`;
    expect(await visit(url)).toMatchObject({ status: 303, location: url });
  });

  it.each([
    ['below it', `https://a.${KYC_HOST}/visit`],
    ['above it', 'https://example.in/visit'],
    ['that begins like it', `https://${KYC_HOST}.evil.example/visit`],
    ['that ends like it', `https://not${KYC_HOST}/visit`],
    ['in other letters', 'https://k\u0443c.example.in/visit'],
    ['behind its name', `https://${KYC_HOST}@evil.example/visit`],
    ['with another port', `https://${KYC_HOST}:8443/visit`],
    ['without encryption', `http://${KYC_HOST}/visit`],
    ['that is none', 'javascript:alert(1)'],
  ])('is the only one: nobody is sent to an address %s', async (_, url) => {
    const { journey, visit } = await toProvider(lookAt('KYC_PENDING'));
    await service.travel(SESSION_PAUSE_MS);
    const { status, location, headers, text } = await visit(url);
    expect([status, location, headers.get('retry-after')]).toEqual([503, '', '5']);
    expect(text).not.toContain('/visit');
    const [{ visited_at }] = await journey.query<{ visited_at: Date | null }>(
      'SELECT visited_at FROM journey_redirects WHERE journey_id = $1',
    );
    expect(visited_at).toBeNull();
    expect((await journey.view()).state).toBe('KYC_PENDING');
  });

  it('refuses once: the operator is told once, and the next visit asks for another session', async () => {
    const { open, visit } = await toProvider();
    const elsewhere = 'https://told.example/visit?token=secret';
    for (let tries = 0; tries < 2; tries += 1) {
      expect((await visit(elsewhere)).status).toBe(503);
      await service.travel(SESSION_PAUSE_MS);
    }
    for (let tries = 0; tries < 2; tries += 1) {
      expect((await visit(`https://${KYC_HOST}/visit`)).status).toBe(303);
      await service.travel(SESSION_PAUSE_MS);
    }
    const keys = open.mock.calls.map(([{ idempotencyKey }]) => idempotencyKey.split(':').at(-1));
    expect(keys).toEqual(['1', '2', '3', '3']);
    const [{ lenderCode }] = open.mock.calls.map(
      ([
        {
          lender: { code },
        },
      ]) => ({ lenderCode: code }),
    );
    const flags = await service.get<Database>(Database).query(
      `SELECT subject_id, detail FROM operator_flags
         WHERE kind = 'SESSION_ELSEWHERE' AND detail ->> 'origin' = 'https://told.example'`,
    );
    const detail = { lenderCode, step: 'KYC', origin: 'https://told.example', host: KYC_HOST };
    expect(flags).toEqual([{ subject_id: lenderCode, detail: expect.objectContaining(detail) }]);
  });
});

describe('reloads of the link to a provider', () => {
  async function atKyc() {
    const journey = await StepJourney.at('KYC_PENDING', service);
    const link = new URL((await journey.view()).redirect!.url).pathname;
    return { reload: () => journey.client.get(link), open: vi.spyOn(lender(), 'openSession') };
  }

  it('within ten seconds lead to the session that was opened, and ask the lender once', async () => {
    const { reload, open } = await atKyc();
    const { location } = await reload();
    for (let time = 0; time < 5; time += 1) {
      expect(await reload()).toMatchObject({ status: 303, location });
    }
    expect(open).toHaveBeenCalledTimes(1);
    await service.travel(SESSION_PAUSE_MS);
    expect(await reload()).toMatchObject({ status: 303, location });
    expect(open).toHaveBeenCalledTimes(2);
  });

  it('after a failure ask the lender again after ten seconds; a page waits until then', async () => {
    const { reload, open } = await atKyc();
    const errors = vi.spyOn(Logger.prototype, 'error');
    open.mockRejectedValueOnce(new LenderUnavailable('down'));
    expect((await reload()).status).toBe(503);
    expect(errors).not.toHaveBeenCalled();
    for (let time = 0; time < 5; time += 1) {
      const page = await reload();
      expect([page.status, page.heading]).toEqual([200, 'One moment']);
      expect(page.text).toContain('http-equiv="refresh"');
    }
    expect(open).toHaveBeenCalledTimes(1);
    await service.travel(SESSION_PAUSE_MS);
    expect((await reload()).status).toBe(303);
  });
});

describe('the mandate', () => {
  async function wordsOfMandate(journey: StepJourney): Promise<string> {
    return wordsOf(await journey.client.get('/hosted/mandate'));
  }

  it('says who collects from where, how much at most, from when until when, and how it ends', async () => {
    const words = await wordsOfMandate(await StepJourney.at('MANDATE_PENDING', service));
    const today = dayInIndia(service.now());
    const due = (months: number) => plain(formatDate('en', addMonths(today, months)));
    for (const fact of [
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
    ])
      expect(words).toContain(fact);
  });

  it('leaves the highest amount to the page of the bank where the configuration does not say it', async () => {
    const journey = await StepJourney.at('MANDATE_PENDING', service);
    await journey.query(
      `UPDATE journey_offers SET terms = terms - 'mandateLimitPercent' WHERE journey_id = $1`,
    );
    const words = await wordsOfMandate(journey);
    expect(words).toContain('At most at one time Your bank’s page names the amount');
    expect(words).not.toContain('₹9,891');
  });
});

describe('the signature', () => {
  it('is asked for below what is signed: lender, amounts, and the statement', async () => {
    const journey = await StepJourney.at('ESIGN_PENDING', service);
    const page = await journey.client.get('/hosted/esign');
    const { selected } = await journey.view();
    const words = wordsOf(page);
    for (const fact of [
      'Navdhara Capital Limited',
      '₹6,594',
      '₹2,37,393',
      '13.23%',
      '₹1,95,080',
      '3 days after payout, no penalty',
    ])
      expect(words).toContain(fact);
    expect(page.text).toContain(`href="${selected!.kfsUrl}.pdf"`);
  });
});

describe('the bank account', () => {
  const atAccount = () => lookAt('BANK_ACCOUNT_PENDING');

  it('200: asks with the name that is known, and nothing else filled in', async () => {
    const { client } = await atAccount();
    const page = await client.open('/hosted');
    expect([page.path, page.heading]).toEqual([
      '/hosted/bank-account',
      'Where should the money go?',
    ]);
    expect(page.text).toContain('value="Asha Verma"');
    expect(page.text).not.toContain(' checked');
    expect(wordsOf(page)).toContain('Navdhara pays ₹1,95,080. The account must be your own.');
  });

  it.each([
    [{ accHolderName: ' ' }, 'Enter the name in your passbook'],
    [{ acctype: 'GOLD' }, 'Choose savings or current'],
    [{ accNo: '' }, 'Enter the account number (9–18 digits)'],
    [{ accNo: '12345678' }, 'Enter the account number (9–18 digits)'],
    [{ accNo: '12345678901234567890' }, 'Enter the account number (9–18 digits)'],
    [{ accNoAgain: '' }, 'Enter the same account number again'],
    [{ accNoAgain: '123456789013' }, 'Enter the same account number again'],
    [{ ifscCode: '' }, 'Enter an IFSC, such as HDFC0001234'],
    [{ ifscCode: 'HDFC1001234' }, 'Enter an IFSC, such as HDFC0001234'],
  ])(
    'typed with %j is shown again, and the second number is asked anew',
    async (fields, message) => {
      const journey = await atAccount();
      await journey.client.get('/hosted/bank-account');
      const page = await journey.client.submit({ ...ACCOUNT, ...fields });
      expect(wordsOf(page)).toContain(message);
      expect(page.text).toContain('name="accNoAgain" type="text" value=""');
      expect(await journey.view()).toMatchObject({
        state: 'BANK_ACCOUNT_PENDING',
        stepFailures: 0,
      });
    },
  );

  it('lists every mistake, in Hindi too', async () => {
    const options = { language: 'hi' } as const;
    const { client } = await StepJourney.at('BANK_ACCOUNT_PENDING', service, {}, options);
    await client.get('/hosted/bank-account');
    const many = { accHolderName: '', acctype: '', accNo: '123', accNoAgain: '123' };
    const { text } = await client.submit({ ...ACCOUNT, ...many });
    const [, said, mistakes] =
      /class="errors"[^]*?<h2[^>]*>([^<]*)<\/h2>([^]*?)<\/ul>/.exec(text) ?? [];
    expect([said, mistakes?.match(/<li>/g)?.length]).toEqual(['कृपया ठीक करें', 3]);
  });

  it('is taken once the bank and branch of its IFSC have been shown', async () => {
    const journey = await StepJourney.at('BANK_ACCOUNT_PENDING', service);
    const { ifscShown: _, ...typed } = ACCOUNT;
    await journey.client.get('/hosted/bank-account');
    const page = await journey.client.submit(typed);
    expect(wordsOf(page)).toContain('HDFC Bank');
    expect(wordsOf(page)).toContain('Yes, continue');
    expect(page.text).not.toContain('id="errors-title"');
    expect((await journey.view()).state).toBe('BANK_ACCOUNT_PENDING');
    // Nothing is typed again, the second number included.
    for (const name of ['accNo', 'accNoAgain', 'ifscCode'] as const) {
      expect(page.text).toContain(`name="${name}" type="text" value="${ACCOUNT[name]}"`);
    }
    const other = await journey.client.submit({ ...typed, ifscCode: 'SBIN0000300' });
    expect(wordsOf(other)).toContain('State Bank of India');
    const taken = await journey.client.submit({ ...typed, ifscCode: 'SBIN0000300' });
    expect([taken.status, taken.location]).toEqual([303, '/hosted']);
    expect((await journey.view()).bankAccount).toMatchObject({ ifscCode: 'SBIN0000300' });
  });

  it.each([
    ['a branch that the data does not have', 'HDFC0ZZZZZZ', 'HDFC Bank. We don’t know HDFC0ZZZZZZ'],
    ['a bank that the data does not have', 'ZZZZ0123456', 'We don’t know ZZZZ0123456'],
  ])('of %s is not refused: it is to be checked', async (_, ifscCode, said) => {
    const journey = await StepJourney.at('BANK_ACCOUNT_PENDING', service);
    const { ifscShown: __, ...typed } = { ...ACCOUNT, ifscCode };
    await journey.client.get('/hosted/bank-account');
    const page = await journey.client.submit(typed);
    expect(wordsOf(page)).toContain(said);
    const taken = await journey.client.submit(typed);
    expect([taken.status, taken.location]).toEqual([303, '/hosted']);
  });

  it('tells the branch to its form alone, in its own step, to who is signed in', async () => {
    const path = '/hosted/bank-account/branch';
    const { client } = await StepJourney.at('BANK_ACCOUNT_PENDING', service);
    const { csrf } = formOf(await client.get('/hosted/bank-account')).hidden;
    const ask = (ifscCode: string) => client.post(path, { csrf, ifscCode });
    expect(wordsOf(await ask('hdfc 0001234'))).toContain('HDFC Bank');
    for (const typed of ['HDFC000123', '../../package', 'HDFC/001234', '<b>HDFC0001234']) {
      const page = await ask(typed);
      expect([typed, page.status]).toEqual([typed, 200]);
      expect(page.text).toContain('<div id="bank-branch"></div>');
    }
    const without: Record<string, string>[] = [{}, { csrf: 'x' }];
    for (const token of without) {
      const refused = await client.post(path, { ifscCode: 'HDFC0001234', ...token });
      expect([refused.status, refused.text.includes('HDFC Bank')]).toEqual([403, false]);
    }
    client.cookies.set('session', 'somebody-else');
    const stranger = await ask('HDFC0001234');
    expect([stranger.status, stranger.location]).toEqual([303, '/hosted/link']);
    const early = await StepJourney.at('OFFER_SELECTED', service, GOLD);
    const { hidden } = formOf(await early.client.get('/hosted/branch'));
    const other = await early.client.post(path, { csrf: hidden.csrf, ifscCode: 'HDFC0001234' });
    expect([other.status, other.location]).toEqual([303, '/hosted/branch']);
  });

  it('without its type is shown again, with the choice still to be made', async () => {
    const journey = await StepJourney.at('BANK_ACCOUNT_PENDING', service);
    await journey.client.get('/hosted/bank-account');
    const { acctype, ...others } = ACCOUNT;
    const page = await journey.client.submit(others);
    expect(page.text).toContain(
      `<a href="#acctype">${translate('en', 'steps.account.type.missing')}</a>`,
    );
    expect(page.text).not.toContain(' checked');
    expect((await journey.view()).state).toBe('BANK_ACCOUNT_PENDING');
    // What is chosen is kept through another mistake.
    const chosen = await journey.client.submit({ acctype: 'CURRENT' });
    expect(chosen.text).toMatch(/value="CURRENT" checked/);
    expect(chosen.text).not.toMatch(/value="SAVINGS" checked/);
    const answer = await journey.client.submit({ ...others, acctype });
    expect([answer.status, answer.location]).toEqual([303, '/hosted']);
  });

  it('that the bank refuses is explained, with the tries that the step has left', async () => {
    const { maxTries } = BANK_ACCOUNT;
    onTestFinished(() => void Object.assign(BANK_ACCOUNT, { maxTries }));
    Object.assign(BANK_ACCOUNT, { maxTries: 4 });
    const { client } = await StepJourney.at('BANK_ACCOUNT_PENDING', service);
    const spy = vi.spyOn(lender(), 'verifyAccount');
    spy.mockResolvedValue({ kind: 'REFUSED', reason: 'ACCOUNT_NOT_FOUND' });
    await client.get('/hosted/bank-account');
    for (const left of [3, 2, 1]) {
      const page = await client.submit(ACCOUNT);
      expect(page.text).toContain('value="1234 5678 9012"');
      // Come back to, the page still says it.
      const later = await client.get('/hosted/bank-account');
      for (const each of [page, later]) {
        expect(wordsOf(each)).toContain(`Tries left: ${left}.`);
        expect(wordsOf(each)).toContain('The bank cannot pay into this account.');
      }
    }
    const last = await client.submit(ACCOUNT);
    expect([last.status, last.location]).toEqual([303, '/hosted']);
    expect(await client.open('/hosted')).toMatchObject({
      path: '/hosted/rejected',
      heading: 'The account could not be used',
    });
  });

  it('503: the lender away changes nothing', async () => {
    const journey = await StepJourney.at('BANK_ACCOUNT_PENDING', service);
    await journey.client.get('/hosted/bank-account');
    vi.spyOn(lender(), 'verifyAccount').mockRejectedValue(new LenderUnavailable('down'));
    const page = await journey.client.submit(ACCOUNT);
    expect([page.status, page.heading]).toEqual([
      503,
      'Navdhara Capital Limited can’t be reached right now',
    ]);
    expect(page.text).toContain('href="/hosted/bank-account"');
    expect((await journey.view()).state).toBe('BANK_ACCOUNT_PENDING');
  });

  it('sent twice is taken once', async () => {
    const journey = await StepJourney.at('BANK_ACCOUNT_PENDING', service);
    const { client } = journey;
    await client.get('/hosted/bank-account');
    const again = client.copy();
    const answers = await Promise.all([client.submit(ACCOUNT), again.submit(ACCOUNT)]);
    expect(answers.map(({ status }) => status)).toEqual([303, 303]);
    await journey.reaches('MANDATE_PENDING');
    const rows = await journey.query<{ kind: string }>(
      `SELECT kind FROM journey_intents WHERE journey_id = $1 AND kind = 'SUBMIT_BANK_ACCOUNT'
         AND status = 'COMPLETED'`,
    );
    expect(rows).toHaveLength(1);
    expect((await journey.view()).bankAccount).toMatchObject({ ifscCode: 'HDFC0001234' });
  });

  it('stays out of addresses, and all but its end off later pages', async () => {
    const journey = await StepJourney.at('DISBURSEMENT_PENDING', service, { pan: 'SANDX0008A' });
    const page = await journey.client.open('/hosted');
    expect([page.path, page.heading]).toEqual(['/hosted/disbursement', 'Your money is on its way']);
    expect(page.text).toContain('http-equiv="refresh"');
    expect(wordsOf(page)).toContain('••••9012');
    expect(page.text).not.toContain('123456789012');
  });
});

describe('every screen', () => {
  const PATHS = [
    '/hosted/offers',
    '/hosted/branch',
    '/hosted/kyc',
    '/hosted/bank-account',
    '/hosted/mandate',
    '/hosted/esign',
    '/hosted/disbursement',
    '/hosted/done',
    '/hosted/done/cannot-pay',
    '/hosted/done/instalments.ics',
    '/hosted/rejected',
    '/hosted/abandoned',
  ];

  it('303: of another state leads to the journey’s own; without a verified session to a new link', async () => {
    const { client } = await StepJourney.at('KYC_PENDING', service);
    expect((await client.get('/hosted/kyc')).status).toBe(200);
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
    client.cookies.set('session', 'somebody-else');
    const offers = ['/hosted/offers/off_x', '/hosted/offers/off_x/confirm'];
    await leadsTo([...PATHS, '/hosted/moment', ...offers], '/hosted/link');
  });

  it('403: takes no form without its token', async () => {
    const { client } = await StepJourney.at('BANK_ACCOUNT_PENDING', service);
    for (const path of ['/hosted/branch', '/hosted/bank-account', '/hosted/offers/x/confirm']) {
      expect((await client.post(path, { ...ACCOUNT, csrf: 'x' })).status).toBe(403);
    }
  });

  it('is never cached, framed or fed by another host', async () => {
    const { client } = await StepJourney.at('KYC_PENDING', service);
    const { headers, text } = await client.get('/hosted/kyc');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('permissions-policy')).toContain('geolocation=()');
    const policy = headers.get('content-security-policy')!;
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
    expect(text).not.toMatch(/<script(?![^>]*src="\/assets\/)/);
    expect(text).not.toMatch(/ style="/);
  });
});
