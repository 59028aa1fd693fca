import { Inject, Injectable } from '@nestjs/common';
import { PartnerReturnUrls } from '../../auth/index.js';
import { ENVIRONMENT, type Environment, Keyring, Tx } from '../../platform/index.js';
import type { InstantLoan } from '../store/instant-loan.entity.js';
import { InstantLoansRepository } from '../store/instant-loans.repository.js';

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
    private readonly loans: InstantLoansRepository,
    private readonly returnUrls: PartnerReturnUrls,
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

  /** The application of a payment link; null for a forged link. */
  async loanOf(token: string): Promise<InstantLoan | null> {
    const id = this.keyring.readLink(token, PAY_PURPOSE);
    return id === null ? null : this.loans.findByLink(id);
  }

  readKeyFactsToken(token: string): string | null {
    return this.keyring.readLink(token, KEY_FACTS_PURPOSE);
  }

  readOfferKeyFactsToken(token: string): string | null {
    return this.keyring.readLink(token, OFFER_KEY_FACTS_PURPOSE);
  }

  /**
   * The partner's page. The id and status in the address prove nothing: the partner reads the status.
   * @returns null when the partner has no return URL
   */
  async returnUrl(tx: Tx, { id, partnerId, status }: InstantLoan): Promise<string | null> {
    const address = await this.returnUrls.of(tx, partnerId);
    if (address === null) return null;
    const url = new URL(address, this.environment.baseUrl);
    url.searchParams.set('applicationId', id);
    url.searchParams.set('status', status);
    return url.toString();
  }
}
