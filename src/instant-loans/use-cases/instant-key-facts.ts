import { Injectable } from '@nestjs/common';
import {
  KeyFactsDrafts,
  type KeyFactsStatement,
  type KeyFactsView,
} from '../../key-facts/index.js';
import { Keyring } from '../../platform/index.js';
import type { Product } from '../../settings/index.js';
import { InstantLoanLinks } from '../access/instant-loan-links.js';
import { INSTANT_PRODUCT } from '../domain/instant-loan.js';
import type { InstantLoan } from '../store/instant-loan.entity.js';
import { InstantLoansRepository } from '../store/instant-loans.repository.js';
import type { ChosenLender } from './lender-choice.js';

const PURPOSE = 'instant_loans.key_facts';
const DAY_MS = 86_400_000;

/** A statement as it is kept with its application. */
export interface KeptKeyFacts {
  readonly keyFactsSealed: string;
  /** SHA-256 (hex) of the statement's canonical JSON. */
  readonly keyFactsHash: string;
}

/**
 * The Key Facts Statement of an instant loan (RBI/2024-25/18): drawn up from the chosen lender's
 * terms when the application is made, frozen with it, and shown before the fee is paid.
 */
@Injectable()
export class InstantKeyFacts {
  constructor(
    private readonly loans: InstantLoansRepository,
    private readonly links: InstantLoanLinks,
    private readonly drafts: KeyFactsDrafts,
    private readonly keyring: Keyring,
  ) {}

  /** @param issuedAt when the application is made; the lender stands by it for its usual days */
  async freeze(
    applicationId: string,
    product: Product,
    { lender, quote }: ChosenLender,
    issuedAt: Date,
  ): Promise<KeptKeyFacts> {
    const { terms } = lender;
    const lent = terms.products[INSTANT_PRODUCT];
    const { content, contentHash } = await this.drafts.drawUp({
      offerId: applicationId,
      lenderLegalName: lender.name,
      loanType: product.displayName,
      issuedAt: issuedAt.toISOString(),
      validUntil: new Date(issuedAt.getTime() + lent.offerValidDays * DAY_MS).toISOString(),
      grievanceOfficer: terms.grievanceOfficer,
      quote,
      contingentCharges: lent.contingentCharges,
      areChargesPaidUpFront: true,
      coolingOffDays: lent.coolingOffDays,
      recoveryAgentsClause: terms.recoveryAgentsClause,
      grievanceRedressalClause: terms.grievanceRedressalClause,
      mayBeTransferred: terms.mayBeTransferred,
      recoveryAgentLsp: terms.recoveryAgentLsp,
    });
    return {
      keyFactsSealed: this.keyring.seal(content, `${PURPOSE}:${applicationId}`),
      keyFactsHash: contentHash,
    };
  }

  read({ id, keyFactsSealed }: InstantLoan): KeyFactsStatement {
    return JSON.parse(this.keyring.open(keyFactsSealed, `${PURPOSE}:${id}`)) as KeyFactsStatement;
  }

  /** The statement behind a link, or null when the link is not one of an instant loan. */
  async readLink(token: string): Promise<KeyFactsView | null> {
    const id = this.links.readKeyFactsToken(token);
    const loan = id === null ? null : await this.loans.findByLink(id);
    if (!loan) return null;
    return {
      statement: this.read(loan),
      contentHash: loan.keyFactsHash,
      owner: { partnerId: loan.partnerId, subjectId: loan.id },
      isFrozen: true,
      isAgreed: loan.agreedAt !== null,
    };
  }
}
