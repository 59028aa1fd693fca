import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { LenderUnavailable } from '../../../src/lenders/index.js';
import { SandboxLender } from '../../../src/sandbox/index.js';
import { onEachScreen } from '../../support/drawn-screens.js';
import { eventually } from '../../support/eventually.js';
import { codeFor, HostedClient, startHosted } from '../../support/hosted-client.js';
import {
  ApplicantBrowser,
  applyForInstantLoan,
  atSandboxGateway,
  type InstantLoanOptions,
  openGateway,
  untilOffered,
} from '../../support/instant-loans.js';
import { partnerClient } from '../../support/partner-client.js';
import type { TestService } from '../../support/service.js';
import { sharedService } from '../../support/shared-service.js';
import { ACCOUNT, StepJourney, TEST_MS, WAIT } from '../hosted-steps/step-journey.js';
import { openRedirect } from '../../support/redirect-visit.js';
import { VisitedJourney } from '../journeys/visited-journey.js';

vi.setConfig({ testTimeout: TEST_MS, hookTimeout: TEST_MS });

const NAMED = 'with Demonstration Partner';
const LINKED =
  /<a href="\/(?:hosted\/data|data\/spec-\d+\.[^"]+|pay\/app_[\w.-]+\/data)">Who has my data\?<\/a>/;

/** A page as it was drawn: the file in views, and what it says of the partner and the data. */
interface Drawn {
  readonly name: string;
  readonly isNamed: boolean;
  /** Whether its footer leads to who has the applicant's data. */
  readonly isLinked: boolean;
}

let service: TestService;
let drawn: Drawn[];

beforeAll(async () => {
  service = await sharedService();
  onEachScreen(service, ({ name, html }) => {
    drawn.push({ name, isNamed: html.includes(NAMED), isLinked: LINKED.test(html) });
  });
});

afterEach(() => {
  vi.restoreAllMocks();
});

const lender = () => service.get<SandboxLender>(SandboxLender);

async function signIn(): Promise<void> {
  const start = await startHosted(service, { pan: 'SANDX0002A' });
  const client = new HostedClient(service.baseUrl);
  await client.open(start.link);
  await client.send303();
  await new HostedClient(service.baseUrl).get(start.link);
  await client.send303({ code: await codeFor(service, start.mobile) });
  await client.send303({ agree: '1' });
  await client.get('/hosted/details?all');
  await client.open('/hosted');
  await client.submit();
  await client.open('/hosted');
}

async function chooseAndStop(): Promise<void> {
  const { client, view } = await opened('OFFERS_RECEIVED');
  const [{ offerId }] = view.offers;
  await client.get(`/hosted/offers/${offerId}`);
  const confirmation = await client.get(`/hosted/offers/${offerId}/confirm?amount=100000`);
  await client.get(linkIn(confirmation.text, /href="([^"]+key-facts[^"]+)"/));
  vi.spyOn(lender(), 'quote').mockRejectedValueOnce(new LenderUnavailable('down'));
  await client.get(`/hosted/offers/${offerId}?amount=110000`);
  await client.get('/hosted/stop');
  await client.submit();
  await eventually(async () => {
    if ((await client.open('/hosted')).path !== '/hosted/abandoned') throw new Error('goes on');
  }, WAIT);
}

async function takeSteps(): Promise<void> {
  await opened('OFFER_SELECTED', { productCode: 'ONLINE_GOLD' });
  await opened('KYC_PENDING');
  const { client } = await opened('BANK_ACCOUNT_PENDING');
  await client.submit({ ...ACCOUNT, ifscShown: '' });
  await opened('DISBURSEMENT_PENDING', { pan: 'SANDX0008A' });
  await opened('REJECTED', { pan: 'SANDX0001A' });
  const done = await opened('SANCTIONED');
  await done.client.get(new URL(done.view.selected!.kfsUrl).pathname);
  await done.client.get('/hosted/done/cannot-pay');
}

