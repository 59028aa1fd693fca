import { Injectable } from '@nestjs/common';
import { Tx } from '../../platform/index.js';
import { InstantLoanAuditRow } from './instant-loan-audit.entity.js';
import type { InstantLoan } from './instant-loan.entity.js';
import type { InstantLoanStatus } from '../domain/instant-loan-status.js';
import type { InstantLoanTrigger } from '../domain/transition-table.js';

/** Audit entries that change no status. */
export type InstantLoanNote =
  | 'APPLIED'
  | 'LENDER_ANSWERED'
  | 'LENDER_MISSED'
  | 'OFFER_TOO_LATE'
  | 'OFFER_CHOSEN'
  | 'OFFERS_OPENED'
  | 'LEADING_OFFER_CHOSEN'
  | 'OTHER_OFFER_CHOSEN'
  | 'OTHER_OFFER_WANTED'
  | 'NEXT_OFFER'
  | 'KEY_FACTS_AGREED'
  | 'ORDERED'
  | 'ORDERED_AGAIN'
  | 'PAID_TOO_LATE'
  | 'PAID_AGAIN'
  | 'FEE_GOES_BACK'
  | 'FEE_KEPT'
  | 'REFUND_TOLD'
  | 'LENDER_SILENT'
  | 'APPLICANT_ERASED';

/** Append-only, without personal data. */
@Injectable()
export class InstantLoanAudit {
  async record(
    tx: Tx,
    { id, partnerId, status }: InstantLoan,
    trigger: InstantLoanTrigger | InstantLoanNote,
    from: InstantLoanStatus | null,
    detail: Record<string, unknown> = {},
  ): Promise<void> {
    await tx.repository(InstantLoanAuditRow).insert({
      partnerId,
      applicationId: id,
      trigger,
      fromStatus: from,
      toStatus: status,
      detail,
    });
  }

  has(tx: Tx, { id, partnerId }: InstantLoan, trigger: InstantLoanNote): Promise<boolean> {
    return tx.repository(InstantLoanAuditRow).existsBy({ partnerId, applicationId: id, trigger });
  }
}
