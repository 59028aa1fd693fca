import { Injectable } from '@nestjs/common';
import {
  figureRefused,
  type LenderOffer,
  QuestionOutbox,
  type RefusedOffer,
} from '../../lenders/index.js';
import type { Disagreement } from '../../loans/index.js';
import { OperatorFlags } from '../../operator-flags/index.js';
import { Tx } from '../../platform/index.js';
import type { Journey } from '../store/journey.entity.js';

/** Why an offer is refused once its figures were computed again. */
export interface Objection {
  readonly reason:
    | 'MALFORMED'
    | 'PRODUCT_NOT_SERVED'
    | 'NO_BRANCH'
    | 'NO_VALUATION'
    | 'AMOUNT_OUT_OF_RANGE'
    | 'VALIDITY_TOO_SHORT'
    | 'FIGURES_DISAGREE'
    | 'IMPOSSIBLE_TERMS';
  readonly disagreements?: readonly Disagreement[];
}

const PROBLEMS: Readonly<Record<Objection['reason'], string>> = {
  MALFORMED: 'OTHER',
  PRODUCT_NOT_SERVED: 'OTHER',
  NO_BRANCH: 'OTHER',
  NO_VALUATION: 'LTV',
  AMOUNT_OUT_OF_RANGE: 'RANGE',
  VALIDITY_TOO_SHORT: 'VALIDITY',
  FIGURES_DISAGREE: 'OTHER',
  IMPOSSIBLE_TERMS: 'OTHER',
};
/** Puts offers that are not shown before the operator, and tells their lender why. */
@Injectable()
export class RefusedOffers {
  constructor(
    private readonly flags: OperatorFlags,
    private readonly questionOutbox: QuestionOutbox,
  ) {}

  /** One flag for all that was refused for the same reason, with the facts of the first. */
  async flag(
    tx: Tx,
    journey: Journey,
    lenderCode: string,
    refusals: readonly (Objection | RefusedOffer)[],
  ): Promise<void> {
    const byReason = Map.groupBy(refusals, reasonOf);
    for (const [first, ...others] of byReason.values()) {
      const count = others.length + 1;
      await this.flags.raise(tx, {
        partnerId: journey.partnerId,
        subjectId: journey.id,
        kind: 'OFFER_REFUSED',
        detail: { lenderCode, ...first, ...(count > 1 && { count }) },
      });
    }
  }

  /** Once a round: a lender answers a request for offers once. */
  async tell(
    tx: Tx,
    journey: Journey,
    lenderCode: string,
    refusedOffers: readonly RefusedOffer[],
  ): Promise<void> {
    if (refusedOffers.length === 0) return;
    const { partnerId, id, applicationId, productCode, loanAmount, offerRound } = journey;
    await this.questionOutbox.put(tx, {
      partnerId,
      subjectId: id,
      lenderCode,
      kind: 'WITHDRAWAL',
      reference: refusalReference(offerRound),
      payload: {
        subjectKind: 'JOURNEY',
        applicationId,
        productCode,
        loanAmount,
        // The lender knows whom it has made the offer to.
        applicant: { mobile: '', pan: '' },
        withdrawal: { reason: 'OFFER_REFUSED', refusedOffers },
      },
    });
  }
}

/** What the word to a lender is about that offers of its are refused, among its withdrawals. */
export function refusalReference(round: number): string {
  return `OFFER_REFUSED:${round}`;
}

function reasonOf(refusal: Objection | RefusedOffer): string {
  return 'reason' in refusal ? refusal.reason : refusal.problem;
}

/** An objection in the words that lenders are told it in. */
export function refusedOfferOf(
  { reference }: LenderOffer,
  { reason, disagreements }: Objection,
): RefusedOffer {
  const [first] = disagreements ?? [];
  if (!first) return { offerReference: reference, problem: PROBLEMS[reason] };
  return figureRefused(reference, first);
}
