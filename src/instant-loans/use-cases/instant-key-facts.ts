import { Injectable } from '@nestjs/common';
import {
  collaborationOf,
  type KeyFactsDraft,
  KeyFactsDrafts,
  type KeyFactsStatement,
  type KeyFactsView,
} from '../../key-facts/index.js';
import { Clock, Database, Keyring, sha256, Unreadable } from '../../platform/index.js';
import { ProductCatalogue } from '../../settings/index.js';
import { InstantLoanLinks } from '../access/instant-loan-links.js';
import { isChosen, type LenderChoice } from '../domain/chosen-loan.js';
import { INSTANT_PRODUCT } from '../domain/instant-loan.js';
import { isMade } from '../domain/instant-offer.js';
import { StandingOffers } from '../offers/standing-offers.js';
import { InstantLoansRepository } from '../store/instant-loans.repository.js';
import { InstantOffersRepository } from '../store/instant-offers.repository.js';
import type { ChosenInstantLoan } from '../store/instant-loan.entity.js';
import type { MadeOffer } from '../store/instant-offer.entity.js';

const PURPOSE = 'instant_loans.key_facts';

export type KeptKeyFacts = Pick<LenderChoice, 'keyFactsSealed' | 'keyFactsHash'>;

/**
 * Canonical JSON.
 * @throws Unreadable when it does not match its hash
 */
export function openKeptKeyFacts(
  keyring: Keyring,
  { id, keyFactsSealed, keyFactsHash }: KeptKeyFacts & { readonly id: string },
): string {
  const content = keyring.open(keyFactsSealed, `${PURPOSE}:${id}`);
  if (sha256(content) !== keyFactsHash) {
    throw new Unreadable(`the statement of ${id} is not what was frozen`);
  }
  return content;
}

export function frozenView(loan: ChosenInstantLoan, statement: KeyFactsStatement): KeyFactsView {
  return {
    statement,
    contentHash: loan.keyFactsHash,
    owner: { partnerId: loan.partnerId, subjectId: loan.id },
    isFrozen: true,
    isAgreed: loan.agreedAt !== null,
  };
}

/**
 * The Key Facts Statement of an instant loan (RBI/2024-25/18): drawn up from the chosen offer,
 * frozen with each choice, shown before the payment.
 */
@Injectable()
export class InstantKeyFacts {
  constructor(
    private readonly loans: InstantLoansRepository,
    private readonly offers: InstantOffersRepository,
    private readonly links: InstantLoanLinks,
    private readonly drafts: KeyFactsDrafts,
    private readonly products: ProductCatalogue,
    private readonly standing: StandingOffers,
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly keyring: Keyring,
  ) {}

  /** Deterministic for an offer. */
  async freeze(applicationId: string, offer: MadeOffer): Promise<KeptKeyFacts> {
    const { content, contentHash } = await this.drawUp(applicationId, offer);
    return {
      keyFactsSealed: this.keyring.seal(content, `${PURPOSE}:${applicationId}`),
      keyFactsHash: contentHash,
    };
  }

  /** @throws Unreadable when the content does not match its hash */
  read(loan: ChosenInstantLoan): KeyFactsStatement {
    return JSON.parse(openKeptKeyFacts(this.keyring, loan)) as KeyFactsStatement;
  }

  /** Null for a forged link, or an application without a statement. */
  async readLink(token: string): Promise<KeyFactsView | null> {
    const offerId = this.links.readOfferKeyFactsToken(token);
    if (offerId !== null) return this.readOffer(offerId);
    const id = this.links.readKeyFactsToken(token);
    const loan = id === null ? null : await this.loans.findByLink(id);
    return loan && isChosen(loan) ? frozenView(loan, this.read(loan)) : null;
  }

  /** From the offer's row, which does not change after the choice. */
  ofOther(offer: MadeOffer): Promise<KeyFactsDraft> {
    return this.drawUp(offer.id, offer);
  }

  private async readOffer(offerId: string): Promise<KeyFactsView | null> {
    const offer = await this.offers.findByLink(offerId);
    if (!offer || !isMade(offer)) return null;
    const loan = await this.loans.findByLink(offer.applicationId);
    if (!loan || !isChosen(loan)) return null;
    if (loan.offerId === offerId) return frozenView(loan, this.read(loan));
    const { statement, contentHash } = await this.ofOther(offer);
    const owner = { partnerId: offer.partnerId, subjectId: offer.applicationId };
    const isNotTaken = !(await this.canChoose(loan, offer));
    return { statement, contentHash, owner, isFrozen: false, isAgreed: false, isNotTaken };
  }

  private async canChoose(loan: ChosenInstantLoan, { id }: MadeOffer): Promise<boolean> {
    const now = this.clock.now();
    const standing = await this.database.transaction((tx) => this.standing.of(tx, loan, now));
    return standing.some((offer) => offer.id === id);
  }

  private async drawUp(proposalNumber: string, offer: MadeOffer): Promise<KeyFactsDraft> {
    const { terms, quote, lenderName, recordedAt } = offer;
    const product = await this.products.find(INSTANT_PRODUCT);
    return this.drafts.drawUp({
      offerId: proposalNumber,
      lenderLegalName: lenderName,
      loanType: product?.displayName ?? INSTANT_PRODUCT,
      issuedAt: recordedAt.toISOString(),
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
      texts: terms.texts,
      collaborativeLending: collaborationOf(lenderName, quote.annualRatePercent, terms.coLender),
    });
  }
}
