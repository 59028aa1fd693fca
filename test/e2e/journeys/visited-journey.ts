import { Browser } from '../../../examples/partner/browser.ts';
import { eventually } from '../../support/eventually.js';
import { BANK_ACCOUNT, loanRequest, type LoanRequestOptions } from '../../support/loan-requests.js';
import { type Journey, type PartnerClient, partnerClient } from '../../support/partner-client.js';
import type { TestService } from '../../support/service.js';

/** For a busy machine; a call without a response takes ten seconds. */
const DRIVE = { withinMs: 130_000, everyMs: 250 };

/** The offer to choose instead of the first. Another amount than offered makes the service request a quote. */
interface Choice {
  readonly sellerName: string;
  readonly loanAmount: number;
}

/** A headless journey whose applicant visits the lender's pages and approves each step. */
export class VisitedJourney {
  /** The steps for which the applicant opened a page, in order. */
  readonly visits: string[] = [];

  private constructor(
    private readonly partner: PartnerClient,
    readonly id: string,
    private readonly session: string,
    private readonly choice?: Choice,
  ) {}

  static async start(
    service: TestService,
    options: LoanRequestOptions,
    choice?: Choice,
  ): Promise<VisitedJourney> {
    const partner = partnerClient(service);
    const { json } = await partner.initiate(loanRequest(options));
    return new VisitedJourney(partner, json.data.journeyId, json.data.journeySession, choice);
  }

  async read(): Promise<Journey> {
    return (await this.partner.journey(this.id, this.session)).json.data;
  }

  /** Waits for the state, without doing anything. */
  reaches(state: string): Promise<Journey> {
    return eventually(() => this.readIn(state), DRIVE);
  }

  /** Does the next action until the journey has the state. */
  goOnTo(state: string): Promise<Journey> {
    return eventually(async () => {
      const journey = await this.read();
      if (journey.state !== state) await this.takeStep(journey);
      return this.readIn(state);
    }, DRIVE);
  }

  /** Follows the journey's link, approves there, and returns. */
  async visit(step: string, url: string): Promise<void> {
    const browser = new Browser();
    let page = await browser.open(url);
    if (page.html.includes('name="keyFactsHash"')) {
      page = await browser.submit(page, '/r/', { hasRead: '1' });
    }
    this.visits.push(step);
    await browser.press(page, 'decision', 'approve');
    await this.returned(step);
  }

  async returned(step: string): Promise<void> {
    await this.partner.returned(this.id, this.session, step);
  }

  private async readIn(state: string): Promise<Journey> {
    const journey = await this.read();
    if (journey.state === state) return journey;
    throw new Error(`is in ${journey.state} (${journey.outcomeReason}), not in ${state}`);
  }

  private async takeStep({ currentNextAction, offers }: Journey): Promise<void> {
    const { type, category, url } = currentNextAction;
    if (category === 'REDIRECT') return this.visit(type.slice('REDIRECT_TO_'.length), url!);
    if (type === 'SELECT_OFFER') {
      const { sellerName = offers[0].sellerName, loanAmount } = this.choice ?? {};
      const { offerId } = offers.find((offer) => offer.sellerName === sellerName)!;
      await this.act(type, { offerId, loanAmount });
    }
    if (type === 'SUBMIT_BANK_ACCOUNT') await this.act(type, BANK_ACCOUNT);
  }

  private act(kind: string, payload: object) {
    return this.partner.action(this.id, this.session, kind, payload);
  }
}
