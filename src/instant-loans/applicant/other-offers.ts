import { Injectable } from '@nestjs/common';
import type { Paise } from '../../loans/index.js';
import { type LenderIdentity, lenderIdentityOf } from '../../matching/index.js';
import { Clock, type Language, type Tx } from '../../platform/index.js';
import { chargesIn, type ContingentCharge, type FeeOnDecline } from '../../settings/index.js';
import { InstantLoanLinks } from '../access/instant-loan-links.js';
import type { ChosenInstantLoan } from '../domain/chosen-loan.js';
import type { OtherTerms } from '../domain/instant-loan.js';
import { isMade, type MadeOffer } from '../domain/instant-offer.js';
import { StandingOffers } from '../offers/standing-offers.js';
import { InstantOffersRepository } from '../store/instant-offers.repository.js';
import { InstantKeyFacts } from '../use-cases/instant-key-facts.js';

/** What the page shows of an offer that was not chosen: these figures, and no others, are recorded. */
export interface OtherFigures {
  readonly apr: number;
  readonly instalment: Paise;
  readonly tenureMonths: number;
  readonly fee: Paise;
  /** From here on only of an offer: an earlier release compared the lenders' terms, and kept no more of them. */
  readonly annualRatePercent?: number;
  readonly totalPayable?: Paise;
  /** What is paid back more than is left after the fee. */
  readonly cost?: Paise;
  readonly coolingOffDays?: number;
  readonly contingentCharges?: readonly ContingentCharge[];
  readonly coLender?: { readonly name: string; readonly sharePercent: number };
  /** What becomes of the fee should the lender decline after the payment. */
  readonly feeOnDecline?: FeeOnDecline;
}

export interface OtherOffer {
  readonly offerId?: string;
  /** Null where it is not known: of a lender's terms. */
  readonly lenderCode: string | null;
  readonly lenderName: string;
  readonly lender?: LenderIdentity;
  readonly figures: OtherFigures;
  readonly keyFactsPath?: string;
  /** The fingerprint of the statement that is there. */
  readonly keyFactsHash?: string;
  /** Whether it can be chosen in place of the one that is. */
  readonly canChoose: boolean;
}

/** Reads what stands beside the chosen offer, with all that a comparison of them needs. */
@Injectable()
export class OtherOffers {
  constructor(
    private readonly offers: InstantOffersRepository,
    private readonly links: InstantLoanLinks,
    private readonly keyFacts: InstantKeyFacts,
    private readonly standing: StandingOffers,
    private readonly clock: Clock,
  ) {}

  /** In the order of the comparison; the lenders' own texts in the language, as far as they have them. */
  async of(tx: Tx, loan: ChosenInstantLoan, language: Language): Promise<OtherOffer[]> {
    const answered = await this.offers.list(tx, loan);
    const standing = await this.standing.of(tx, loan, this.clock.now());
    const choosable = new Set(standing.map(({ id }) => id));
    const made = new Map(answered.filter(isMade).map((offer) => [offer.id, offer]));
    return Promise.all(
      loan.comparison.others.map(async (terms) => {
        const offer = made.get(terms.offerId ?? '');
        return offer ? this.offered(offer, choosable.has(offer.id), language) : ofTerms(terms);
      }),
    );
  }

  private async offered(
    offer: MadeOffer,
    canChoose: boolean,
    language: Language,
  ): Promise<OtherOffer> {
    const { id, lenderCode, lenderName, quote, terms, feeOnDecline } = offer;
    const { contentHash } = await this.keyFacts.ofOther(offer);
    const { apr, instalment, tenureMonths, annualRatePercent, totalPayable } = quote;
    const { coolingOffDays, contingentCharges, coLender } = terms;
    return {
      offerId: id,
      lenderCode,
      lenderName,
      lender: lenderIdentityOf(terms),
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
      keyFactsHash: contentHash,
      canChoose,
    };
  }
}

function ofTerms({ lenderName, offerId, ...figures }: OtherTerms): OtherOffer {
  return {
    ...(offerId !== undefined && { offerId }),
    lenderCode: null,
    lenderName,
    figures,
    canChoose: false,
  };
}
