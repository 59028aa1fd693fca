import { vi } from 'vitest';
import { LenderUnavailable } from '../../../src/lenders/index.js';
import { SandboxLender } from '../../../src/sandbox/index.js';
import { eventually } from '../../support/eventually.js';
import {
  codeFor,
  HostedClient,
  type HostedPage,
  linkFor,
  newMobile,
  plain,
  signedIn,
  startHosted,
} from '../../support/hosted-client.js';
import { ApplicantBrowser, openGateway } from '../../support/instant-loans.js';
import { shortLoanRequest } from '../../support/loan-requests.js';
import { partnerClient } from '../../support/partner-client.js';
import type { TestService } from '../../support/service.js';
import { othersOf } from '../hosted-steps/leaving-bench.js';
import { ACCOUNT, expire, StepJourney, WAIT } from '../hosted-steps/step-journey.js';
import { HOUR, type InstantLoanBench } from '../instant-loans/instant-loan-bench.js';
import { JourneyBench } from '../journeys/journey-bench.js';

export type Language = 'en' | 'hi';

/** A page as the service sent it. */
export interface Shot {
  readonly walk: string;
  /** The name of its budget. */
  readonly name: string | undefined;
  readonly path: string;
  readonly language: Language;
  readonly html: string;
  readonly policy: string;
}

const HINDI = { language: 'hi' } as const;
const GOLD = { productCode: 'ONLINE_GOLD' };
const SLOW_LENDERS = 'SANDX0002A';
const SLOW_PAYOUT = { pan: 'SANDX0008A' };

/** Visits every page without a browser, in Hindi, which has the longest words. */
export class ScreenWalks {
  readonly shots: Shot[] = [];
  private readonly service: TestService;
  private readonly lender: SandboxLender;
  private walk = '';

  /** @param isInBoth whether every page is also recorded in English, not only pages with a budget */
  constructor(
    private readonly bench: InstantLoanBench,
    private readonly isInBoth: boolean,
  ) {
    this.service = bench.service;
    this.lender = this.service.get(SandboxLender);
  }

  async applicants(): Promise<void> {
    await this.instant();
    await this.entry();
    await this.personal();
    await this.gold();
    await this.endings();
    await this.provider();
    await this.headless();
  }

  /** Expired links, and pages without an applicant. */
  async signedOut(): Promise<void> {
    this.walk = 'signed-out';
    const start = await startHosted(this.service);
    const client = this.browser();
    await client.open(start.link);
    client.cookies.clear();
    this.take(await client.submit());
    await (await signedIn(this.service, start)).send303({ agree: '1' });
    await this.look(client, start.link);
    this.take(await client.send303());
    await this.look(client, await linkFor(this.service, start.mobile));
    const expired = await startHosted(this.service);
    await this.bench.records.query(
      `UPDATE hosted_links SET expires_at = app_now() WHERE journey_id = $1`,
      [expired.id],
    );
    await this.look(this.browser(), expired.link, 'expired');
    for (const path of [
      '/hosted/start/unknown',
      '/hosted/link',
      '/hosted/returned/KYC',
      '/pay/unknown',
      '/returned',
      '/nowhere',
      '/data',
      '/ranking',
      `/sandbox/partner?journeyId=jrn_${'0'.repeat(32)}&outcome=SANCTIONED`,
    ])
      await this.look(this.browser(), path);
  }

  private browser(): HostedClient {
    return new HostedClient(this.service.baseUrl, HINDI);
  }

  private at(state: string, options: object = {}): Promise<StepJourney> {
    return StepJourney.at(state, this.service, options, HINDI);
  }

  private take(page: HostedPage, name?: string, language: Language = 'hi'): HostedPage {
    const { path, text: html, headers } = page;
    if (!html.includes(`<html lang="${language}"`))
      throw new Error(`${path} is not in ${language}`);
    const policy = headers.get('content-security-policy') ?? '';
    this.shots.push({ walk: this.walk, name, path, language, html, policy });
    return page;
  }

  private async look(client: HostedClient, path: string, name?: string): Promise<HostedPage> {
    if (name !== undefined || this.isInBoth)
      this.take(await client.inLanguage('en').get(path), name, 'en');
    return this.take(await client.get(path), name);
  }

