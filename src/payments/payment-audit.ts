import { Injectable } from '@nestjs/common';
import { Tx } from '../platform/index.js';
import type { PaymentStatus } from './payment-status.js';

/** What came to pass with an order; the status says where it led. */
export type PaymentTrigger =
  | 'ORDERED'
  | 'OPENED'
  | 'CAPTURED'
  | 'CAPTURED_OTHER_AMOUNT'
  | 'TRY_FAILED'
  | 'CALLED_OFF'
  | 'TIME_RAN_OUT'
  | 'CLOSED';

interface AuditSubject {
  readonly id: string;
  readonly partnerId: string;
  readonly subjectId: string;
}

/** The append-only record of what came to pass with an order; it never holds personal data. */
@Injectable()
export class PaymentAudit {
  async record(
    tx: Tx,
    order: AuditSubject,
    trigger: PaymentTrigger,
    from: PaymentStatus | null,
    to: PaymentStatus,
    detail: Record<string, unknown> = {},
  ): Promise<void> {
    await tx.execute(
      `INSERT INTO payment_audit (partner_id, subject_id, order_id, trigger, from_status, to_status,
         detail, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, app_now())`,
      [order.partnerId, order.subjectId, order.id, trigger, from, to, JSON.stringify(detail)],
    );
  }
}
