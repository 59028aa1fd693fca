import { Injectable } from '@nestjs/common';
import { QuestionOutbox } from '../../lenders/index.js';
import { OFFER_METRIC } from '../../matching/index.js';
import type { Language, Tx } from '../../platform/index.js';
import { requireChosen } from '../domain/chosen-loan.js';
import { inOrder, otherTerms, withoutOffers } from '../domain/instant-offer.js';
import { OfferWithdrawals } from '../progress/offer-withdrawals.js';
import { endWith } from '../domain/pay-times.js';
import { InstantLoanAudit } from '../store/instant-loan-audit.js';
import type { ChosenInstantLoan, InstantLoan } from '../store/instant-loan.entity.js';
import {
  type InstantLoanChanges,
  InstantLoansRepository,
} from '../store/instant-loans.repository.js';
import { InstantOffersRepository } from '../store/instant-offers.repository.js';
import { InstantKeyFacts } from '../use-cases/instant-key-facts.js';
import { InstantLenders } from '../use-cases/instant-lenders.js';
import { OpenedOffers } from './opened-offers.js';
import type { MadeOffer } from '../store/instant-offer.entity.js';

/**
 * Makes an offer the leading one and freezes its fee, comparison and Key Facts Statement. The best
 * leads first; the applicant confirms or replaces it.
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
    private readonly opened: OpenedOffers,
    private readonly audit: InstantLoanAudit,
  ) {}

  /**
   * Stops waiting. Lenders without an offer to choose are notified; the others keep theirs.
   * @param compared at least one, the best first
   */
  async putFirst(tx: Tx, loan: InstantLoan, compared: readonly MadeOffer[]): Promise<void> {
    const chosen = await this.lead(tx, loan, compared, 'OFFER_CHOSEN', { offersDueAt: null });
    await this.questionOutbox.close(tx, [loan.id], ['INSTANT_OFFERS']);
    const taken = new Set(compared.map(({ lenderCode }) => lenderCode));
    await this.withdrawals.tellLeftOut(tx, chosen, taken);
  }

  /** @param compared as of `putFirst` */
  async open(tx: Tx, loan: InstantLoan, compared: readonly MadeOffer[]): Promise<void> {
    await this.lead(tx, loan, compared, 'OFFERS_OPENED', {});
  }

  private async lead(
    tx: Tx,
    loan: InstantLoan,
    compared: readonly MadeOffer[],
    trigger: 'OFFER_CHOSEN' | 'OFFERS_OPENED',
    changes: InstantLoanChanges,
  ): Promise<ChosenInstantLoan> {
    const [best, ...others] = compared;
    const answered = await this.offers.list(tx, loan);
    const silent = await this.questionOutbox.unanswered(tx, loan.id, 'INSTANT_OFFERS');
    const asked = new Set([...answered.map(({ lenderCode }) => lenderCode), ...silent]);
    const notLending = await this.lenders.notLending(loan.loanAmount, asked);
    const comparison = {
      others: others.map(otherTerms),
      withoutOffer: notLending.map(({ name }) => name),
      withoutOfferCodes: notLending.map(({ code }) => code),
      noOffer: withoutOffers(answered, compared),
    };
    const chosen = await this.take(tx, loan, best, { ...changes, comparison, wantedOfferId: null });
    const facts = { ...factsOf(chosen, best), metric: OFFER_METRIC };
    await this.audit.record(tx, chosen, trigger, loan.status, facts);
    return chosen;
  }

  /** @param leading locked, nothing chosen yet */
  async confirm(
    tx: Tx,
    leading: ChosenInstantLoan,
    language: Language,
  ): Promise<ChosenInstantLoan> {
    const loan = await this.opened.close(tx, leading);
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
   * Replaces the leading offer and what was agreed and ordered for it. No lender is notified before
   * the fee is paid.
   * @param leading locked, with no page that may still be paid
   * @param language of the page, if the applicant chose it on one
   */
  async change(
    tx: Tx,
    leading: ChosenInstantLoan,
    offer: MadeOffer,
    trigger: 'OTHER_OFFER_CHOSEN' | 'NEXT_OFFER',
    language?: Language,
  ): Promise<ChosenInstantLoan> {
    const isChoice = trigger === 'OTHER_OFFER_CHOSEN';
    const loan = isChoice ? await this.opened.close(tx, leading) : leading;
    const compared = new Set([loan.offerId, ...loan.comparison.others.map((one) => one.offerId)]);
    const beside = inOrder(await this.offers.list(tx, loan)).filter(
      ({ id }) => compared.has(id) && id !== offer.id,
    );
    const comparison = { ...loan.comparison, others: beside.map(otherTerms) };
    const wantedOfferId = isChoice ? offer.id : null;
    const chosen = await this.take(tx, loan, offer, { comparison, wantedOfferId });
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
    changes: InstantLoanChanges,
  ): Promise<ChosenInstantLoan> {
    const changed = await this.loans.change(tx, loan, loan.status, {
      offerId: offer.id,
      fee: offer.quote.processingFees,
      feeOnDecline: offer.feeOnDecline,
      lenderCode: offer.lenderCode,
      ...(await this.keyFacts.freeze(loan.id, offer)),
      expiresAt: endWith(loan, offer.validUntil),
      agreedAt: null,
      paymentOrderId: null,
      isRetrying: false,
      calledOffAt: null,
      ...changes,
    });
    if (!changed) throw new Error(`application ${loan.id} moved under its lock`);
    return requireChosen(changed);
  }
}

function factsOf(chosen: ChosenInstantLoan, { id, offerReference, quote }: MadeOffer) {
  const { lenderCode, fee, feeOnDecline, keyFactsHash, expiresAt } = chosen;
  const offer = { offerId: id, offerReference, apr: quote.apr };
  return { ...offer, lenderCode, fee, feeOnDecline, keyFactsHash, expiresAt };
}
