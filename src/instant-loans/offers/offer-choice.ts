import { Injectable } from '@nestjs/common';
import { QuestionOutbox } from '../../lenders/index.js';
import { OFFER_METRIC } from '../../matching/index.js';
import type { Language, Tx } from '../../platform/index.js';
import { type ChosenInstantLoan, requireChosen } from '../domain/chosen-loan.js';
import type { LenderComparison, OtherTerms } from '../domain/instant-loan.js';
import type { InstantOffer } from '../store/instant-offer.entity.js';
import { inOrder, type MadeOffer } from '../domain/instant-offer.js';
import { withoutOffer } from '../domain/offer-standing.js';
import { OfferWithdrawals } from '../domain/offer-withdrawals.js';
import { endWith } from '../domain/pay-times.js';
import { InstantLoanAudit } from '../store/instant-loan-audit.js';
import type { InstantLoan } from '../store/instant-loan.entity.js';
import { InstantLoansRepository } from '../store/instant-loans.repository.js';
import { InstantOffersRepository } from '../store/instant-offers.repository.js';
import { InstantKeyFacts } from '../use-cases/instant-key-facts.js';
import { InstantLenders } from '../use-cases/instant-lenders.js';

/**
 * Takes one of the offers for an application: with it the fee, the comparison and the Key Facts Statement
 * are frozen. The best leads to begin with; the applicant chooses it, or has another in its place.
 */
@Injectable()
export class OfferChoice {
  constructor(
    private readonly loans: InstantLoansRepository,
    private readonly offers: InstantOffersRepository,
    private readonly keyFacts: InstantKeyFacts,
    private readonly lenders: InstantLenders,
    private readonly questionOutbox: QuestionOutbox,
    private readonly withdrawals: OfferWithdrawals,
    private readonly audit: InstantLoanAudit,
  ) {}

  /**
   * The lenders are waited for no longer. Of whom nothing can be chosen is told so; the others keep their
   * offers for the applicant.
   * @param compared at least one, the best first
   */
  async putFirst(tx: Tx, loan: InstantLoan, compared: readonly MadeOffer[]): Promise<void> {
    const [best, ...others] = compared;
    const asked = await this.offers.list(tx, loan);
    const notLending = await this.lenders.notLending(loan.loanAmount, codesOf(asked));
    const taken = codesOf(compared);
    const noOffer = asked.filter(({ lenderCode }) => !taken.has(lenderCode)).map(withoutOffer);
    const comparison = {
      others: others.map(otherTerms),
      withoutOffer: notLending.map(({ name }) => name),
      withoutOfferCodes: notLending.map(({ code }) => code),
      noOffer,
    };
    const chosen = await this.take(tx, loan, best, comparison, null);
    await this.questionOutbox.close(tx, [loan.id], ['INSTANT_OFFERS']);
    await this.withdrawals.tellLeftOut(tx, chosen, taken);
    const facts = { ...factsOf(chosen, best), metric: OFFER_METRIC };
    await this.audit.record(tx, chosen, 'OFFER_CHOSEN', loan.status, facts);
  }

  /**
   * The applicant chooses the offer that leads: nothing else about the application is new.
   * @param loan locked, its applicant has chosen nothing
   * @param language of the page on which it is chosen
   */
  async confirm(tx: Tx, loan: ChosenInstantLoan, language: Language): Promise<ChosenInstantLoan> {
    const { offerId: wantedOfferId } = loan;
    const offers = inOrder(await this.offers.list(tx, loan));
    const offer = offers.find(({ id }) => id === wantedOfferId);
    const changed = offer && (await this.loans.change(tx, loan, loan.status, { wantedOfferId }));
    if (!changed) throw new Error(`application ${loan.id} has no offer that leads`);
    const chosen = requireChosen(changed);
    const facts = { ...factsOf(chosen, offer), language };
    await this.audit.record(tx, chosen, 'LEADING_OFFER_CHOSEN', loan.status, facts);
    return chosen;
  }

  /**
   * Another offer has the place of the chosen one: what was agreed to and ordered for that is over. No lender hears of
   * it before the fee is paid.
   * @param loan locked, with no page that may still be paid
   * @param offer one that stands beside the chosen one
   * @param language of the page, where the applicant has just chosen it on one
   */
  async change(
    tx: Tx,
    loan: ChosenInstantLoan,
    offer: MadeOffer,
    trigger: 'OTHER_OFFER_CHOSEN' | 'NEXT_OFFER',
    language?: Language,
  ): Promise<ChosenInstantLoan> {
    const compared = new Set([loan.offerId, ...loan.comparison.others.map((one) => one.offerId)]);
    const beside = inOrder(await this.offers.list(tx, loan)).filter(
      ({ id }) => compared.has(id) && id !== offer.id,
    );
    const comparison = { ...loan.comparison, others: beside.map(otherTerms) };
    const wanted = trigger === 'OTHER_OFFER_CHOSEN' ? offer.id : null;
    const chosen = await this.take(tx, loan, offer, comparison, wanted);
    await this.audit.record(tx, chosen, trigger, loan.status, {
      ...factsOf(chosen, offer),
      insteadOf: loan.offerId,
      insteadOfLender: loan.lenderCode,
      ...(language && { language }),
    });
    return chosen;
  }

  private async take(
    tx: Tx,
    loan: InstantLoan,
    offer: MadeOffer,
    comparison: LenderComparison,
    wantedOfferId: string | null,
  ): Promise<ChosenInstantLoan> {
    const changed = await this.loans.change(tx, loan, loan.status, {
      offersDueAt: null,
      offerId: offer.id,
      fee: offer.quote.processingFees,
      feeOnDecline: offer.feeOnDecline,
      lenderCode: offer.lenderCode,
      comparison,
      ...(await this.keyFacts.freeze(loan.id, offer)),
      expiresAt: endWith(loan, offer.validUntil),
      wantedOfferId,
      agreedAt: null,
      paymentOrderId: null,
      isRetrying: false,
      calledOffAt: null,
    });
    if (!changed) throw new Error(`application ${loan.id} moved under its lock`);
    return requireChosen(changed);
  }
}

function codesOf(offers: readonly InstantOffer[]): ReadonlySet<string> {
  return new Set(offers.map(({ lenderCode }) => lenderCode));
}

function factsOf(chosen: ChosenInstantLoan, { id, offerReference, quote }: MadeOffer) {
  const { lenderCode, fee, feeOnDecline, keyFactsHash, expiresAt } = chosen;
  const offer = { offerId: id, offerReference, apr: quote.apr };
  return { ...offer, lenderCode, fee, feeOnDecline, keyFactsHash, expiresAt };
}

function otherTerms({ id, lenderName, quote }: MadeOffer): OtherTerms {
  const { apr, instalment, tenureMonths, processingFees } = quote;
  return { offerId: id, lenderName, apr, instalment, tenureMonths, fee: processingFees };
}
