import { Injectable } from '@nestjs/common';
import { type Disagreement, formatRupees, MIN_WORKING_DAYS } from '../loans/index.js';
import { OperatorFlags } from '../operator-flags/index.js';
import { sha256, type Tx } from '../platform/index.js';
import type { LenderOffer } from './lender-port.js';
import { QuestionOutbox } from './store/question-outbox.js';
import { barePayload, type QuestionPayload, type RefusedOffer } from './question-payload.js';

export interface OffersSubject extends Pick<
  QuestionPayload,
  'subjectKind' | 'applicationId' | 'productCode' | 'loanAmount'
> {
  readonly partnerId: string;
  readonly subjectId: string;
  /** Of the notice to the lender about refused offers; see `refusalReference`. */
  readonly refusal: string;
}

export interface Objection {
  readonly reason:
    | 'MALFORMED'
    | 'PRODUCT_NOT_SERVED'
    | 'NO_BRANCH'
    | 'NO_VALUATION'
    | 'AMOUNT_OUT_OF_RANGE'
    | 'VALIDITY_TOO_SHORT'
    | 'CHARGES_DUE'
    | 'FIGURES_DISAGREE'
    | 'FEE_TOO_SMALL'
    | 'IMPOSSIBLE_TERMS';
  readonly disagreements?: readonly Disagreement[];
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
  CHARGES_DUE: 'FEES',
  FIGURES_DISAGREE: 'OTHER',
  FEE_TOO_SMALL: 'FEES',
  IMPOSSIBLE_TERMS: 'OTHER',
};

export const VALID_LONG_ENOUGH = `at least ${MIN_WORKING_DAYS} working days`;

@Injectable()
export class RefusedOffers {
  constructor(
    private readonly flags: OperatorFlags,
    private readonly questionOutbox: QuestionOutbox,
  ) {}

  /** One flag per reason, with the facts of the first offer. */
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

  /** Once per verdict: a lender answers an offer request once. */
  async notifyLender(
    tx: Tx,
    subject: OffersSubject,
    lenderCode: string,
    refusedOffers: readonly RefusedOffer[],
  ): Promise<void> {
    if (refusedOffers.length === 0) return;
    const { partnerId, subjectId, refusal: reference } = subject;
    const { subjectKind, applicationId, productCode, loanAmount } = subject;
    await this.questionOutbox.put(tx, {
      partnerId,
      subjectId,
      lenderCode,
      kind: 'WITHDRAWAL',
      reference,
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

/** @param round from 1 */
export function refusalReference(round: number): string {
  return `OFFER_REFUSED:${round}`;
}

/** Hashed: a message id may be as long as a question's id, which contains this reference. */
export function revisionRefusalReference(messageId: string): string {
  return `OFFER_REFUSED:${sha256(messageId).slice(0, 32)}`;
}

function reasonOf(refusal: Objection | RefusedOffer): string {
  return 'reason' in refusal ? refusal.reason : refusal.problem;
}

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

/** For lenders and operators; figures in rupees or percent. */
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
