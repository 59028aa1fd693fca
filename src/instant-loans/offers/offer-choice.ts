import { Injectable } from '@nestjs/common';
import { QuestionOutbox } from '../../lenders/index.js';
import { OFFER_METRIC } from '../../matching/index.js';
import type { Tx } from '../../platform/index.js';
import { requireChosen } from '../domain/chosen-loan.js';
import type { OtherTerms } from '../domain/instant-loan.js';
import type { InstantOffer } from '../store/instant-offer.entity.js';
import { type MadeOffer } from '../domain/instant-offer.js';
import { withoutOffer } from '../domain/offer-standing.js';
import { OfferWithdrawals } from '../domain/offer-withdrawals.js';
import { InstantLoanAudit } from '../store/instant-loan-audit.js';
import type { InstantLoan } from '../store/instant-loan.entity.js';
import { InstantLoansRepository } from '../store/instant-loans.repository.js';
import { InstantOffersRepository } from '../store/instant-offers.repository.js';
import { InstantKeyFacts } from '../use-cases/instant-key-facts.js';
import { InstantLenders } from '../use-cases/instant-lenders.js';

/**
 * Takes the best of the offers for an application: with it the fee, the comparison and the Key Facts
 * Statement are frozen. Whoever is not taken, and whoever has not answered, is told so.
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

  /** @param compared at least one, the best first */
  async choose(
    tx: Tx,
    loan: InstantLoan,
    compared: readonly MadeOffer[],
    now: Date,
  ): Promise<void> {
    const [best, ...others] = compared;
    const { id, status, loanAmount } = loan;
    const asked = await this.offers.list(tx, loan);
    const notLending = await this.lenders.notLending(loanAmount, codesOf(asked));
    const taken = codesOf(compared);
    const noOffer = asked.filter(({ lenderCode }) => !taken.has(lenderCode)).map(withoutOffer);
    const changed = await this.loans.change(tx, loan, status, {
      offersDueAt: null,
      offerId: best.id,
      fee: best.quote.processingFees,
      feeOnDecline: best.feeOnDecline,
      lenderCode: best.lenderCode,
      comparison: {
        others: others.map(otherTerms),
        withoutOffer: notLending.map(({ name }) => name),
        withoutOfferCodes: notLending.map(({ code }) => code),
        noOffer,
      },
      ...(await this.keyFacts.freeze(id, best, now)),
      // Nobody pays for what the lender no longer stands by.
      expiresAt: best.validUntil < loan.expiresAt ? best.validUntil : loan.expiresAt,
    });
    if (!changed) throw new Error(`application ${id} moved under its lock`);
    const chosen = requireChosen(changed);
    await this.questionOutbox.close(tx, [id], ['INSTANT_OFFERS']);
    await this.withdrawals.tellNotChosen(tx, chosen);
    const { lenderCode, fee, feeOnDecline, keyFactsHash, expiresAt } = chosen;
    await this.audit.record(tx, chosen, 'OFFER_CHOSEN', status, {
      offerId: best.id,
      offerReference: best.offerReference,
      lenderCode,
      apr: best.quote.apr,
      metric: OFFER_METRIC,
      fee,
      feeOnDecline,
      keyFactsHash,
      expiresAt,
    });
  }
}

function codesOf(offers: readonly InstantOffer[]): ReadonlySet<string> {
  return new Set(offers.map(({ lenderCode }) => lenderCode));
}

function otherTerms({ id, lenderName, quote }: MadeOffer): OtherTerms {
  const { apr, instalment, tenureMonths, processingFees } = quote;
  return { offerId: id, lenderName, apr, instalment, tenureMonths, fee: processingFees };
}
