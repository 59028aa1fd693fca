import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { LenderUnavailable } from '../../../src/lenders/index.js';
import { BANK_ACCOUNT, REDIRECT_DEFINITIONS } from '../../../src/journey-steps/index.js';
import { addMonths, dayInIndia } from '../../../src/loans/index.js';
import { formatDate } from '../../../src/platform/index.js';
import { SandboxLender } from '../../../src/sandbox/index.js';
import { LenderCatalogue } from '../../../src/settings/index.js';
import { formOf, plain } from '../../support/hosted-client.js';
import { ACCOUNT, expectWords, hostedService, StepJourney, wordsOf } from './step-journey.js';

/** The pause before another session is requested from the lender. */
const SESSION_PAUSE_MS = 10_001;
const GOLD = { productCode: 'ONLINE_GOLD' };
/** A branch of another lender. */
const OTHER_BRANCH = 'brn_01a1fcf153ad7174853dd701385fe9c0';

const service = hostedService();

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
  expect(wordsOf(page)).toMatch(/ Ameerpet .* Ernakulam .* R\. S\. Puram .* T\. Nagar /);
  expectWords(page, '56 Usman Road, T. Nagar, Chennai 600017', 'Step 5 of 8');
  expect(page.text).toContain('google.com/maps/search/');
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
  expect(late.location).toBe('/hosted/kyc');
  expect((await journey.view()).selected?.branch?.id).toBe(branches[0].id);
});

const STEPS = [
  ['KYC', '/hosted/kyc', 'Verify your identity', 'Step 5 of 8'],
  ['MANDATE', '/hosted/mandate', 'Set up Autopay (eNACH)', 'Step 7 of 8'],
  ['ESIGN', '/hosted/esign', 'Sign the agreement', 'Step 8 of 8'],
] as const;

it('each step says what will happen, and leads to the provider by our own link; the signature is asked for below what is signed; after it the page says who can stop the payment', async () => {
  const today = dayInIndia(service.now());
  const due = (months: number) => plain(formatDate('en', addMonths(today, months)));
  const facts = {
    KYC: [],
    MANDATE: [
      'From HDFC0001234 ••••9012',
      'At most at one time ₹9,891',
      `First EMI ${due(1)} or later`,
      `Last EMI ${due(36)} or later`,
      'If no loan is paid out, Navdhara may collect nothing',
      'Rinpath gets none of it; if you pay late, it may contact you for Navdhara.',
    ],
    ESIGN: [
      'Navdhara Capital Limited',
      '₹6,594',
      '₹2,37,393',
      '13.23%',
      '₹1,95,080',
      'Your signature binds you.',
      'plus about ₹71 for each day',
      'Navdhara Capital Limited may collect nothing, but Autopay stays until',
    ],
  };
  // The payout takes half a minute.
  const journey = await StepJourney.begin(service, { pan: 'SANDX0008A' });
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
    expect(page.text).toContain('href="/hosted/stop"');
    expectWords(
      page,
      count,
      `The next page is Sandbox Provider at ${new URL(service.baseUrl).host} . Close any other.`,
      'We never ask for your Aadhaar OTP.',
      ...facts[step],
    );
    expect(page.text.includes(`href="${selected!.kfsUrl}.pdf"`)).toBe(step === 'ESIGN');

    const visit = await client.get(new URL(url).pathname);
    const returned = () => client.open(`/hosted/returned/${step}`);
    // Without a decision the page is unchanged, and leads to the same provider page.
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
    expectWords(failed, 'You can try 6 more times.');
    const again = (await journey.view()).redirect!;
    expect([again.attempt, failed.text.includes(`href="${url}"`)]).toEqual([2, false]);
    expect(failed.text).toContain(`href="${again.url}"`);
    if (step !== 'MANDATE') continue;
    await journey.query(
      `UPDATE journey_offers SET terms = terms - 'mandateLimitPercent' || '{"recoveryAgentLsp":null}'
       WHERE journey_id = $1`,
    );
    const unstated = await client.get(path);
    expectWords(unstated, 'At most at one time Your bank’s page names the amount');
    expect(wordsOf(unstated)).not.toMatch(/₹9,891|may contact you/);
  }
  await journey.driveTo('DISBURSEMENT_PENDING');
  const money = await client.open('/hosted');
  expect([money.path, money.heading]).toEqual(['/hosted/disbursement', 'Your money is on its way']);
  expectWords(
    money,
    'only Navdhara can stop it. Call: 1800 000 1400',
    'Until money has reached you there is nothing to repay',
    'Changing your mind 3 days after payout, no penalty',
    '••••9012',
  );
  expect(money.text).toContain('http-equiv="refresh"');
  expect(money.text).not.toMatch(/123456789012|href="\/hosted\/stop"/);
});

