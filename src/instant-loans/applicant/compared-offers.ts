import { Injectable } from '@nestjs/common';
import type { Paise } from '../../loans/index.js';
import type { OfferTerms } from '../../lenders/index.js';
import { type LenderIdentity, lenderIdentityOf, type OfferOrder } from '../../matching/index.js';
import { Clock, type Language, type Tx } from '../../platform/index.js';
import {
  chargesIn,
  type ContingentCharge,
  type CreditReportTerms,
  type FeeOnDecline,
} from '../../settings/index.js';
import { InstantLoanLinks } from '../access/instant-loan-links.js';
import { inOrder } from '../domain/instant-offer.js';
import { isPastPaying } from '../domain/pay-times.js';
import { StandingOffers } from '../offers/standing-offers.js';
import { InstantOffersRepository } from '../store/instant-offers.repository.js';
import { FeeOrders } from '../use-cases/fee-orders.js';
import { InstantKeyFacts } from '../use-cases/instant-key-facts.js';
import type { ChosenInstantLoan } from '../store/instant-loan.entity.js';
import type { MadeOffer } from '../store/instant-offer.entity.js';

/** The figures on a card: exactly these are recorded. */
interface ComparedFigures {
  readonly apr: number;
  readonly instalment: Paise;
  readonly tenureMonths: number;
  readonly fee: Paise;
  readonly annualRatePercent: number;
  readonly totalPayable: Paise;
  /** Total repaid less the amount left after the fee. */
  readonly cost: Paise;
  readonly coolingOffDays: number;
  readonly contingentCharges: readonly ContingentCharge[];
  readonly coLender?: { readonly name: string; readonly sharePercent: number };
  readonly feeOnDecline: FeeOnDecline;
}

export type ChargeTerms = Pick<OfferTerms, 'contingentCharges' | 'unpaidCharges' | 'texts'>;

export interface ComparedOffer {
  readonly offerId: string;
  readonly lenderCode: string;
  readonly lenderName: string;
  readonly lender: LenderIdentity;
  readonly creditReport?: CreditReportTerms;
  readonly chargeTerms: ChargeTerms;
  readonly figures: ComparedFigures;
  readonly keyFactsPath: string;
  readonly keyFactsHash: string;
  /** Whether it can be chosen and paid for, leading or not. */
  readonly canChoose: boolean;
}

@Injectable()
export class ComparedOffers {
  constructor(
    private readonly offers: InstantOffersRepository,
    private readonly links: InstantLoanLinks,
    private readonly keyFacts: InstantKeyFacts,
    private readonly standing: StandingOffers,
    private readonly feeOrders: FeeOrders,
    private readonly clock: Clock,
  ) {}

  /**
   * In the order of the metric, the leading offer included; lenders' texts in the language where
   * available.
   */
  async of(tx: Tx, loan: ChosenInstantLoan, language: Language): Promise<ComparedOffer[]> {
    const { others } = loan.comparison;
    const compared = new Set([loan.offerId, ...others.map(({ offerId }) => offerId)]);
    const offers = inOrder(await this.offers.list(tx, loan)).filter(({ id }) => compared.has(id));
    const standing = await this.standing.of(tx, loan, this.clock.now());
    const leading = (await this.canLead(loan)) ? [loan.offerId] : [];
    const choosable = new Set([...leading, ...standing.map(({ id }) => id)]);
    return Promise.all(
      offers.map((offer) => this.offered(loan, offer, choosable.has(offer.id), language)),
    );
  }

  async canLead(loan: ChosenInstantLoan): Promise<boolean> {
    return !isPastPaying(loan, this.clock.now()) && this.feeOrders.mayOrder(loan);
  }

  private async offered(
    { offerId: leading, keyFactsHash: frozen }: ChosenInstantLoan,
    offer: MadeOffer,
    canChoose: boolean,
    language: Language,
  ): Promise<ComparedOffer> {
    const { id, lenderCode, lenderName, quote, terms, feeOnDecline } = offer;
    const { apr, instalment, tenureMonths, annualRatePercent, totalPayable } = quote;
    const { coolingOffDays, contingentCharges, coLender } = terms;
    return {
      offerId: id,
      lenderCode,
      lenderName,
      lender: lenderIdentityOf(terms),
      ...ownTermsOf(terms),
      figures: {
        apr,
        instalment,
        tenureMonths,
        fee: quote.processingFees,
        annualRatePercent,
        totalPayable,
        cost: totalPayable - quote.netDisbursed,
        coolingOffDays,
        contingentCharges: chargesIn(terms.texts, language, contingentCharges),
        ...(coLender && { coLender: { name: coLender.name, sharePercent: coLender.sharePercent } }),
        feeOnDecline,
      },
      keyFactsPath: this.links.offerKeyFactsPath(id),
      // The leading offer's statement is frozen.
      keyFactsHash: id === leading ? frozen : (await this.keyFacts.ofOther(offer)).contentHash,
      canChoose,
    };
  }
}

export function ownTermsOf({ contingentCharges, unpaidCharges, texts, creditReport }: OfferTerms) {
  const chargeTerms = { contingentCharges, ...(unpaidCharges && { unpaidCharges }), texts };
  return { chargeTerms, ...(creditReport && { creditReport }) };
}

const FIGURES: Readonly<Record<OfferOrder, (figures: ComparedFigures) => number>> = {
  APR: ({ apr }) => apr,
  INSTALMENT: ({ instalment }) => instalment,
  TOTAL: ({ totalPayable, fee }) => totalPayable + fee,
};

/** Ties keep the order by APR. */
export function inShownOrder(offers: readonly ComparedOffer[], order: OfferOrder): ComparedOffer[] {
  const figureOf = FIGURES[order];
  return offers.toSorted((a, b) => {
    const [left, right] = [figureOf(a.figures), figureOf(b.figures)];
    return left === right ? 0 : left - right;
  });
}
