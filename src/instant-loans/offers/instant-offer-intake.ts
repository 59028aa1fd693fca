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

/** As much of a lender's reason as the books keep. */
const MAX_CHARACTERS = 200;

/** Records how the lenders of an application stand: of each what it answers first, or that it does not. */
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
   * An offer whose figures do not hold is refused; of several that hold the lender's cheapest counts.
   * @param known what it has answered before, of which nothing could be taken: an offer that holds takes
   * its place
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

  /** The lenders that were asked and have not answered when the others are gone on with. */
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

function factsOf({ lender, offer, quote, terms }: SoundOffer): Partial<NewInstantOffer> {
  return {
    offerReference: offer.reference,
    quote,
    terms,
    feeOnDecline: lender.terms.feeOnDecline ?? 'REFUND',
    validUntil: new Date(offer.validUntil),
  };
}
