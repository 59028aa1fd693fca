import { Injectable } from '@nestjs/common';
import {
  checkClaimedFigures,
  type Disagreement,
  type IndianDay,
  MIN_WORKING_DAYS,
  type Quote,
  workingDaysBetween,
} from '../../loans/index.js';
import { type LenderOffer } from '../../lenders/index.js';
import { Clock, IdGenerator, Tx } from '../../platform/index.js';
import type { LoanFigures } from '../domain/journey.js';
import type { Journey } from '../store/journey.entity.js';
import type { OfferTerms } from './offer-terms.js';
import { type NewOffer, OffersRepository } from '../store/offers.repository.js';
import { isWellFormed } from './well-formed-offer.js';
import { OperatorFlags } from '../../operator-flags/index.js';
import { type Lender, LenderCatalogue, ServiceSettings } from '../../settings/index.js';

/** What a lender offers for a journey. */
export interface ClaimedOffers {
  /** Locked. */
  readonly journey: Journey;
  readonly lenderCode: string;
  readonly offers: readonly LenderOffer[];
}

/** Why an offer is refused. */
interface Objection {
  readonly reason: string;
  readonly disagreements?: readonly Disagreement[];
}

/**
 * Takes lenders' offers in. An offer is never passed on unchecked: its figures are computed again,
 * and one that disagrees, or that runs out too soon, is refused and flagged for the operator.
 */
@Injectable()
export class OfferIntake {
  constructor(
    private readonly offers: OffersRepository,
    private readonly lenders: LenderCatalogue,
    private readonly ids: IdGenerator,
    private readonly flags: OperatorFlags,
    private readonly settings: ServiceSettings,
    private readonly clock: Clock,
  ) {}

  async takeAll(tx: Tx, claims: readonly ClaimedOffers[]): Promise<void> {
    const bankHolidays = new Set((await this.settings.operating()).bankHolidays);
    const sound: NewOffer[] = [];
    for (const { journey, lenderCode, offers } of claims) {
      const lender = await this.lenders.find(lenderCode);
      if (!lender) throw new Error(`an offer of the unknown lender ${lenderCode}`);
      for (const offer of offers) {
        const examined = this.examine(journey, lender, offer, bankHolidays);
        if ('reason' in examined) await this.refuse(tx, journey, lenderCode, examined);
        else sound.push(this.offerOf(journey, lender, offer, examined));
      }
    }
    if (sound.length > 0) await this.offers.insertAll(tx, sound);
  }

  /** The offer's figures as they are computed here, or what speaks against it. */
  private examine(
    journey: Journey,
    lender: Lender,
    offer: LenderOffer,
    bankHolidays: ReadonlySet<IndianDay>,
  ): Quote | Objection {
    if (!isWellFormed(offer)) return { reason: 'MALFORMED' };
    if (!lender.terms.products[journey.productCode]) return { reason: 'PRODUCT_NOT_SERVED' };
    if (offer.principal > journey.loanAmount || offer.minimumAmount > offer.principal) {
      return { reason: 'AMOUNT_OUT_OF_RANGE' };
    }
    const validUntil = new Date(offer.validUntil);
    const workingDays = workingDaysBetween(this.clock.now(), validUntil, bankHolidays);
    if (!(workingDays >= MIN_WORKING_DAYS)) {
      return { reason: 'VALIDITY_TOO_SHORT' };
    }
    try {
      const { quote, disagreements } = checkClaimedFigures(offer);
      return disagreements.length > 0 ? { reason: 'FIGURES_DISAGREE', disagreements } : quote;
    } catch (error) {
      if (error instanceof RangeError) return { reason: 'IMPOSSIBLE_TERMS' };
      throw error;
    }
  }

  private offerOf(journey: Journey, lender: Lender, offer: LenderOffer, quote: Quote): NewOffer {
    return {
      id: this.ids.next('off'),
      partnerId: journey.partnerId,
      journeyId: journey.id,
      round: journey.offerRound,
      lenderCode: lender.code,
      lenderReference: offer.reference,
      sellerName: lender.name,
      principal: offer.principal,
      minimumAmount: offer.minimumAmount,
      figures: figuresOf(quote),
      terms: termsOf(lender, journey.productCode, offer),
      validUntil: new Date(offer.validUntil),
    };
  }

  private async refuse(
    tx: Tx,
    journey: Journey,
    lenderCode: string,
    objection: Objection,
  ): Promise<void> {
    await this.flags.raise(tx, {
      partnerId: journey.partnerId,
      subjectId: journey.id,
      kind: 'OFFER_REFUSED',
      detail: { lenderCode, ...objection },
    });
  }
}

/** A quote as an offer or a selection keeps it. */
export function figuresOf(quote: Quote): LoanFigures {
  return {
    annualRatePercent: quote.annualRatePercent,
    tenureMonths: quote.tenureMonths,
    instalment: quote.instalment,
    apr: quote.apr,
    processingFees: quote.processingFees,
    netDisbursed: quote.netDisbursed,
    fees: quote.fees,
  };
}

function termsOf(lender: Lender, productCode: string, offer: LenderOffer): OfferTerms {
  const { terms } = lender;
  const product = terms.products[productCode];
  return {
    contingentCharges: product.contingentCharges,
    coolingOffDays: product.coolingOffDays,
    grievanceOfficer: terms.grievanceOfficer,
    recoveryAgentsClause: terms.recoveryAgentsClause,
    grievanceRedressalClause: terms.grievanceRedressalClause,
    mayBeTransferred: terms.mayBeTransferred,
    recoveryAgentLsp: terms.recoveryAgentLsp,
    branches: product.gold ? terms.branches : [],
    collateralExplanation: offer.collateralExplanation,
  };
}
