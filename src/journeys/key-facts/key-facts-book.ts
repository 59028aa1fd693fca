import { Inject, Injectable } from '@nestjs/common';
import {
  keyFactsStatement,
  type KeyFactsStatement,
  quoteLoan,
  repaymentSchedule,
} from '../../loans/index.js';
import { ProductCatalogue } from '../../products/index.js';
import {
  BrandBook,
  Clock,
  ENVIRONMENT,
  type Environment,
  Keyring,
  Tx,
} from '../../platform/index.js';
import type { Journey, Selection } from '../journey.js';
import { JourneysRepository } from '../journeys.repository.js';
import type { Offer } from '../offers/offer.js';
import { OffersRepository } from '../offers/offers.repository.js';
import { KeyFactsRepository } from './key-facts.repository.js';

const LINK_PURPOSE = 'key-facts';
const TEMPLATE_VERSION = '1';

/**
 * The Key Facts Statement of each offer (RBI/2024-25/18): drawn up from the offer until it is
 * chosen, and from then on as it was frozen at that moment.
 */
@Injectable()
export class KeyFactsBook {
  constructor(
    private readonly statements: KeyFactsRepository,
    private readonly offers: OffersRepository,
    private readonly journeys: JourneysRepository,
    private readonly products: ProductCatalogue,
    private readonly brand: BrandBook,
    private readonly clock: Clock,
    private readonly keyring: Keyring,
    @Inject(ENVIRONMENT) private readonly environment: Environment,
  ) {}

  /** A page of this service that needs no login: whoever has the link was given it. */
  linkTo(offerId: string): string {
    return `${this.environment.baseUrl}/kfs/${this.keyring.signLink(offerId, LINK_PURPOSE)}`;
  }

  /** The statement behind a link, or null when the link is not one of ours. */
  async readLink(token: string): Promise<KeyFactsStatement | null> {
    const offerId = this.keyring.readLink(token, LINK_PURPOSE);
    if (offerId === null) return null;
    const frozen = await this.statements.frozen(offerId);
    if (frozen) return frozen;
    const offer = await this.offers.findByLink(offerId);
    const journey = offer && (await this.journeys.findByLink(offer.journeyId));
    if (!offer || !journey) return null;
    return this.draw(journey.productCode, offer, offer.principal, offer.figures, offer.createdAt);
  }

  /** Freezes the statement of the chosen offer, for the chosen amount. */
  async freeze(tx: Tx, journey: Journey, offer: Offer, selection: Selection): Promise<void> {
    const statement = await this.draw(
      journey.productCode,
      offer,
      selection.loanAmount,
      selection,
      this.clock.now(),
    );
    await this.statements.freeze(tx, journey, offer.id, statement);
  }

  private async draw(
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
      templateVersion: TEMPLATE_VERSION,
      lenderLegalName: offer.sellerName,
      lspName: (await this.brand.brand()).displayName,
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