  /** With only the required fields from the partner. */
  private async entry(): Promise<void> {
    this.walk = 'entry';
    const { service } = this;
    const client = this.browser();
    await this.look(client, (await startHosted(service)).link, 'start');
    const partner = partnerClient(service);
    const names = { firstName: undefined, lastName: undefined };
    const body = { ...shortLoanRequest({ ...names, pan: SLOW_LENDERS }), channel: 'API_HOSTED' };
    const begin = async (loanAmount?: number) => {
      const mobile = newMobile();
      const { json } = await partner.initiate({ ...body, mobile, loanAmount });
      return { mobile, id: json.data.journeyId, link: new URL(json.data.hostedUrl).pathname };
    };
    await this.look(this.browser(), (await begin()).link);
    const { mobile, id, link } = await begin(200_000);
    await this.look(client, link, 'start-amount');
    await client.send303();
    await this.look(client, '/hosted/code', 'code');
    this.take(await client.submit({ code: '12' }));
    await client.send303({ code: await codeFor(service, mobile) });
    await this.look(client, '/hosted/consent', 'consent');
    this.take(await client.submit());
    await client.send303({ agree: '1' });
    await this.look(client, '/hosted/details', 'details');
    this.take(await client.submit(), 'details-errors');
    await client.send303({ fullName: 'Asha Verma', gender: 'FEMALE', employmentType: 'salaried' });
    await this.look(client, '/hosted/amount');
    await this.look(client, '/hosted/check', 'check');
    await client.submit();
    await this.look(client, '/hosted/waiting', 'waiting');
    await service.travel(11_000);
    const offers = 'SELECT 1 FROM journey_offers WHERE journey_id = $1';
    await eventually(async () => (await this.bench.records.query(offers, [id])).length === 2, WAIT);
    await this.look(client, '/hosted/waiting');
    // The journey waits for the third lender until its deadline.
    await service.travel(120_000);
    await eventually(async () => (await client.open('/hosted')).path === '/hosted/offers', WAIT);
    await this.look(client, '/hosted/offers', 'offers-without');
  }

  private async personal(): Promise<void> {
    this.walk = 'personal';
    const journey = await this.at('OFFERS_RECEIVED', SLOW_PAYOUT);
    await this.choice(journey);
    await journey.driveTo('KYC_PENDING');
    await this.identity(journey);
    await journey.driveTo('BANK_ACCOUNT_PENDING');
    await this.account(journey);
    await journey.driveTo('MANDATE_PENDING');
    await this.look(journey.client, '/hosted/mandate', 'mandate');
    await this.toMoney(journey);
    await this.look(journey.client, '/hosted/done/cannot-pay');
  }

  private async toMoney(journey: StepJourney): Promise<void> {
    await journey.driveTo('ESIGN_PENDING');
    await this.look(journey.client, '/hosted/esign', 'esign');
    await journey.driveTo('DISBURSEMENT_PENDING');
    await this.look(journey.client, '/hosted/disbursement', 'money');
    await this.service.travel(31_000);
    await journey.reaches('SANCTIONED');
    await this.look(journey.client, '/hosted/done', 'done');
  }

  private async choice(journey: StepJourney): Promise<void> {
    const { client } = journey;
    const { offers } = await journey.view();
    const path = `/hosted/offers/${offers[0].offerId}`;
    const confirm = `${path}/confirm?amount=${offers[0].amount / 100}`;
    await this.look(client, '/hosted/offers', 'offers');
    await journey.query(
      `UPDATE journeys SET lease_until = app_now() + interval '10 minutes' WHERE id = $1`,
    );
    await this.look(client, '/hosted/moment');
    await journey.query(`UPDATE journeys SET lease_until = NULL WHERE id = $1`);
    await this.look(client, '/hosted/stop', 'stop');
    const quote = vi.spyOn(this.lender, 'quote').mockRejectedValue(new LenderUnavailable('down'));
    await this.look(client, confirm);
    quote.mockRestore();
    const { text } = await this.look(client, confirm, 'confirm');
    this.take(await client.submit());
    await this.look(client, plain(/href="([^"]+key-facts[^"]+)"/.exec(text)![1]));
    await this.look(client, path, 'amount');
    this.take(await client.submit({ loanAmount: 'much' }));
    await expire(journey, offers.at(-1)!);
    await this.look(client, '/hosted/offers?notice=expired');
  }

