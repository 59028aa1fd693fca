import { Module } from '@nestjs/common';
import { ErasureModule } from '../../erasure/index.js';
import { LeadWriter } from '../../leads/index.js';
import { LenderRecordsModule } from '../../lenders/index.js';
import { InstantLoanAudit } from '../store/instant-loan-audit.js';
import { InstantLoanMetrics } from '../domain/instant-loan-metrics.js';
import { InstantLoanMover } from '../domain/instant-loan-mover.js';
import { OfferWithdrawals } from '../domain/offer-withdrawals.js';
import { InstantLoansRepository } from '../store/instant-loans.repository.js';
import { InstantOffersRepository } from '../store/instant-offers.repository.js';
import { InstantLoanPersonalData } from './instant-loan-personal-data.js';

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