async function leaveForProvider(): Promise<void> {
  const { view } = await opened('KYC_PENDING');
  const link = new URL(view.redirect!.url).pathname;
  // Nobody is signed in here: the link alone says whose applicant it is.
  const stranger = new HostedClient(service.baseUrl);
  const open = vi.spyOn(lender(), 'openSession');
  open.mockRejectedValueOnce(new LenderUnavailable('down'));
  expect((await stranger.get(link)).status).toBe(503);
  const headless = await VisitedJourney.start(service, {});
  const { currentNextAction } = await headless.goOnTo('KYC_PENDING');
  open.mockResolvedValueOnce({ kind: 'OPENED', url: 'https://kyc.example.in/', covers: ['KYC'] });
  const left = await openRedirect(currentNextAction.url!, (url, request) => {
    const headers = { ...(request?.headers as Record<string, string>), accept: 'text/html' };
    return fetch(url, { ...request, headers });
  });
  expect(await left.text()).toContain('kyc.example.in');
}

async function takeInstantLoan(): Promise<void> {
  const browser = new ApplicantBrowser();
  const slow = await apply({ pan: 'SANDX0002A' });
  await browser.open(slow);
  const url = await apply();
  await untilOffered(browser, url);
  const gateway = await openGateway(browser, url);
  await browser.open(`${url}/done`);
  await atSandboxGateway(browser, gateway, 'pay');
  await browser.open(`${url}/done`);
  const declined = await apply({ pan: 'SANDX0001A' });
  await eventually(async () => {
    const { status } = await browser.open(`${declined}/done`);
    if (status !== 200) throw new Error('the lenders are still asked');
  }, WAIT);
}

async function apply(options?: InstantLoanOptions): Promise<string> {
  const { json } = await applyForInstantLoan(partnerClient(service), options);
  return json.data.redirectUrl;
}

async function opened(state: string, options: object = {}) {
  const journey = await StepJourney.at(state, service, options);
  await journey.client.open('/hosted');
  return { client: journey.client, view: await journey.view() };
}

function linkIn(text: string, pattern: RegExp): string {
  const [, href] = pattern.exec(text) ?? [];
  if (href === undefined) throw new Error(`there is no link like ${String(pattern)}`);
  return href.replaceAll('&amp;', '&');
}

describe('every screen of a walk names the partner whose applicant it is for', () => {
  const entry = ['check', 'code', 'consent', 'details', 'expired', 'start', 'waiting'];

  it.each<[walk: string, take: () => Promise<void>, screens: string[]]>([
    ['the way in', signIn, entry.map((name) => `entry/${name}`)],
    [
      'the choice, and stopping',
      chooseAndStop,
      [
        ...['stop', 'stopped'].map((name) => `entry/${name}`),
        ...['amount', 'confirm', 'offers'].map((name) => `offers/${name}`),
        'offers/statement',
      ],
    ],
    [
      'the steps and their ends',
      takeSteps,
      [
        ...['bank-account', 'cannot-pay', 'done', 'money', 'visit'].map((name) => `steps/${name}`),
        'offers/branch',
        'entry/rejected',
        'offers/statement',
      ],
    ],
    [
      'the link to a provider',
      leaveForProvider,
      ['entry/fault', 'offers/acknowledgement', 'entry/leave'],
    ],
    [
      'a headless journey',
      async () => {
        const journey = await VisitedJourney.start(service, {});
        await journey.goOnTo('BANK_ACCOUNT_PENDING');
      },
      ['offers/acknowledgement'],
    ],
    [
      'an instant loan',
      takeInstantLoan,
      ['entry/rejected', 'entry/waiting', 'instant/pay', 'instant/status'],
    ],
  ])('%s', async (_, take, screens) => {
    drawn = [];
    await take();
    // The pages that stand in for other companies are not ours.
    const own = drawn.filter(({ name }) => !name.startsWith('sandbox/'));
    expect(own.filter(({ isNamed, isLinked }) => !isNamed || !isLinked)).toEqual([]);
    expect(screens.filter((screen) => !own.some(({ name }) => name === screen))).toEqual([]);
  });
});
