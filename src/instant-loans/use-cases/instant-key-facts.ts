import { Injectable } from '@nestjs/common';
import {
  collaborationOf,
  KeyFactsDrafts,
  type KeyFactsStatement,
  type KeyFactsView,
} from '../../key-facts/index.js';
import { Keyring } from '../../platform/index.js';
import { ProductCatalogue } from '../../settings/index.js';
import { InstantLoanLinks } from '../access/instant-loan-links.js';
import { type ChosenInstantLoan, isChosen } from '../domain/chosen-loan.js';
import { INSTANT_PRODUCT } from '../domain/instant-loan.js';
import type { MadeOffer } from '../domain/instant-offer.js';
import { InstantLoansRepository } from '../store/instant-loans.repository.js';

export const PURPOSE = 'instant_loans.key_facts';

/** A statement as it is kept with its application. */
export interface KeptKeyFacts {
  readonly keyFactsSealed: string;
  /** SHA-256 (hex) of the statement's canonical JSON. */
  readonly keyFactsHash: string;
}

/**
 * The Key Facts Statement of an instant loan (RBI/2024-25/18): drawn up from the offer
 * that is chosen, frozen with the choice, and shown before the fee is paid.
 */
@Injectable()
export class InstantKeyFacts {
  constructor(
    private readonly loans: InstantLoansRepository,
    private readonly links: InstantLoanLinks,
    private readonly drafts: KeyFactsDrafts,
    private readonly products: ProductCatalogue,
    private readonly keyring: Keyring,
  ) {}

  /** @param issuedAt when the offer is chosen: until it runs out, the lender stands by it */
  async freeze(applicationId: string, offer: MadeOffer, issuedAt: Date): Promise<KeptKeyFacts> {
    const { terms, quote, lenderName } = offer;
    const product = await this.products.find(INSTANT_PRODUCT);
    const { content, contentHash } = await this.drafts.drawUp({
      offerId: applicationId,
      lenderLegalName: lenderName,
      loanType: product?.displayName ?? INSTANT_PRODUCT,
      issuedAt: issuedAt.toISOString(),
      validUntil: offer.validUntil.toISOString(),
      grievanceOfficer: terms.grievanceOfficer,
      quote,
      contingentCharges: terms.contingentCharges,
      areChargesPaidUpFront: true,
      coolingOffDays: terms.coolingOffDays,
      recoveryAgentsClause: terms.recoveryAgentsClause,
      grievanceRedressalClause: terms.grievanceRedressalClause,
      mayBeTransferred: terms.mayBeTransferred,
      recoveryAgentLsp: terms.recoveryAgentLsp,
      collaborativeLending: collaborationOf(lenderName, quote.annualRatePercent, terms.coLender),
    });
    return {
      keyFactsSealed: this.keyring.seal(content, `${PURPOSE}:${applicationId}`),
      keyFactsHash: contentHash,
    };
  }

  read({ id, keyFactsSealed }: ChosenInstantLoan): KeyFactsStatement {
    return JSON.parse(this.keyring.open(keyFactsSealed, `${PURPOSE}:${id}`)) as KeyFactsStatement;
  }

  /** The statement behind a link, or null when the link is not one of an instant loan that has one. */
  async readLink(token: string): Promise<KeyFactsView | null> {
    const id = this.links.readKeyFactsToken(token);
    const loan = id === null ? null : await this.loans.findByLink(id);
    if (!loan || !isChosen(loan)) return null;
    return {
      statement: this.read(loan),
      contentHash: loan.keyFactsHash,
      owner: { partnerId: loan.partnerId, subjectId: loan.id },
      isFrozen: true,
      isAgreed: loan.agreedAt !== null,
    };
  }
}
