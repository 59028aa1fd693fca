import type { HostedJourneyView } from '../../../src/journeys/index.js';
import { eventually } from '../../support/eventually.js';
import type { TestService } from '../../support/service.js';
import { ACCOUNT, StepJourney } from '../hosted-steps/step-journey.js';

/** Several calls that time out after ten seconds each, on a busy machine. */
const DRIVE = { withinMs: 130_000, everyMs: 250 };

/** A hosted journey whose applicant visits the lender's pages, and retries whatever failed. */
export class VisitingApplicant {
  private constructor(
    private readonly journey: StepJourney,
    /** The lender whose offer is chosen. */
    private readonly lender: string,
  ) {}

  static async begin(
    service: TestService,
    { product, lender }: { product: string; lender: string },
  ): Promise<VisitingApplicant> {
    const journey = await StepJourney.begin(service, { productCode: product });
    return new VisitingApplicant(journey, lender);
  }

  get id(): string {
    return this.journey.start.id;
  }

  /** Goes on until the journey has the state. */
  driveTo(state: string): Promise<HostedJourneyView> {
    return eventually(async () => {
      const view = await this.journey.view();
      if (view.state === state) return view;
      await this.takeStep(view);
      throw new Error(`${this.id} is in ${view.state}, not in ${state}`);
    }, DRIVE);
  }

  private async takeStep(view: HostedJourneyView): Promise<void> {
    const { client } = this.journey;
    if (view.redirect) {
      if (!view.redirect.isDeciding) await this.visit(view.redirect);
      return;
    }
    switch (view.state) {
      case 'OFFERS_RECEIVED':
        return this.choose(view);
      case 'BANK_ACCOUNT_PENDING':
        await client.get('/hosted/bank-account');
        await client.submit(ACCOUNT);
    }
  }

  private async choose({ offers }: HostedJourneyView): Promise<void> {
    const { client } = this.journey;
    const offer = offers.find(({ lenderCode }) => lenderCode === this.lender);
    if (!offer) throw new Error(`${this.lender} has made no offer`);
    await client.get(`/hosted/offers/${offer.offerId}/confirm?amount=${offer.amount / 100}`);
    await client.submit({ hasRead: '1' });
  }

  /** Goes from our link to the lender's page, and back. */
  private async visit({ step, url }: NonNullable<HostedJourneyView['redirect']>): Promise<void> {
    const page = await follow(url, { headers: { accept: 'text/html' } });
    // The step may be over; then the link leads back.
    if (page.includes('/visits/')) await press(page, step, 'approve');
    await this.journey.client.get(`/hosted/returned/${step}`);
  }
}

/** Presses a button of a lender's page. */
function press(page: string, step: string, decision: string): Promise<string> {
  return follow(page, { method: 'POST', body: new URLSearchParams({ step, decision }) });
}

/** Follows the redirects of an address. */
async function follow(url: string, request: RequestInit): Promise<string> {
  const response = await fetch(url, { ...request, redirect: 'manual' });
  await response.body?.cancel();
  const location = response.headers.get('location');
  if (location === null) throw new Error(`${url} leads nowhere: ${response.status}`);
  return location;
}
