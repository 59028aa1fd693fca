import { Injectable } from '@nestjs/common';
import {
  checkClaimedFigures,
  type IndianDay,
  MIN_WORKING_DAYS,
  type Quote,
  workingDaysBetween,
} from '../../loans/index.js';
import type { LenderOffer, RefusedOffer } from '../../lenders/index.js';
import { Clock, IdGenerator, sha256, Tx } from '../../platform/index.js';
import type { LoanFigures } from '../domain/journey.js';
import type { Journey } from '../store/journey.entity.js';
import type { OfferTerms } from './offer-terms.js';
import { type NewOffer, OffersRepository } from '../store/offers.repository.js';
import { type Objection, refusedOfferOf, RefusedOffers } from './refused-offers.js';
import { isWellFormed } from './well-formed-offer.js';
import {
  type Lender,
  type LenderBranch,
  LenderCatalogue,
  ServiceSettings,
} from '../../settings/index.js';

/** What a lender offers for a journey. */
export interface ClaimedOffers {
  /** Locked. */
  readonly journey: Journey;
  readonly lenderCode: string;
  readonly offers: readonly LenderOffer[];
  /** Those that its connector has refused. */
  readonly refused?: readonly RefusedOffer[];
}

/**
 * Takes lenders' offers in. An offer is never passed on unchecked: its figures are computed again,
 * and one that disagrees, or that runs out too soon, is refused: the operator and its lender are told.
 */
@Injectable()
export class OfferIntake {
  constructor(
    private readonly offers: OffersRepository,
    private readonly lenders: LenderCatalogue,
    private readonly ids: IdGenerator,
    private readonly refusals: RefusedOffers,
    private readonly settings: ServiceSettings,
    private readonly clock: Clock,
  ) {}

  async takeAll(tx: Tx, claims: readonly ClaimedOffers[]): Promise<void> {
    const bankHolidays = new Set((await this.settings.operating()).bankHolidays);
    const sound: NewOffer[] = [];
    for (const { journey, lenderCode, offers, refused = [] } of claims) {
      const lender = await this.lenders.find(lenderCode);
      if (!lender) throw new Error(`an offer of the unknown lender ${lenderCode}`);
      const told = [...refused];
      const facts: (Objection | RefusedOffer)[] = [...refused];
      for (const offer of offers) {
        const examined = this.examine(journey, lender, offer, bankHolidays);
        if ('reason' in examined) {
          facts.push(examined);
          told.push(refusedOfferOf(offer, examined));
        } else sound.push(this.offerOf(journey, lender, offer, examined));
      }
      await this.refusals.flag(tx, journey, lenderCode, facts);
      await this.refusals.tell(tx, journey, lenderCode, told);
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
    const hasNoBranch = branchesOf(lender, journey.productCode, offer).length === 0;
    if (hasNoBranch && journey.steps.includes('BRANCH')) return { reason: 'NO_BRANCH' };
    // A lender in the process has its gold valued by us; one outside says what the loan-to-value ratio is of.
    const isAgainstGold = lender.terms.products[journey.productCode].gold !== undefined;
    if (isAgainstGold && lender.remote && !offer.goldValuation) return { reason: 'NO_VALUATION' };
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

/** The lender's own word, and what is configured where it has said nothing. */
function termsOf(lender: Lender, productCode: string, offer: LenderOffer): OfferTerms {
  const { terms } = lender;
  const product = terms.products[productCode];
  const { maximumAmount, coLender, goldValuation } = offer;
  return {
    contingentCharges: offer.contingentCharges ?? product.contingentCharges,
    coolingOffDays: offer.coolingOffDays ?? product.coolingOffDays,
    grievanceOfficer: terms.grievanceOfficer,
    recoveryAgentsClause: terms.recoveryAgentsClause,
    grievanceRedressalClause: terms.grievanceRedressalClause,
    mayBeTransferred: terms.mayBeTransferred,
    recoveryAgentLsp: terms.recoveryAgentLsp,
    branches: branchesOf(lender, productCode, offer),
    collateralExplanation: offer.collateralExplanation,
    ...(maximumAmount !== undefined && { maximumAmount }),
    ...(coLender && { coLender }),
    ...(goldValuation && { goldValuation }),
  };
}

/** A branch of the lender's own gets an id in the form of ours, the same each time. */
function branchesOf(
  { code, terms }: Lender,
  productCode: string,
  { branches }: LenderOffer,
): readonly LenderBranch[] {
  if (!terms.products[productCode].gold) return [];
  if (!branches) return terms.branches;
  const once = new Map(branches.map((branch) => [branch.reference, branch]));
  return [...once.values()].map((branch) => ({
    ...branch,
    id: `brn_${sha256(`${code} ${branch.reference}`).slice(0, 32)}`,
  }));
}