it('a provider that the configuration names is named with its host, and no applicant is sent elsewhere; the operator is notified once', async () => {
  const HOST = 'kyc.example.in';
  const origin = `https://${HOST}.evil.example`;
  const journey = await StepJourney.at('KYC_PENDING', service);
  const catalogue = service.get<LenderCatalogue>(LenderCatalogue);
  const find = catalogue.find.bind(catalogue);
  vi.spyOn(catalogue, 'find').mockImplementation(async (code) => {
    const found = await find(code);
    const providers = [{ step: 'KYC' as const, name: 'Kyc Services', host: HOST }];
    const terms = { ...found?.terms, providers };
    return found && ({ ...(found as object), terms } as typeof found);
  });
  expectWords(
    await journey.client.get('/hosted/kyc'),
    `The next page is Kyc Services at ${HOST} . Close any other.`,
  );
  const link = new URL((await journey.view()).redirect!.url).pathname;
  const open = vi.spyOn(lender(), 'openSession');
  const visit = async (url: string) => {
    open.mockResolvedValueOnce({ kind: 'OPENED', url, covers: ['KYC'] });
    await service.travel(SESSION_PAUSE_MS);
    return journey.client.get(link);
  };
  for (let times = 0; times < 2; times += 1) {
    const { status, location, headers, text } = await visit(`${origin}/visit?token=secret`);
    expect([status, location, headers.get('retry-after')]).toEqual([503, '', '5']);
    expect(text).not.toContain('/visit');
  }
  const [{ visited_at }] = await journey.query<{ visited_at: Date | null }>(
    'SELECT visited_at FROM journey_redirects WHERE journey_id = $1',
  );
  expect([visited_at, (await journey.view()).state]).toEqual([null, 'KYC_PENDING']);
  const right = `https://${HOST}/visit?a=1`;
  for (let times = 0; times < 2; times += 1)
    expect(await visit(right)).toMatchObject({ status: 303, location: right });
  // After a session on an unexpected host the next request has a new key.
  const keys = open.mock.calls.map(([{ idempotencyKey }]) => idempotencyKey.split(':').at(-1));
  expect(keys).toEqual(['1', '2', '3', '3']);
  const [[{ lender: asked }]] = open.mock.calls;
  const flags = await journey.query(
    `SELECT subject_id, detail FROM operator_flags
       WHERE kind = 'SESSION_ELSEWHERE' AND detail ->> 'origin' = $1`,
    [origin],
  );
  const detail = { lenderCode: asked.code, step: 'KYC', origin, host: HOST };
  expect(flags).toEqual([{ subject_id: asked.code, detail: expect.objectContaining(detail) }]);
});

/** The address that the form's script calls. */
const BRANCH = '/hosted/bank-account/branch';

