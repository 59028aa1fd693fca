import { describe, expect, it } from 'vitest';
import { HostedClient, plain, signedIn, startHosted } from '../../support/hosted-client.js';
import {
  ApplicantBrowser,
  applyForInstantLoan,
  untilOffered,
} from '../../support/instant-loans.js';
import { partnerClient } from '../../support/partner-client.js';
import { expectWords, hostedService, StepJourney, wordsOf } from '../hosted-steps/step-journey.js';

const LENDERS = [
  'Navdhara Capital Limited',
  'Kaverisetu Finserv Private Limited',
  'Tarang Udyam Finance Limited',
];

const service = hostedService();

/** The target of the footer's link. */
function dataHref(html: string): string | undefined {
  const [, footer = ''] = html.split('<footer ');
  return /<a href="([^"]*\/data(?:\/[^"]+)?)">/.exec(footer)?.[1];
}

describe('the page of who has the data', () => {
  it('names for an applicant the partner, the lenders that were asked with their firms, and for how long', async () => {
    const { client } = await StepJourney.at('KYC_PENDING', service);
    expect(dataHref((await client.get('/hosted/kyc')).text)).toBe('/hosted/data');
    const page = await client.get('/hosted/data');
    expectWords(
      page,
      ...LENDERS,
      'Gave us your details; receives the status of your application.',
      'kept as long as the law requires: at most 8 years after your application or loan ends',
      'your name, mobile number, PAN, date of birth, gender, address',
      'Only the lender you choose gets your bank account.',
    );
    const words = wordsOf(page);
    expect(words).toMatch(/Sandbox Inbox\. ?Your mobile number and the text only/);
    // This product has no fee before the loan.
    expect(words).not.toContain('Payment gateway');
    expect(page.text).toContain('<a href="/hosted/stop">Stop applying</a>');
    expect(words.match(/Chosen: has your details/g)).toHaveLength(1);
    expect(words.match(/Has your details/g)).toHaveLength(2);
    expect(words.match(/Identity check: [^(]+ \(127\.0\.0\.1[:\d]*\)/g)).toHaveLength(3);
    expect(words.split(LENDERS[0])[1].trim()).toMatch(/^Chosen: has your details/);
  });

  it('says before the consent that no lender has any data, and leads a browser without a session to the link', async () => {
    const client = await signedIn(service, await startHosted(service));
    const page = await client.get('/hosted/data');
    expectWords(page, 'So far no lender has your details.');
    expect(wordsOf(page)).not.toMatch(new RegExp([...LENDERS, 'Stop applying'].join('|')));
    client.cookies.clear();
    expect((await client.get('/hosted/data')).location).toBe('/hosted/link');
  });

  it('names without a session the partner whose page led to it, and every lender that can be asked', async () => {
    const start = await startHosted(service);
    const stranger = new HostedClient(service.baseUrl);
    const href = dataHref((await stranger.get(start.link)).text)!;
    expect(href).toMatch(new RegExp(`^/data/${service.partnerId}\\..+`));
    const page = await stranger.get(href);
    expectWords(page, ...LENDERS, 'Demonstration Partner');
    expect(wordsOf(page)).not.toContain('Chosen');
    expect((await stranger.get('/data/demo.guessed')).status).toBe(404);
    const everybody = await stranger.get('/data');
    expectWords(everybody, LENDERS[0], 'Sandbox Gateway');
    expect(everybody.text).not.toContain('Demonstration Partner');
  });

  it('names for the applicant of an instant loan the lenders that were asked, and the chosen one', async () => {
    const { json } = await applyForInstantLoan(partnerClient(service));
    const { redirectUrl } = json.data;
    const browser = new ApplicantBrowser();
    const href = dataHref((await untilOffered(browser, redirectUrl)).text)!;
    const back = new URL(redirectUrl).pathname;
    expect(href).toBe(`${back}/data`);
    const open = () => browser.open(service.baseUrl + href);
    expect((await open()).text).not.toContain('learns of your choice');
    const { text } = await browser.openToPay(redirectUrl);
    const page = await open();
    expect([dataHref(text), dataHref(page.text)]).toEqual([href, href]);
    expect(page.text).toContain(`<a class="back" href="${back}">`);
    const words = plain(page.text.replaceAll('<', ' <'));
    expect(words.match(/Has your details; learns of your choice/g)).toHaveLength(1);
    expect(words.match(/Has your details(?!;)/g)).toHaveLength(2);
    const [, chosen] = /<h2 class="name">([^<]+)<\/h2>/.exec(text)!;
    expect(words.split(chosen)[1].trim()).toMatch(/^Has your details; learns/);
    expect(words).toMatch(
      /Sandbox Gateway\. ?The chosen lender’s gets your name, mobile number and the payment, only when/,
    );
    // For an instant loan the page names no identity check by an outside firm, and offers no link to stop.
    expect(words).not.toMatch(/Take your consent back|Stop applying|Identity check/);
    expect((await browser.open(`${service.baseUrl}/pay/guessed/data`)).status).toBe(404);
  });
});
