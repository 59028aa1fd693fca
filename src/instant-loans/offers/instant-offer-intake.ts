import { Injectable } from '@nestjs/common';
import {
  type LenderAnswer,
  OfferExamination,
  type QuestionState,
  type SoundOffer,
} from '../../lenders/index.js';
import { IdGenerator, type Tx } from '../../platform/index.js';
import { LenderCatalogue } from '../../settings/index.js';
import type { OfferStanding } from '../domain/offer-standing.js';
import { INSTANT_PRODUCT } from '../domain/instant-loan.js';
import { InstantLoanAudit } from '../store/instant-loan-audit.js';
import type { InstantLoan } from '../store/instant-loan.entity.js';
import type { InstantOffer } from '../store/instant-offer.entity.js';
import {
  InstantOffersRepository,
  type NewInstantOffer,
} from '../store/instant-offers.repository.js';

/** The stored length of a lender's reason. */
const MAX_CHARACTERS = 200;

@Injectable()
export class InstantOfferIntake {
  constructor(
    private readonly offers: InstantOffersRepository,
    private readonly examination: OfferExamination,
    private readonly lenders: LenderCatalogue,
    private readonly audit: InstantLoanAudit,
    private readonly ids: IdGenerator,
  ) {}

  /**
   * A lender's cheapest sound offer counts.
   * @param known its earlier answer without an offer: a sound offer replaces it
   */
  async take(
    tx: Tx,
    loan: InstantLoan,
    lenderCode: string,
    answer: LenderAnswer,
    known?: InstantOffer,
  ): Promise<void> {
    if (answer.kind !== 'OFFERED') {
      const reason = 'reason' in answer ? answer.reason.slice(0, MAX_CHARACTERS) : null;
      return this.record(tx, loan, lenderCode, 'DECLINED', { reason });
    }
    const { id, partnerId, loanAmount } = loan;
    const subject = {
      subjectKind: 'INSTANT_LOAN',
      applicationId: id,
      productCode: INSTANT_PRODUCT,
      loanAmount,
      partnerId,
      subjectId: id,
      round: 1,
      needsBranch: false,
      areChargesPaidUpFront: true,
    } as const;
    const sound = await this.examination.take(tx, subject, lenderCode, answer);
    const [best] = sound.toSorted((a, b) => a.quote.apr - b.quote.apr);
    if (known) {
      if (!best) return;
      await this.offers.remove(tx, known);
    }
    if (best) return this.record(tx, loan, lenderCode, 'OFFERED', factsOf(best));
    const isRefused = answer.offers.length + (answer.refused ?? []).length > 0;
    return this.record(tx, loan, lenderCode, isRefused ? 'OFFER_REFUSED' : 'DECLINED');
  }

  /** Lenders without an answer when the others proceed. */
  async miss(tx: Tx, loan: InstantLoan, states: readonly QuestionState[]): Promise<void> {
    const answered = await this.offers.list(tx, loan);
    const known = new Set(answered.map(({ lenderCode }) => lenderCode));
    for (const { lenderCode, isUnreachable } of states) {
      if (known.has(lenderCode)) continue;
      await this.record(tx, loan, lenderCode, isUnreachable ? 'UNREACHABLE' : 'NO_ANSWER');
    }
  }

  private async record(
    tx: Tx,
    loan: InstantLoan,
    lenderCode: string,
    standing: OfferStanding,
    facts: Partial<NewInstantOffer> = {},
  ): Promise<void> {
    const lenderName = (await this.lenders.find(lenderCode))?.name ?? lenderCode;
    const { id: applicationId, partnerId, status } = loan;
    const offer = await this.offers.insert(tx, {
      ...facts,
      id: this.ids.next('off'),
      partnerId,
      applicationId,
      lenderCode,
      lenderName,
      standing,
    });
    const { quote, offerReference, validUntil } = offer;
    const isMissed = standing === 'NO_ANSWER' || standing === 'UNREACHABLE';
    await this.audit.record(tx, loan, isMissed ? 'LENDER_MISSED' : 'LENDER_ANSWERED', status, {
      lenderCode,
      standing,
      ...(quote && {
        offerId: offer.id,
        offerReference,
        apr: quote.apr,
        fee: quote.processingFees,
        validUntil,
      }),
    });
  }
}

function factsOf({ offer, quote, terms }: SoundOffer): Partial<NewInstantOffer> {
  return {
    offerReference: offer.reference,
    quote,
    terms,
    feeOnDecline: terms.feeOnDecline ?? 'REFUND',
    validUntil: new Date(offer.validUntil),
  };
}
