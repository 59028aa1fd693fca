import { Inject, Injectable } from '@nestjs/common';
import { ENVIRONMENT, type Environment, Keyring } from '../../platform/index.js';

const PAY_PURPOSE = 'instant-loan';
const KEY_FACTS_PURPOSE = 'instant-loan-key-facts';
const OFFER_KEY_FACTS_PURPOSE = 'instant-offer-key-facts';

/**
 * The links to an application's pages. They carry their own proof: whoever has one was given it. The
 * statement's own link leads to nothing else, so that it can be passed on.
 */
@Injectable()
export class InstantLoanLinks {
  constructor(
    private readonly keyring: Keyring,
    @Inject(ENVIRONMENT) private readonly environment: Environment,
  ) {}

  payLink(applicationId: string): string {
    return `${this.environment.baseUrl}${this.payPath(applicationId)}`;
  }

  payPath(applicationId: string): string {
    return `/pay/${this.payToken(applicationId)}`;
  }

  /** What names an application in its pages' addresses. */
  payToken(applicationId: string): string {
    return this.keyring.signLink(applicationId, PAY_PURPOSE);
  }

  /** Where the gateway sends the browser afterwards. */
  returnLink(applicationId: string): string {
    return `${this.payLink(applicationId)}/done`;
  }

  keyFactsPath(applicationId: string): string {
    return `/kfs/${this.keyring.signLink(applicationId, KEY_FACTS_PURPOSE)}`;
  }

  /** To the statement of an offer that was not chosen. */
  offerKeyFactsPath(offerId: string): string {
    return `/kfs/${this.keyring.signLink(offerId, OFFER_KEY_FACTS_PURPOSE)}`;
  }

  /** The application behind a payment link, or null when the link is not one of ours. */
  readPayToken(token: string): string | null {
    return this.keyring.readLink(token, PAY_PURPOSE);
  }

  readKeyFactsToken(token: string): string | null {
    return this.keyring.readLink(token, KEY_FACTS_PURPOSE);
  }

  readOfferKeyFactsToken(token: string): string | null {
    return this.keyring.readLink(token, OFFER_KEY_FACTS_PURPOSE);
  }
}