  private async identity(journey: StepJourney): Promise<void> {
    const { client } = journey;
    const setTerms = (terms: string) =>
      journey.query(`UPDATE journey_offers SET terms = terms ${terms} WHERE journey_id = $1`);
    await this.look(client, '/hosted/kyc', 'kyc');
    await this.look(client, '/hosted/data');
    await setTerms(`|| '{"bindsAfter":"KYC"}'`);
    await this.look(client, '/hosted/kyc');
    await setTerms(`- 'bindsAfter'`);
    await this.look(client, '/hosted/offers');
    const [{ offerId, amount }] = othersOf(await journey.view());
    await this.look(client, `/hosted/offers/${offerId}/confirm?amount=${amount / 100}`);
    const toProvider = async () => {
      const { redirect } = await journey.view();
      return (await client.get(new URL(redirect!.url).pathname)).location;
    };
    await client.post(await toProvider(), { decision: 'decline' });
    await client.get('/hosted/returned/KYC');
    await this.look(client, '/hosted/kyc');
    const ask = vi.spyOn(this.lender, 'ask').mockResolvedValue({ status: 'PENDING' });
    const undecided = await toProvider();
    await client.get('/hosted/returned/KYC');
    await this.look(client, '/hosted/kyc');
    ask.mockRestore();
    await client.post(undecided, { decision: 'approve' });
  }

  private async account({ client }: StepJourney): Promise<void> {
    await this.look(client, '/hosted/bank-account', 'bank-account');
    this.take(await client.submit({ accHolderName: '' }));
    this.take(await client.submit({ ...ACCOUNT, ifscCode: 'HDFC0ZZZZZZ' }));
    const refusal = vi.spyOn(this.lender, 'verifyAccount');
    refusal.mockResolvedValue({ kind: 'REFUSED', reason: 'ACCOUNT_NOT_FOUND' });
    this.take(await client.submit(ACCOUNT));
    refusal.mockRestore();
  }

  private async gold(): Promise<void> {
    this.walk = 'gold';
    const journey = await this.at('OFFERS_RECEIVED', { ...GOLD, ...SLOW_PAYOUT });
    const { client } = journey;
    const [{ offerId, amount }] = (await journey.view()).offers;
    await this.look(client, '/hosted/offers', 'gold-offers');
    await this.look(client, `/hosted/offers/${offerId}/confirm?amount=${amount / 100}`, 'confirm');
    await journey.driveTo('OFFER_SELECTED');
    await this.look(client, '/hosted/branch', 'gold-branch');
    this.take(await client.submit());
    await journey.driveTo('KYC_PENDING');
    await this.look(client, '/hosted/kyc', 'kyc');
    await journey.driveTo('BANK_ACCOUNT_PENDING');
    await this.look(client, '/hosted/bank-account', 'bank-account');
    await this.toMoney(journey);
  }

  /** A single offer, and journeys that end without a loan. */
  private async endings(): Promise<void> {
    this.walk = 'endings';
    for (const [state, pan, page, name] of [
      ['OFFERS_RECEIVED', 'SANDX0003A', 'offers', 'offers-one'],
      ['REJECTED', 'SANDX0001A', 'rejected', 'no-offers'],
      ['REJECTED', 'SANDX0007A', 'rejected'],
    ]) {
      const { client } = await this.at(state, { pan });
      await this.look(client, `/hosted/${page}`, name);
    }
    const [abandoned, stopped] = [await this.at('KYC_PENDING'), await this.at('KYC_PENDING')];
    await abandoned.query(
      `UPDATE journeys SET last_activity_at = app_now() - interval '8 days' WHERE id = $1`,
    );
    await abandoned.reaches('ABANDONED');
    await this.look(abandoned.client, '/hosted/abandoned');
    await stopped.client.get('/hosted/stop');
    this.take(await stopped.client.send303());
  }

  /** The link signs no applicant in; it only identifies the journey. */
  private async provider(): Promise<void> {
    this.walk = 'provider';
    const { redirect } = await (await this.at('KYC_PENDING')).view();
    const link = new URL(redirect!.url).pathname;
    const open = vi.spyOn(this.lender, 'openSession');
    open.mockRejectedValueOnce(new LenderUnavailable('down'));
    this.take(await this.browser().get(link));
    await this.look(this.browser(), link);
    open.mockRestore();
  }

