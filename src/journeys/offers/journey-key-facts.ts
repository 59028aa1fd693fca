import { Inject, Injectable } from '@nestjs/common';
import {
  canonicalJson,
  CURRENT_FORM_VERSION,
  type FrozenKeyFacts,
  KeyFactsRepository,
  keyFactsStatement,
  type KeyFactsStatement,
  type KeyFactsView,
} from '../../key-facts/index.js';
import { quoteLoan, repaymentSchedule } from '../../loans/index.js';
import { ENVIRONMENT, type Environment, Keyring, sha256, Tx } from '../../platform/index.js';
import type { Selection } from '../domain/journey.js';
import type { Journey } from '../store/journey.entity.js';
import { JourneysRepository } from '../store/journeys.repository.js';
import type { Offer } from '../store/offer.entity.js';
import { OffersRepository } from '../store/offers.repository.js';
import { ProductCatalogue, ServiceSettings } from '../../settings/index.js';

const LINK_PURPOSE = 'key-facts';

/**
 * The Key Facts Statement of each offer (RBI/2024-25/18): drawn up from the offer until it is
 * chosen, and from then on as it was frozen at that moment.
 */
@Injectable()
export class JourneyKeyFacts {
  constructor(
    private readonly statements: KeyFactsRepository,
    private readonly offers: OffersRepository,
    private readonly journeys: JourneysRepository,
    private readonly products: ProductCatalogue,
    private readonly settings: ServiceSettings,
    private readonly keyring: Keyring,
    @Inject(ENVIRONMENT) private readonly environment: Environment,
  ) {}

  /** A page of this service that needs no login: whoever has the link was given it. */
  linkTo(offerId: string): string {
    return `${this.environment.baseUrl}/kfs/${this.keyring.signLink(offerId, LINK_PURPOSE)}`;
  }

  /** The statement behind a link, or null when the link is not one of ours. */
  async readLink(token: string): Promise<KeyFactsView | null> {
    const offerId = this.keyring.readLink(token, LINK_PURPOSE);
    if (offerId === null) return null;
    const frozen = await this.statements.frozen(offerId);
    if (frozen) return { ...frozen, isFrozen: true, isAgreed: true };
    const offer = await this.offers.findByLink(offerId);
    const journey = offer && (await this.journeys.findByLink(offer.journeyId));
    if (!offer || !journey) return null;
    const { productCode } = journey;
    const { principal, figures, createdAt } = offer;
    const statement = await this.statementOf(productCode, offer, principal, figures, createdAt);
    const owner = { partnerId: journey.partnerId, subjectId: journey.id };
    const contentHash = sha256(canonicalJson(statement));
    return { statement, contentHash, owner, isFrozen: false, isAgreed: false };
  }

  /** The statement of an offer for a chosen amount, as it would be frozen. */
  async draw(
    { productCode }: Journey,
    offer: Offer,
    selection: Selection,
    issuedAt: Date,
  ): Promise<FrozenKeyFacts> {
    const { loanAmount } = selection;
    const statement = await this.statementOf(productCode, offer, loanAmount, selection, issuedAt);
    return { statement, contentHash: sha256(canonicalJson(statement)) };
  }

  /** Freezes the statement of the chosen offer as it was drawn. */
  freeze(tx: Tx, journey: Journey, offer: Offer, statement: KeyFactsStatement): Promise<void> {
    const owner = { partnerId: journey.partnerId, subjectId: journey.id };
    return this.statements.freeze(tx, owner, offer.id, statement);
  }

  private async statementOf(
    productCode: string,
    offer: Offer,
    principal: number,
    figures: Offer['figures'],
    issuedAt: Date,
  ): Promise<KeyFactsStatement> {
    const { annualRatePercent, tenureMonths, fees } = figures;
    const product = await this.products.find(productCode);
    return keyFactsStatement({
      offerId: offer.id,
      templateVersion: CURRENT_FORM_VERSION,
      lenderLegalName: offer.sellerName,
      lspName: (await this.settings.brand()).displayName,
      loanType: product?.displayName ?? productCode,
      issuedAt: issuedAt.toISOString(),
      validUntil: offer.validUntil.toISOString(),
      grievanceOfficer: offer.terms.grievanceOfficer,
      quote: quoteLoan({ principal, annualRatePercent, tenureMonths, fees }),
      schedule: repaymentSchedule(principal, annualRatePercent, tenureMonths),
      contingentCharges: offer.terms.contingentCharges,
      coolingOffDays: offer.terms.coolingOffDays,
      recoveryAgentsClause: offer.terms.recoveryAgentsClause,
      grievanceRedressalClause: offer.terms.grievanceRedressalClause,
      mayBeTransferred: offer.terms.mayBeTransferred,
      recoveryAgentLsp: offer.terms.recoveryAgentLsp,
      collateralExplanation: offer.terms.collateralExplanation,
    });
  }
}
