import { expect, vi } from 'vitest';
import {
  consentDigest,
  HostedConfirmation,
  HostedConsents,
  HostedReader,
  HostedSessions,
  type HostedJourneyView,
  type HostedKey,
} from '../../../src/journeys/index.js';
import { Database, DuePoller } from '../../../src/platform/index.js';
import { eventually } from '../../support/eventually.js';
import {
  HostedClient,
  type HostedClientOptions,
  type HostedPage,
  type HostedStart,
  plain,
  startHosted,
} from '../../support/hosted-client.js';
import type { LoanRequestOptions } from '../../support/loan-requests.js';
import type { TestService } from '../../support/service.js';
import { serviceOfFile } from '../../support/shared-service.js';

/** For a busy machine. */
export const WAIT = { withinMs: 45_000 };
export const TEST_MS = 90_000;
/** How long a provider takes to decide for the reserved PAN SANDX0012A. */
const DECISION_MS = 10_000;

/** The shared service, with the longer timeouts of hosted journeys. */
export function hostedService(): TestService {
  vi.setConfig({ testTimeout: TEST_MS, hookTimeout: TEST_MS });
  return serviceOfFile();
}

/** The text about the mandate when no loan follows. */
export const MANDATE_STAYS =
  'We can’t end it: ask your bank or the lender to. Without a loan nothing may be collected';

/** A bank account that the sandbox accepts, as the applicant types it. */
export const ACCOUNT = {
  accHolderName: 'Asha Verma',
  acctype: 'SAVINGS',
  accNo: '1234 5678 9012',
  accNoAgain: '123456789012',
  ifscCode: 'hdfc0001234',
  /** Sent by the page once it has shown the branch. */
  ifscShown: 'HDFC0001234',
};

/**
 * A hosted journey after its confirmation. The session service signs the applicant in, without the SMS: other specs
 * test the sign-in.
 */
export class StepJourney {
  private constructor(
    readonly service: TestService,
    readonly start: HostedStart,
    readonly key: HostedKey,
    readonly client: HostedClient,
  ) {}

  static async begin(
    service: TestService,
    options: LoanRequestOptions = {},
    browser: HostedClientOptions = {},
  ): Promise<StepJourney> {
    const start = await startHosted(service, options);
    const key = { partnerId: service.partnerId, journeyId: start.id };
    const consents = service.get<HostedConsents>(HostedConsents);
    const text = await consents.consentText(key, 'en');
    await consents.recordConsent(key, {
      language: 'en',
      shown: consentDigest(text),
      mayCall: false,
      clientAddress: '127.0.0.1',
    });
    const { detailsHash } = await service.get<HostedReader>(HostedReader).read(key);
    await service.get<HostedConfirmation>(HostedConfirmation).confirm(key, detailsHash);
    const client = new HostedClient(service.baseUrl, browser);
    client.cookies.set('session', await sessionToken(service, key));
    return new StepJourney(service, start, key, client);
  }

  /** A journey in the given state. */
  static async at(
    state: string,
    service: TestService,
    options: LoanRequestOptions = {},
    browser: HostedClientOptions = {},
  ): Promise<StepJourney> {
    const journey = await StepJourney.begin(service, options, browser);
    await journey.driveTo(state);
    return journey;
  }

  view(): Promise<HostedJourneyView> {
    return this.service.get<HostedReader>(HostedReader).read(this.key);
  }

  /** Waits for the state, without doing anything. */
  reaches(state: string): Promise<HostedJourneyView> {
    return eventually(async () => {
      const view = await this.view();
      if (view.state === state) return view;
      this.lookForWork();
      throw new Error(`the journey is in ${view.state}, not in ${state}`);
    }, WAIT);
  }

  /** Goes through the screens step by step until the journey has the state. */
  driveTo(state: string): Promise<HostedJourneyView> {
    return eventually(async () => {
      const view = await this.view();
      if (view.state === state) return view;
      await this.takeStep(view);
      this.lookForWork();
      throw new Error(`the journey is in ${view.state}, not in ${state}`);
    }, WAIT);
  }

  query<Row extends object>(sql: string, values: unknown[] = [this.start.id]): Promise<Row[]> {
    return this.service.get<Database>(Database).query<Row & Record<string, unknown>>(sql, values);
  }

  /** Runs due work now instead of within a second. */
  private lookForWork(): void {
    this.service.get<DuePoller>(DuePoller).lookNow();
  }

  private async takeStep(view: HostedJourneyView): Promise<void> {
    const { client } = this;
    if (view.redirect) {
      // In the sandbox a return without a visit counts as done. A reserved PAN delays the decision.
      if (view.redirect.isDeciding) await this.service.travel(DECISION_MS);
      else await client.get(`/hosted/returned/${view.redirect.step}`);
      return;
    }
    switch (view.state) {
      case 'OFFERS_RECEIVED':
        return this.chooseFirstOffer(view);
      case 'OFFER_SELECTED':
        await client.get('/hosted/branch');
        await client.submit({ branchLocationId: view.selected!.offer.terms.branches[0].id });
        return;
      case 'BANK_ACCOUNT_PENDING':
        await client.get('/hosted/bank-account');
        await client.submit(ACCOUNT);
    }
  }

  private async chooseFirstOffer({ offers }: HostedJourneyView): Promise<void> {
    const [{ offerId, amount }] = offers;
    await this.client.get(`/hosted/offers/${offerId}/confirm?amount=${amount / 100}`);
    await this.client.submit({ hasRead: '1' });
  }
}

/** A journey with offers, its first offer and that offer's path. */
export async function atOffers(service: TestService, options: LoanRequestOptions = {}) {
  const journey = await StepJourney.at('OFFERS_RECEIVED', service, options);
  const { offers } = await journey.view();
  const [offer] = offers;
  return {
    journey,
    start: journey.start,
    key: journey.key,
    client: journey.client,
    offers,
    offer,
    path: `/hosted/offers/${offer.offerId}`,
  };
}

export function expire(journey: StepJourney, { offerId }: { offerId: string }): Promise<object[]> {
  return journey.query(
    `UPDATE journey_offers SET valid_until = app_now() - interval '1 minute' WHERE id = $1`,
    [offerId],
  );
}

/** Sets the count of the journey's newest limit of this kind. */
export async function setTaken(journey: StepJourney, kind: string, count: number): Promise<void> {
  await journey.query(
    `UPDATE counted_limits SET count = $2 WHERE (kind, ends_at) =
       (SELECT kind, max(ends_at) FROM counted_limits WHERE kind = $1 GROUP BY kind)`,
    [kind, count],
  );
}

/** Opens a session without the start page and the code. */
export function sessionToken(service: TestService, key: HostedKey): Promise<string> {
  const sessions = service.get<HostedSessions>(HostedSessions);
  return service.get<Database>(Database).transaction(async (tx) => {
    const link = `link of a test ${crypto.randomUUID()}`;
    const { session } = await sessions.open(tx, key, link, 'browser of a test');
    return sessions.verify(tx, session);
  });
}

/** The words of a page's main part. */
export function wordsOf({ text }: HostedPage): string {
  const main = /<main[^>]*>(.*)<\/main>/s.exec(text)?.[1] ?? '';
  return plain(main.replaceAll('<', ' <'));
}

/** Expects each text in the page's main part. */
export function expectWords(page: HostedPage, ...said: string[]): void {
  const words = wordsOf(page);
  expect(said.filter((one) => !words.includes(one))).toEqual([]);
}
