import { Inject, Injectable } from '@nestjs/common';
import { ENVIRONMENT, type Environment, Keyring } from '../../platform/index.js';

const PAY_PURPOSE = 'instant-loan';
const KEY_FACTS_PURPOSE = 'instant-loan-key-facts';
const OFFER_KEY_FACTS_PURPOSE = 'instant-offer-key-facts';

/**
 * The signed link is the proof. The statement's own link opens nothing else, so that it can be
 * passed on.
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

  payToken(applicationId: string): string {
    return this.keyring.signLink(applicationId, PAY_PURPOSE);
  }

  returnLink(applicationId: string): string {
    return `${this.payLink(applicationId)}/done`;
  }

  keyFactsPath(applicationId: string): string {
    return `/kfs/${this.keyring.signLink(applicationId, KEY_FACTS_PURPOSE)}`;
  }

  offerKeyFactsPath(offerId: string): string {
    return `/kfs/${this.keyring.signLink(offerId, OFFER_KEY_FACTS_PURPOSE)}`;
  }

  /** Null for a forged link. */
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
