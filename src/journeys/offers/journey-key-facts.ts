import { Injectable } from '@nestjs/common';
import {
  collaborationOf,
  type FrozenKeyFacts,
  type KeyFactsDraft,
  KeyFactsDrafts,
  KeyFactsRepository,
  type KeyFactsView,
} from '../../key-facts/index.js';
import { quoteLoan } from '../../loans/index.js';
import { type Environment, InjectEnvironment, Keyring, Tx } from '../../platform/index.js';
import { ProductCatalogue } from '../../settings/index.js';
import type { QuotedLoan } from '../domain/journey.js';
import { isInstant } from '../domain/journey.js';
import type { JourneyState } from '../domain/journey-state.js';
import type { Journey } from '../store/journey.entity.js';
import { JourneysRepository } from '../store/journeys.repository.js';
import type { Offer } from '../store/offer.entity.js';
import { OffersRepository } from '../store/offers.repository.js';

const LINK_PURPOSE = 'key-facts';

const UNPAID: ReadonlySet<JourneyState> = new Set(['OFFERS_RECEIVED', 'FEE_PENDING', 'ABANDONED']);

interface LinkedKeyFacts extends KeyFactsView {
  readonly bindsBy: 'SIGNATURE' | 'FEE';
}

/** The Key Facts Statement of each offer (RBI/2024-25/18), frozen at the choice. */
@Injectable()
export class JourneyKeyFacts {
  constructor(
    private readonly drafts: KeyFactsDrafts,
    private readonly statements: KeyFactsRepository,
    private readonly offers: OffersRepository,
    private readonly journeys: JourneysRepository,
    private readonly products: ProductCatalogue,
    private readonly keyring: Keyring,
    @InjectEnvironment private readonly environment: Environment,
  ) {}

  /** The link is the permission; it needs no sign-in. */
  linkTo(offerId: string): string {
    return `${this.environment.baseUrl}/kfs/${this.keyring.signLink(offerId, LINK_PURPOSE)}`;
  }

  async readLink(token: string): Promise<LinkedKeyFacts | null> {
    const offerId = this.keyring.readLink(token, LINK_PURPOSE);
    if (offerId === null) return null;
    const frozen = await this.statements.frozen(offerId);
    if (frozen) return { ...frozen, isFrozen: true, ...(await this.standingOf(offerId, frozen)) };
    const offer = await this.offers.findByLink(offerId);
    const journey = offer && (await this.journeys.findByLink(offer.journeyId));
    if (!offer || !journey) return null;
    const { productCode } = journey;
    const { principal, figures, createdAt } = offer;
    const draft = await this.draftOf(productCode, offer, principal, figures, createdAt);
    const owner = { partnerId: journey.partnerId, subjectId: journey.id };
    const { statement, contentHash } = draft;
    const bindsBy = bindingOf(journey);
    const isNotTaken = isInstant(journey) && isOtherChosen(journey, offerId);
    return { statement, contentHash, owner, isFrozen: false, isAgreed: false, isNotTaken, bindsBy };
  }

  drawUp(
    { productCode }: Journey,
    offer: Offer,
    selection: QuotedLoan,
    issuedAt: Date,
  ): Promise<KeyFactsDraft> {
    return this.draftOf(productCode, offer, selection.loanAmount, selection, issuedAt);
  }

  freeze(
    tx: Tx,
    { id, partnerId }: Journey,
    offer: Offer,
    draft: KeyFactsDraft,
    lenderSignature?: string,
  ): Promise<void> {
    const owner = { partnerId, subjectId: id };
    return this.statements.freeze(tx, owner, offer.id, draft, lenderSignature);
  }

  private async standingOf(
    offerId: string,
    frozen: FrozenKeyFacts,
  ): Promise<Pick<LinkedKeyFacts, 'isAgreed' | 'isNotTaken' | 'bindsBy'>> {
    const journey = await this.journeys.findByLink(frozen.owner.subjectId);
    const bindsBy = journey ? bindingOf(journey) : 'SIGNATURE';
    if (journey && journey.selectedOfferId !== offerId)
      return { isAgreed: false, isNotTaken: isOtherChosen(journey, offerId), bindsBy };
    return { isAgreed: frozen.acknowledgement !== null, bindsBy };
  }

  private async draftOf(
    productCode: string,
    offer: Offer,
    principal: number,
    figures: Offer['figures'],
    issuedAt: Date,
  ): Promise<KeyFactsDraft> {
    const { annualRatePercent, tenureMonths, fees, areFeesPaidFirst } = figures;
    const product = await this.products.find(productCode);
    return this.drafts.drawUp({
      offerId: offer.id,
      lenderLegalName: offer.sellerName,
      loanType: product?.displayName ?? productCode,
      issuedAt: issuedAt.toISOString(),
      validUntil: offer.validUntil.toISOString(),
      grievanceOfficer: offer.terms.grievanceOfficer,
      quote: quoteLoan({ principal, annualRatePercent, tenureMonths, fees }),
      contingentCharges: offer.terms.contingentCharges,
      ...(areFeesPaidFirst && { areChargesPaidUpFront: true }),
      coolingOffDays: offer.terms.coolingOffDays,
      recoveryAgentsClause: offer.terms.recoveryAgentsClause,
      grievanceRedressalClause: offer.terms.grievanceRedressalClause,
      mayBeTransferred: offer.terms.mayBeTransferred,
      recoveryAgentLsp: offer.terms.recoveryAgentLsp,
      collateralExplanation: offer.terms.collateralExplanation,
      texts: offer.terms.texts,
      collaborativeLending: collaborationOf(
        offer.sellerName,
        annualRatePercent,
        offer.terms.coLender,
      ),
    });
  }
}

/** Until the fee is paid, an instant loan's applicant can choose another offer. */
function isOtherChosen(journey: Journey, offerId: string): boolean {
  const { state, selectedOfferId } = journey;
  if (!isInstant(journey)) return selectedOfferId !== offerId;
  return selectedOfferId !== null && selectedOfferId !== offerId && !UNPAID.has(state);
}

function bindingOf(journey: Journey): LinkedKeyFacts['bindsBy'] {
  return isInstant(journey) ? 'FEE' : 'SIGNATURE';
}
