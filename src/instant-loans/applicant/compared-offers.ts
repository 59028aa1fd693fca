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
import type { ChosenInstantLoan } from '../domain/chosen-loan.js';
import { inOrder, type MadeOffer } from '../domain/instant-offer.js';
import { isPastPaying } from '../domain/pay-times.js';
import { StandingOffers } from '../offers/standing-offers.js';
import { InstantOffersRepository } from '../store/instant-offers.repository.js';
import { FeeOrders } from '../use-cases/fee-orders.js';
import { InstantKeyFacts } from '../use-cases/instant-key-facts.js';

/** What a card shows of an offer: these figures, and no others, are recorded. */
export interface ComparedFigures {
  readonly apr: number;
  readonly instalment: Paise;
  readonly tenureMonths: number;
  readonly fee: Paise;
  readonly annualRatePercent: number;
  readonly totalPayable: Paise;
  /** What is paid back more than is left after the fee. */
  readonly cost: Paise;
  readonly coolingOffDays: number;
  readonly contingentCharges: readonly ContingentCharge[];
  readonly coLender?: { readonly name: string; readonly sharePercent: number };
  /** What becomes of the fee should the lender decline after the payment. */
  readonly feeOnDecline: FeeOnDecline;
}

/** What an offer says of charges that fall due only if something happens, in the lender's own words. */
export type ChargeTerms = Pick<OfferTerms, 'contingentCharges' | 'unpaidCharges' | 'texts'>;

export interface ComparedOffer {
  readonly offerId: string;
  readonly lenderCode: string;
  readonly lenderName: string;
  readonly lender: LenderIdentity;
  /** How the lender asks for the credit report, where the configuration said so. */
  readonly creditReport?: CreditReportTerms;
  readonly chargeTerms: ChargeTerms;
  readonly figures: ComparedFigures;
  readonly keyFactsPath: string;
  /** The fingerprint of the statement that is there. */
  readonly keyFactsHash: string;
  /** Whether it can be chosen and paid for, be it the one that leads or another. */
  readonly canChoose: boolean;
}

/** Reads the offers that stand side by side, with all that a comparison of them needs. */
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
   * All that were compared, the one that leads among them, in the order of the metric. The lenders' own texts are in
   * the language, as far as they have them.
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

  /** Whether the one that leads can be paid for: by time, lender and account, as the others are judged. */
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
      // The statement of the one that leads is frozen.
      keyFactsHash: id === leading ? frozen : (await this.keyFacts.ofOther(offer)).contentHash,
      canChoose,
    };
  }
}

/** What an offer says of its conditional charges and of the credit report. */
export function ownTermsOf({ contingentCharges, unpaidCharges, texts, creditReport }: OfferTerms) {
  const chargeTerms = { contingentCharges, ...(unpaidCharges && { unpaidCharges }), texts };
  return { chargeTerms, ...(creditReport && { creditReport }) };
}

const FIGURES: Readonly<Record<OfferOrder, (figures: ComparedFigures) => number>> = {
  APR: ({ apr }) => apr,
  INSTALMENT: ({ instalment }) => instalment,
  TOTAL: ({ totalPayable, fee }) => totalPayable + fee,
};

/** Offers that are alike in the order's figure keep their order, which is that by APR. */
export function inShownOrder(offers: readonly ComparedOffer[], order: OfferOrder): ComparedOffer[] {
  const figureOf = FIGURES[order];
  return offers.toSorted((a, b) => {
    const [left, right] = [figureOf(a.figures), figureOf(b.figures)];
    return left === right ? 0 : left - right;
  });
}
