import { Injectable } from '@nestjs/common';
import { OfferPresentations, type PresentedTerms } from '../../matching/index.js';
import type { Language, Tx } from '../../platform/index.js';
import { LenderCatalogue } from '../../settings/index.js';
import { INSTANT_PRODUCT } from '../domain/instant-loan.js';
import type { InstantLoan } from '../store/instant-loan.entity.js';
import type { InstantLoanView } from './instant-loan-view.js';

/** Has the comparison of an instant loan recorded, and that the applicant went on with what it shows. */
@Injectable()
export class ShownTerms {
  constructor(
    private readonly presentations: OfferPresentations,
    private readonly lenders: LenderCatalogue,
  ) {}

  /** To be called before the page shows it. */
  async toApplicant(loan: InstantLoan, view: InstantLoanView, language: Language): Promise<void> {
    const { others, withoutOffer } = view.comparison;
    const codes = new Map((await this.lenders.list()).map(({ code, name }) => [name, code]));
    const chosen: PresentedTerms = {
      lenderCode: loan.lenderCode,
      lenderName: view.lenderName,
      principal: view.loanAmount,
      figures: figuresOf(view),
    };
    const beside = others.map(({ lenderName, ...figures }): PresentedTerms => ({
      lenderCode: codes.get(lenderName) ?? null,
      lenderName,
      principal: view.loanAmount,
      figures,
    }));
    await this.presentations.shown({
      ...placeOf(loan, language),
      productCode: INSTANT_PRODUCT,
      offers: [chosen, ...beside],
      lendersWithoutOffer: [],
      notLending: withoutOffer.flatMap((name) => codes.get(name) ?? []),
    });
  }

  /** The applicant goes on to pay for the loan, in the transaction that records it. */
  chosen(tx: Tx, loan: InstantLoan, view: InstantLoanView, language: Language): Promise<void> {
    return this.presentations.chosen(tx, {
      ...placeOf(loan, language),
      offerId: null,
      lenderCode: loan.lenderCode,
      loanAmount: loan.loanAmount,
      figures: figuresOf(view),
    });
  }
}

function placeOf({ partnerId, id: subjectId }: InstantLoan, language: Language) {
  return { partnerId, subjectId, round: 1, place: 'PAGE', language } as const;
}

function figuresOf(view: InstantLoanView) {
  const { annualRatePercent, tenureMonths, instalment, apr, fee, netAmount, charges } = view;
  return { annualRatePercent, tenureMonths, instalment, apr, fee, netAmount, charges };
}
