import { Module } from '@nestjs/common';
import { LeadWriter } from '../../leads/index.js';
import { LenderRecordsModule } from '../../lenders/index.js';
import { SmsRecordsModule } from '../../messaging/index.js';
import { PaymentRecordsModule } from '../../payments/index.js';
import { InstantLoanAudit } from '../store/instant-loan-audit.js';
import { InstantLoanMover } from '../domain/instant-loan-mover.js';
import { InstantLoansRepository } from '../store/instant-loans.repository.js';
import { InstantLoanErasure } from './instant-loan-erasure.js';

/** Erasure for the command line: none of the service's controllers, senders and schedules. */
@Module({
  imports: [LenderRecordsModule, SmsRecordsModule, PaymentRecordsModule],
  providers: [
    InstantLoanErasure,
    InstantLoansRepository,
    InstantLoanMover,
    InstantLoanAudit,
    LeadWriter,
  ],
  exports: [InstantLoanErasure],
})
export class InstantLoanErasureModule {}