  private async headless(): Promise<void> {
    this.walk = 'headless';
    const headless = new JourneyBench(this.service);
    try {
      // The largest loan: the widest figures.
      const largest = await headless.startWithOffers({ loanAmount: 10_000_000 });
      await largest.select();
      const client = this.browser();
      await this.look(client, (await largest.read()).selectedOffer!.kfsLink);
      const gold = await headless.startWithOffers(GOLD);
      await this.look(client, (await gold.offers())[0].kfsLink);
      const journey = await headless.startWithOffers();
      await journey.goOnTo('KYC_PENDING');
      await this.look(client, await journey.redirectUrl());
      const unread = this.take(await client.submit());
      await this.look(client, plain(/href="([^"]*\/kfs\/[^"]+)"/.exec(unread.text)![1]));
      const open = vi.spyOn(this.lender, 'openSession');
      open.mockResolvedValueOnce({
        kind: 'OPENED',
        url: 'https://kyc.example.in/',
        covers: ['KYC'],
      });
      await client.get(await journey.redirectUrl());
      this.take(await client.submit({ hasRead: '1' }));
      open.mockRestore();
      for (const state of ['KYC_PENDING', 'MANDATE_PENDING', 'ESIGN_PENDING']) {
        await journey.goOnTo(state);
        // Within ten seconds the link would reuse the first session.
        await this.service.travel(11_000);
        const page = await journey.providerPage();
        await this.look(client, page);
        await client.post(page, { decision: 'approve' });
      }
    } finally {
      await headless.close();
    }
  }

  private async instant(): Promise<void> {
    this.walk = 'instant';
    for (const [name, path] of Object.entries(await this.instantPages())) {
      await this.look(this.browser(), path, name.startsWith('instant-') ? name : undefined);
    }
  }

  /** Final pages of instant loans, by the name of their budget. */
  private async instantPages(): Promise<Record<string, string>> {
    const { bench, service } = this;
    const pathOf = ({ redirectUrl }: { redirectUrl: string }) => new URL(redirectUrl).pathname;
    const expired = await bench.apply();
    await service.travel(73 * HOUR);
    await bench.reaches(expired.applicationId, 'EXPIRED');
    const fresh = await bench.order();
    const gateway = await openGateway(new ApplicantBrowser(), fresh.redirectUrl);
    const chosen = pathOf(await bench.apply());
    const offerless = await bench.create({ pan: 'SANDX0001A' });
    await bench.reaches(offerless.applicationId, 'REJECTED');
    const failed = await bench.apply();
    await bench.atGateway(failed, 'fail');
    await bench.reaches(failed.applicationId, 'PAYMENT_FAILED');
    const decided = async (pan: string, status: string) => {
      const loan = await bench.apply({ pan });
      await bench.atGateway(loan, 'pay');
      await bench.reaches(loan.applicationId, status);
      return `${pathOf(loan)}/done`;
    };
    const declined = await decided('SANDX0013A', 'REJECTED');
    const approved = await decided('ABCDE1234F', 'SANCTIONED');
    const slow = await bench.applySlowly();
    await bench.atGateway(slow, 'pay');
    await bench.reaches(slow.applicationId, 'PAYMENT_RECEIVED');
    const unanswered = await bench.create({ pan: 'SANDX0002B' });
    // No application may change while the browser shows it.
    await eventually(async () => {
      const asking = await bench.records.query(
        `SELECT 1 FROM lender_questions
         WHERE status = 'OPEN' AND (attempts = 0 OR lease_until IS NOT NULL)`,
      );
      return asking.length === 0;
    });
    const ofLoans = 'SELECT journey_id FROM instant_loans';
    await bench.records.query(
      `UPDATE lender_questions SET next_attempt_at = app_now() + interval '1 day'
       WHERE status = 'OPEN' AND subject_id IN (${ofLoans})`,
    );
    await bench.records.query(
      `UPDATE journeys SET offers_due_at = app_now() + interval '1 day',
         offers_given_up_at = app_now() + interval '1 day' WHERE id = $1`,
      [unanswered.journeyId],
    );
    return {
      'instant-choose': pathOf(await bench.offered()),
      'instant-pay': chosen,
      'instant-waiting': `${pathOf(slow)}/done`,
      'instant-approved': approved,
      'instant-declined': declined,
      offers: pathOf(unanswered),
      compared: `${chosen}/offers`,
      data: `${chosen}/data`,
      noOffer: `${pathOf(offerless)}/done`,
      checking: `${pathOf(fresh)}/done`,
      ordered: pathOf(fresh),
      gateway: new URL(gateway).pathname,
      failed: `${pathOf(failed)}/done`,
      toPayAgain: pathOf(failed),
      expired: `${pathOf(expired)}/done`,
    };
  }
}
