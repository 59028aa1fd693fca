import { beforeAll, describe, expect, it, vi } from 'vitest';
import { ConfiguredGateways, type SmsSettings } from '../../../src/settings/index.js';
import { HostedClient, plain, signedIn, startHosted } from '../../support/hosted-client.js';
import {
  ApplicantBrowser,
  applyForInstantLoan,
  untilOffered,
} from '../../support/instant-loans.js';
import { partnerClient } from '../../support/partner-client.js';
import type { TestService } from '../../support/service.js';
import { sharedService } from '../../support/shared-service.js';
import { StepJourney, TEST_MS, wordsOf } from '../hosted-steps/step-journey.js';

vi.setConfig({ testTimeout: TEST_MS, hookTimeout: TEST_MS });

const LENDERS = [
  'Navdhara Capital Limited',
  'Kaverisetu Finserv Private Limited',
  'Tarang Udyam Finance Limited',
];

let service: TestService;

beforeAll(async () => {
  service = await sharedService();
});

/** The target of the footer's link. */
function dataHref(html: string): string | undefined {
  const [, footer = ''] = html.split('<footer ');
  return /<a href="([^"]*\/data(?:\/[^"]+)?)">/.exec(footer)?.[1];
}

describe('the page of who has the data', () => {
  it('names for an applicant the partner, the lenders that were asked with their firms, and for how long', async () => {
    const { client } = await StepJourney.at('KYC_PENDING', service);
    const step = await client.get('/hosted/kyc');
    expect(dataHref(step.text)).toBe('/hosted/data');
    const page = await client.get('/hosted/data');
    const words = wordsOf(page);
    for (const fact of [
      ...LENDERS,
      'Gave us your details; receives the status of your application.',
      'kept as long as the law requires: at most 8 years after your application or loan ends',
    ])
      expect(words).toContain(fact);
    expect(words).toContain('your name, mobile number, PAN, date of birth, gender, address');
    expect(words).toContain('Only the lender you choose gets your bank account.');
    expect(words).toMatch(/Sandbox Inbox\. ?Your mobile number and the text only/);
    // This product has no fee before the loan.
    expect(words).not.toContain('Payment gateway');
    expect(page.text).toContain('<a href="/hosted/stop">Stop applying</a>');
    expect(words.match(/Chosen: has your details/g)).toHaveLength(1);
    expect(words.match(/Has your details/g)).toHaveLength(2);
    expect(words.match(/Identity check: [^(]+ \(127\.0\.0\.1[:\d]*\)/g)).toHaveLength(3);
    const [, first] = words.split(LENDERS[0]);
    expect(first.trim()).toMatch(/^Chosen: has your details/);
  });

  it('says before the consent that no lender has any data, and leads a browser without a session to the link', async () => {
    const client = await signedIn(service, await startHosted(service));
    const words = wordsOf(await client.get('/hosted/data'));
    expect(words).toContain('So far no lender has your details.');
    for (const absent of [...LENDERS, 'Stop applying']) expect(words).not.toContain(absent);
    const page = await new HostedClient(service.baseUrl).get('/hosted/data');
    expect([page.status, page.location]).toEqual([303, '/hosted/link']);
  });

  it('names without a session the partner whose page led to it, and every lender that can be asked', async () => {
    const start = await startHosted(service);
    const stranger = new HostedClient(service.baseUrl, { language: 'hi' });
    const entry = await stranger.get(start.link);
    const href = dataHref(entry.text);
    expect(href).toMatch(new RegExp(`^/data/${service.partnerId}\\..+`));
    const words = wordsOf(await stranger.get(href!));
    for (const lender of LENDERS) expect(words).toContain(lender);
    expect(words).toContain('Demonstration Partner');
    expect(words).not.toContain('चुना हुआ');
    expect((await stranger.get('/data/demo.guessed')).status).toBe(404);
    const everybody = await stranger.get('/data');
    expect(wordsOf(everybody)).toContain(LENDERS[0]);
    expect(everybody.text).not.toContain('Demonstration Partner');
    expect(wordsOf(everybody)).toContain('Sandbox Gateway');
  });

  it('names for the applicant of an instant loan the lenders that were asked, and the chosen one', async () => {
    const { json } = await applyForInstantLoan(partnerClient(service));
    const { redirectUrl } = json.data;
    const browser = new ApplicantBrowser();
    const { text: offers } = await untilOffered(browser, redirectUrl);
    const href = dataHref(offers)!;
    const before = await browser.open(service.baseUrl + href);
    expect(before.text).not.toContain('learns of your choice');
    const { text } = await browser.openToPay(redirectUrl);
    expect(dataHref(text)).toBe(href);
    expect(href).toBe(`${new URL(redirectUrl).pathname}/data`);
    const page = await browser.open(service.baseUrl + href);
    expect(dataHref(page.text)).toBe(href);
    const back = new URL(redirectUrl).pathname;
    expect(page.text).toContain(`<a class="back" href="${back}">`);
    const words = plain(page.text.replaceAll('<', ' <'));
    expect(words).toContain('Gave us your details; receives the status of your application.');
    expect(words.match(/Has your details; learns of your choice/g)).toHaveLength(1);
    expect(words.match(/Has your details(?!;)/g)).toHaveLength(2);
    for (const lender of LENDERS) expect(words).toContain(lender);
    const [, chosen] = /<h2 class="name">([^<]+)<\/h2>/.exec(text)!;
    expect(words.split(chosen)[1].trim()).toMatch(/^Has your details; learns/);
    expect(words).toMatch(
      /Sandbox Gateway\. ?The chosen lender’s gets your name, mobile number and the payment, only when/,
    );
    for (const absent of ['Take your consent back', 'Stop applying'])
      expect(words).not.toContain(absent);
    // No firm of the lender checks an identity or takes a signature here.
    expect(words).not.toContain('Identity check');
    expect((await browser.open(`${service.baseUrl}/pay/guessed/data`)).status).toBe(404);
  });

  it('goes on without the names of firms that the configuration has not, or that cannot be read', async () => {
    const { json } = await applyForInstantLoan(partnerClient(service));
    const path = `${new URL(json.data.redirectUrl).pathname}/data`;
    const gateways = service.get<ConfiguredGateways>(ConfiguredGateways);
    vi.spyOn(gateways, 'sms').mockResolvedValue({ gateway: { kind: 'http' } } as SmsSettings);
    vi.spyOn(gateways, 'payment').mockRejectedValue(new Error('sealed under another key'));
    const [own, all] = await Promise.all(
      [path, '/data'].map((one) => new ApplicantBrowser().open(service.baseUrl + one)),
    );
    vi.restoreAllMocks();
    expect([own.status, all.status]).toEqual([200, 200]);
    expect(plain(own.text).match(/Ask us for its name\./g)).toHaveLength(2);
    for (const name of ['Sandbox Inbox', 'Sandbox Gateway'])
      expect(plain(own.text)).not.toContain(name);
    // Whether a fee is ever due is not known there.
    expect(plain(all.text)).not.toContain('payment gateway');
  });
});
