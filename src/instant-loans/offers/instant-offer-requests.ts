import { Injectable } from '@nestjs/common';
import { type LenderApplicant, type LenderConsent, QuestionOutbox } from '../../lenders/index.js';
import type { Tx } from '../../platform/index.js';
import type { Lender } from '../../settings/index.js';
import { INSTANT_PRODUCT } from '../domain/instant-loan.js';
import type { InstantLoan } from '../store/instant-loan.entity.js';

/** The lenders are asked once. */
export const OFFERS_REFERENCE = '1';

@Injectable()
export class InstantOfferRequests {
  constructor(private readonly questionOutbox: QuestionOutbox) {}

  /** In the application's transaction, so that none is forgotten. */
  ask(
    tx: Tx,
    { id, partnerId, loanAmount, offersGivenUpAt }: InstantLoan,
    lenders: readonly Lender[],
    applicant: LenderApplicant,
    consent: LenderConsent,
  ): Promise<void> {
    return this.questionOutbox.putAll(
      tx,
      lenders.map(({ code: lenderCode }) => ({
        partnerId,
        subjectId: id,
        lenderCode,
        kind: 'INSTANT_OFFERS',
        reference: OFFERS_REFERENCE,
        payload: {
          subjectKind: 'INSTANT_LOAN',
          applicationId: id,
          productCode: INSTANT_PRODUCT,
          loanAmount,
          applicant,
          consent,
          usefulUntil: offersGivenUpAt.toISOString(),
        },
      })),
    );
  }
}
