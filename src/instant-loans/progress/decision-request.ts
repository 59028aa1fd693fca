import { Injectable } from '@nestjs/common';
import { ConsentLog } from '../../consents/index.js';
import { QuestionOutbox } from '../../lenders/index.js';
import { type Tx } from '../../platform/index.js';
import { InstantApplicants } from './instant-applicants.js';
import { requireChosen } from '../domain/chosen-loan.js';
import { INSTANT_PRODUCT } from '../domain/instant-loan.js';
import type { InstantLoan } from '../store/instant-loan.entity.js';
import { InstantLoansRepository } from '../store/instant-loans.repository.js';
import { InstantOffersRepository } from '../store/instant-offers.repository.js';
import { ServiceSettings } from '../../settings/index.js';

/** An application is decided once. */
const DECISION_REFERENCE = '1';

@Injectable()
export class DecisionRequest {
  constructor(
    private readonly loans: InstantLoansRepository,
    private readonly offers: InstantOffersRepository,
    private readonly questionOutbox: QuestionOutbox,
    private readonly applicants: InstantApplicants,
    private readonly consents: ConsentLog,
    private readonly settings: ServiceSettings,
  ) {}

  /** In the payment's transaction, so that no paid application is forgotten. */
  async put(tx: Tx, paid: InstantLoan): Promise<void> {
    const loan = requireChosen(paid);
    const { id, partnerId, lenderCode, gatewayPaymentId, paidAt } = loan;
    if (paidAt === null) throw new Error(`application ${id} is not paid`);
    const { offerReference } = await this.offers.leading(tx, loan);
    const attested = await this.consents.attested(tx, partnerId, id);
    if (!attested) throw new Error(`application ${id} has no consent`);
    await this.questionOutbox.put(tx, {
      partnerId,
      subjectId: id,
      lenderCode,
      kind: 'DECISION',
      reference: DECISION_REFERENCE,
      payload: {
        subjectKind: 'INSTANT_LOAN',
        applicationId: id,
        consent: attested.told,
        productCode: INSTANT_PRODUCT,
        loanAmount: loan.loanAmount,
        applicant: this.applicants.open(loan),
        offerReference,
        keyFactsHash: loan.keyFactsHash,
        feePaid: { amount: loan.fee, gatewayPaymentId, paidAt: paidAt.toISOString() },
      },
    });
    const { lenderGiveUpSeconds } = await this.settings.operating();
    await this.loans.awaitDecision(tx, id, lenderGiveUpSeconds);
  }
}
