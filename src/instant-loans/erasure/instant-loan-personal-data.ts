import { Injectable, Module } from '@nestjs/common';
import {
  ErasureModule,
  type ErasureObstacle,
  type LoanHolder,
  type LoanSearch,
  PersonalDataRegistry,
} from '../../erasure/index.js';
import { LeadWriter } from '../../leads/index.js';
import { LenderRecordsModule } from '../../lenders/index.js';
import { Idempotency, type Tx } from '../../platform/index.js';
import { InstantLoanMetrics, InstantLoanMover } from '../progress/instant-loan-mover.js';
import { isOver } from '../domain/instant-loan-status.js';
import { OfferWithdrawals } from '../progress/offer-withdrawals.js';
import { InstantLoanAudit } from '../store/instant-loan-audit.js';
import type { InstantLoan } from '../store/instant-loan.entity.js';
import { InstantLoansRepository, type OwnedLoan } from '../store/instant-loans.repository.js';
import { InstantOffersRepository } from '../store/instant-offers.repository.js';
import { CREATE_OPERATION } from '../use-cases/new-applications.js';

@Injectable()
class InstantLoanPersonalData implements LoanHolder<InstantLoan> {
  readonly order = 2;

  readonly personalColumns = [
    ...InstantLoansRepository.PERSONAL_COLUMNS,
    ...Idempotency.KEPT_COLUMNS,
  ];

  constructor(
    registry: PersonalDataRegistry,
    private readonly loans: InstantLoansRepository,
    private readonly mover: InstantLoanMover,
    private readonly audit: InstantLoanAudit,
    private readonly idempotency: Idempotency,
  ) {
    registry.registerLoans(this);
  }

  async find(tx: Tx, { by, values }: LoanSearch): Promise<OwnedLoan[]> {
    if (by === 'journeyId') return [];
    return this.loans.findOf(tx, by === 'applicationId' ? 'id' : by, values);
  }

  lock(tx: Tx, { partnerId, id }: OwnedLoan): Promise<InstantLoan | null> {
    return this.loans.lock(tx, partnerId, id);
  }

  /** An unpaid application can be ended; a paid, undecided one never. */
  async obstacle(
    _tx: Tx,
    { id, status: state }: InstantLoan,
    isForced: boolean,
  ): Promise<ErasureObstacle | null> {
    if (state === 'PAYMENT_RECEIVED') return { id, state, reason: 'MONEY_ON_ITS_WAY' };
    return isForced || isOver(state) ? null : { id, state, reason: 'IN_PROGRESS' };
  }

  async end(tx: Tx, loan: InstantLoan): Promise<InstantLoan> {
    return (await this.mover.move(tx, loan, 'WITHDRAWN')) ?? loan;
  }

  async erase(tx: Tx, { id, partnerId, createdAt }: InstantLoan): Promise<number> {
    const erased = await this.loans.eraseApplicant(tx, partnerId, id);
    const forgotten = await this.idempotency.forget(tx, {
      partnerId,
      operation: CREATE_OPERATION,
      at: createdAt,
      isMeant: (answer) => 'applicationId' in answer && answer.applicationId === id,
    });
    return erased + forgotten;
  }

  recordErasure(tx: Tx, loan: InstantLoan): Promise<void> {
    return this.audit.record(tx, loan, 'APPLICANT_ERASED', loan.status);
  }
}

/** For the command line: no controllers, senders or schedules. */
@Module({
  imports: [ErasureModule, LenderRecordsModule],
  providers: [
    InstantLoanPersonalData,
    InstantLoansRepository,
    InstantOffersRepository,
    InstantLoanMover,
    OfferWithdrawals,
    InstantLoanMetrics,
    InstantLoanAudit,
    LeadWriter,
  ],
})
export class InstantLoanErasureModule {}
