import { Injectable } from '@nestjs/common';
import { type Disagreement, formatRupees, MIN_WORKING_DAYS } from '../loans/index.js';
import { OperatorFlags } from '../operator-flags/index.js';
import { sha256, type Tx } from '../platform/index.js';
import type { LenderOffer } from './lender-port.js';
import { QuestionOutbox } from './store/question-outbox.js';
import { barePayload, type QuestionPayload, type RefusedOffer } from './question-payload.js';

/** For what lenders are asked for offers. */
export interface OffersSubject extends Pick<
  QuestionPayload,
  'subjectKind' | 'applicationId' | 'productCode' | 'loanAmount'
> {
  readonly partnerId: string;
  readonly subjectId: string;
  /** Counts from 1 how often the lenders are asked. */
  readonly round: number;
}

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
    | 'FEE_TOO_SMALL'
    | 'IMPOSSIBLE_TERMS';
  readonly disagreements?: readonly Disagreement[];
  /** The figure that the offer states, and what it should be. */
  readonly stated?: string;
  readonly computed?: string;
}

const PROBLEMS: Readonly<Record<Objection['reason'], string>> = {
  MALFORMED: 'OTHER',
  PRODUCT_NOT_SERVED: 'OTHER',
  NO_BRANCH: 'OTHER',
  NO_VALUATION: 'LTV',
  AMOUNT_OUT_OF_RANGE: 'RANGE',
  VALIDITY_TOO_SHORT: 'VALIDITY',
  FIGURES_DISAGREE: 'OTHER',
  FEE_TOO_SMALL: 'FEES',
  IMPOSSIBLE_TERMS: 'OTHER',
};

/** What an offer's validity is held to, in words. */
export const VALID_LONG_ENOUGH = `at least ${MIN_WORKING_DAYS} working days`;

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
    { partnerId, subjectId }: OffersSubject,
    lenderCode: string,
    refusals: readonly (Objection | RefusedOffer)[],
  ): Promise<void> {
    for (const [reason, [first, ...others]] of Map.groupBy(refusals, reasonOf)) {
      await this.flags.raise(tx, {
        partnerId,
        subjectId,
        kind: 'OFFER_REFUSED',
        cause: [lenderCode, reason],
        detail: { lenderCode, ...first },
        count: others.length + 1,
      });
    }
  }

  /** Once a round: a lender answers a request for offers once. */
  async tell(
    tx: Tx,
    subject: OffersSubject,
    lenderCode: string,
    refusedOffers: readonly RefusedOffer[],
  ): Promise<void> {
    if (refusedOffers.length === 0) return;
    const { partnerId, subjectId, round } = subject;
    const { subjectKind, applicationId, productCode, loanAmount } = subject;
    await this.questionOutbox.put(tx, {
      partnerId,
      subjectId,
      lenderCode,
      kind: 'WITHDRAWAL',
      reference: refusalReference(round),
      payload: barePayload({
        subjectKind,
        applicationId,
        productCode,
        loanAmount,
        withdrawal: { reason: 'OFFER_REFUSED', refusedOffers },
      }),
    });
  }
}

/** What the word to a lender is about that offers of its are refused, among its withdrawals. */
export function refusalReference(round: number): string {
  return `OFFER_REFUSED:${round}`;
}

/**
 * The same for a revised offer. Hashed: a lender's message id may be as long as a question's id, which has this
 * reference in it.
 */
export function revisionRefusalReference(messageId: string): string {
  return `OFFER_REFUSED:${sha256(messageId).slice(0, 32)}`;
}

function reasonOf(refusal: Objection | RefusedOffer): string {
  return 'reason' in refusal ? refusal.reason : refusal.problem;
}

/** An objection in the words that lenders are told it in. */
export function refusedOfferOf(
  { reference: offerReference }: LenderOffer,
  { reason, disagreements, stated, computed }: Objection,
): RefusedOffer {
  const [first] = disagreements ?? [];
  if (first) return figureRefused(offerReference, first);
  return {
    offerReference,
    problem: PROBLEMS[reason],
    ...(stated !== undefined && { stated, computed }),
  };
}

const FIGURE_PROBLEMS: Readonly<Record<Disagreement['figure'], string>> = {
  instalment: 'INSTALMENT',
  netDisbursed: 'NET_PAYOUT',
  apr: 'APR',
  fee: 'FEES',
};

/** A figure of an offer that does not hold, as lenders and operators read it: theirs and ours. */
export function figureRefused(
  offerReference: string,
  { figure, claimed, computed, percentOfPrincipal }: Disagreement,
): RefusedOffer {
  const text = (value: number) => (figure === 'apr' ? `${value}%` : formatRupees(value));
  return {
    offerReference,
    problem: FIGURE_PROBLEMS[figure],
    stated:
      percentOfPrincipal === undefined
        ? text(claimed)
        : `${text(claimed)} as ${percentOfPrincipal}% of the principal`,
    computed: text(computed),
  };
}