describe('the bank account', () => {
  it('is asked for with the name that is known; what is wrong or refused is explained, until no try is left', async () => {
    setTries(BANK_ACCOUNT, 2);
    const journey = await StepJourney.at('BANK_ACCOUNT_PENDING', service);
    const { client } = journey;
    const page = await client.open('/hosted');
    expect(page.heading).toBe('Where should the money go?');
    expect(page.text).toContain('value="Asha Verma"');
    expectWords(page, 'Navdhara pays ₹1,95,080. The account must be your own.');
    const { acctype: _, ...untyped } = ACCOUNT;
    const wrong = await client.submit(untyped);
    expect(wrong.text).toContain('<a href="#acctype">');
    expect(wrong.text).toContain('name="accNoAgain" type="text" value=""');
    for (const { text } of [page, wrong]) expect(text).not.toContain(' checked');
    expectWords(
      await client.submit({ ...ACCOUNT, ifscCode: 'HDFC0ZZZZZZ' }),
      'HDFC Bank. We don’t know HDFC0ZZZZZZ',
    );
    expect(await journey.view()).toMatchObject({ state: 'BANK_ACCOUNT_PENDING', stepFailures: 0 });

    const verify = vi.spyOn(lender(), 'verifyAccount');
    verify.mockRejectedValueOnce(new LenderUnavailable('down'));
    const away = await client.submit(ACCOUNT);
    expect([away.status, away.text.includes('href="/hosted/bank-account"')]).toEqual([503, true]);
    verify.mockResolvedValue({ kind: 'REFUSED', reason: 'ACCOUNT_NOT_FOUND' });
    await client.get('/hosted/bank-account');
    const refused = await client.submit(ACCOUNT);
    expect(refused.text).toContain('value="1234 5678 9012"');
    expect(refused.text).toMatch(/value="SAVINGS" checked/);
    // A reload still shows the message.
    for (const each of [refused, await client.get('/hosted/bank-account')])
      expectWords(each, 'Tries left: 1.', 'The bank cannot pay into this account.');
    expect((await client.submit(ACCOUNT)).location).toBe('/hosted');
    expect((await client.open('/hosted')).path).toBe('/hosted/rejected');
  });

  it('is taken once the bank and branch of its IFSC have been shown, and once when it is sent twice', async () => {
    const journey = await StepJourney.at('BANK_ACCOUNT_PENDING', service);
    const { client } = journey;
    const { ifscShown: _, ...typed } = ACCOUNT;
    await client.get('/hosted/bank-account');
    const page = await client.submit(typed);
    expectWords(page, 'HDFC Bank', 'Yes, continue');
    expect(page.text).not.toContain('id="errors-title"');
    // The fields are empty, the repeated number included.
    for (const name of ['accNo', 'accNoAgain', 'ifscCode'] as const)
      expect(page.text).toContain(`name="${name}" type="text" value="${ACCOUNT[name]}"`);
    const { csrf } = formOf(page).hidden;
    const branch = (ifscCode: string) => client.post(BRANCH, { csrf, ifscCode });
    expectWords(await branch('hdfc 0001234'), 'HDFC Bank');
    expect((await branch('../../package')).text).toContain('<div id="bank-branch"></div>');
    await client.get('/hosted/bank-account');
    const other = { ...typed, ifscCode: 'SBIN0000300' };
    expectWords(await client.submit(other), 'State Bank of India');
    const twice = [client, client.copy()].map((one) => one.submit(other));
    for (const { status } of await Promise.all(twice)) expect(status).toBe(303);
    const { bankAccount } = await journey.reaches('MANDATE_PENDING');
    expect(bankAccount).toMatchObject({ ifscCode: 'SBIN0000300' });
    const rows = await journey.query(
      `SELECT 1 FROM journey_intents WHERE journey_id = $1 AND kind = 'SUBMIT_BANK_ACCOUNT'
         AND status = 'COMPLETED'`,
    );
    expect(rows).toHaveLength(1);
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
    expect(text).not.toMatch(/<script(?![^>]*src="\/assets\/)| style="/);

    for (const path of [
      '/hosted/branch',
      '/hosted/bank-account',
      BRANCH,
      '/hosted/offers/x/confirm',
    ])
      expect((await client.post(path, { ...ACCOUNT, csrf: 'x' })).status).toBe(403);
    const form = formOf(await client.open('/hosted/stop')).hidden;
    expect((await client.post(BRANCH, { ...ACCOUNT, ...form })).location).toBe('/hosted/kyc');
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
    expect((await client.post(BRANCH, { ...ACCOUNT, ...form })).location).toBe('/hosted/link');
    const offers = ['/hosted/offers/off_x', '/hosted/offers/off_x/confirm'];
    await leadsTo([...PATHS, '/hosted/moment', ...offers], '/hosted/link');
  });
});
