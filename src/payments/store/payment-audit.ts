import { Injectable } from '@nestjs/common';
import { Tx } from '../../platform/index.js';
import type { PaymentStatus } from '../payment-status.js';
import type { RefundStatus } from '../refund-status.js';
import { PaymentAuditRow, type PaymentTrigger } from './payment-audit.entity.js';
import type { PaymentOrder } from './payment-order.entity.js';

/** Append-only; never holds personal data. */
@Injectable()
export class PaymentAudit {
  async record(
    tx: Tx,
    { id, partnerId, subjectId }: Pick<PaymentOrder, 'id' | 'partnerId' | 'subjectId'>,
    trigger: PaymentTrigger,
    from: PaymentStatus | RefundStatus | null,
    to: PaymentStatus | RefundStatus,
    detail: Record<string, unknown> = {},
  ): Promise<void> {
    await tx.repository(PaymentAuditRow).insert({
      partnerId,
      subjectId,
      orderId: id,
      trigger,
      fromStatus: from,
      toStatus: to,
      detail,
    });
  }
}
