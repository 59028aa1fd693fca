import { Injectable } from '@nestjs/common';
import {
  type LenderWithoutOffer,
  type OfferOrder,
  OfferPresentations,
  type PresentedTerms,
} from '../../matching/index.js';
import { Database, type Language, type Tx } from '../../platform/index.js';
import { requireChosen } from '../domain/chosen-loan.js';
import { INSTANT_PRODUCT } from '../domain/instant-loan.js';
import { withoutOffer } from '../domain/offer-standing.js';
import type { ChosenInstantLoan, InstantLoan } from '../store/instant-loan.entity.js';
import { InstantOffersRepository } from '../store/instant-offers.repository.js';
import type { AskedLender } from './asked-lenders.js';
import type { ComparedOffer } from './compared-offers.js';
import { type InstantLoanView, isToPay, type OfferedLoanView } from './instant-loan-view.js';

export interface ShownPlace {
  readonly language: Language;
  readonly order?: OfferOrder;
}

@Injectable()
export class ShownTerms {
  constructor(
    private readonly database: Database,
    private readonly offers: InstantOffersRepository,
    private readonly presentations: OfferPresentations,
  ) {}

  /** Call before the page shows lenders' answers; records nothing for other pages. */
  async toApplicant(
    loan: InstantLoan,
    view: InstantLoanView,
    language: Language,
    order: OfferOrder = 'APR',
  ): Promise<void> {
    if (view.stage === 'TO_CHOOSE') return this.compared(loan, view, language, order);
    if (isToPay(view))
      return this.comparison(loan, view, [leadingOf(requireChosen(loan), view)], { language });
    if (view.stage === 'NO_OFFER') return this.noOffer(loan, language);
  }

  /** In the transaction that records the payment step. */
  chosen(tx: Tx, loan: ChosenInstantLoan, view: OfferedLoanView, place: ShownPlace): Promise<void> {
    return this.presentations.chosen(tx, {
      ...placeOf(loan, place),
      offerId: loan.offerId,
      lenderCode: loan.lenderCode,
      loanAmount: loan.loanAmount,
      figures: figuresOf(view),
    });
  }

  wanted(
    tx: Tx,
    loan: InstantLoan,
    { offerId, lenderCode, figures }: ComparedOffer,
    place: ShownPlace,
  ): Promise<void> {
    const { loanAmount } = loan;
    const chosen = { offerId, lenderCode, loanAmount, figures };
    return this.presentations.chosen(tx, { ...placeOf(loan, place), ...chosen });
  }

  /** Call before the page shows the offers as cards. */
  compared(
    loan: InstantLoan,
    view: OfferedLoanView,
    language: Language,
    order: OfferOrder,
  ): Promise<void> {
    const cards = view.compared.map(
      ({ offerId, lenderCode, lenderName, lender, figures, keyFactsHash }) => ({
        offerId,
        lenderCode,
        lenderName,
        lender,
        principal: view.loanAmount,
        figures,
        keyFactsHash,
      }),
    );
    return this.comparison(loan, view, cards, { language, order });
  }

  private async comparison(
    loan: InstantLoan,
    { comparison, stillAsked }: OfferedLoanView,
    offers: readonly PresentedTerms[],
    place: ShownPlace,
  ): Promise<void> {
    const { withoutOfferCodes: notLending, noOffer } = comparison;
    await this.presentations.shown({
      ...placeOf(loan, place),
      productCode: INSTANT_PRODUCT,
      offers,
      lendersWithoutOffer: [...noOffer, ...stillAsked.map(unanswered)],
      notLending,
    });
  }

  private async noOffer(loan: InstantLoan, language: Language): Promise<void> {
    const answered = await this.database.transaction((tx) => this.offers.list(tx, loan));
    await this.presentations.shown({
      ...placeOf(loan, { language }),
      productCode: INSTANT_PRODUCT,
      offers: [],
      lendersWithoutOffer: answered.map(withoutOffer),
    });
  }
}

function unanswered({ code, name, standing }: AskedLender): LenderWithoutOffer {
  return { code, name, standing: standing === 'UNREACHABLE' ? standing : 'NO_ANSWER' };
}

/** The only offer whose figures the page has. */
function leadingOf(
  { offerId, lenderCode }: ChosenInstantLoan,
  view: OfferedLoanView,
): PresentedTerms {
  const { lenderName, lender, loanAmount: principal, keyFactsHash } = view;
  return {
    offerId,
    lenderCode,
    lenderName,
    lender,
    principal,
    figures: figuresOf(view),
    keyFactsHash,
  };
}

function placeOf({ partnerId, id: subjectId }: InstantLoan, { language, order }: ShownPlace) {
  return {
    partnerId,
    subjectId,
    round: 1,
    place: 'PAGE',
    language,
    ...(order && { order }),
  } as const;
}

function figuresOf(view: OfferedLoanView) {
  const { annualRatePercent, tenureMonths, instalment, apr, fee, netAmount, charges } = view;
  const { totalPayable, coolingOffDays, contingentCharges, coLender, isFeeKept, payUntil } = view;
  return {
    annualRatePercent,
    tenureMonths,
    instalment,
    apr,
    fee,
    charges,
    feeOnDecline: isFeeKept ? 'KEPT' : 'REFUND',
    payUntil: payUntil.toISOString(),
    totalPayable,
    cost: totalPayable - netAmount,
    coolingOffDays,
    contingentCharges,
    ...(coLender && { coLender }),
  };
}
