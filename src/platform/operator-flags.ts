import { Injectable } from '@nestjs/common';
import type { Tx } from './database/tx.js';
import { Metrics } from './metrics/metrics.js';

/** Something that came to pass and that a person should look at. */
export interface OperatorFlag {
  readonly partnerId: string;
  readonly subjectId: string;
  readonly kind:
    | 'OFFER_REFUSED'
    | 'LATE_ANSWER'
    | 'UNREADABLE_ANSWER'
    | 'PAYOUT_DIFFERS'
    | 'LENDER_SILENT'
    | 'SMS_NOT_SENT'
    | 'PAYMENT_DIFFERS'
    | 'GATEWAY_REFUSED'
    | 'GATEWAY_SILENT'
    | 'PAYMENT_TOO_LATE'
    | 'PAYMENT_TWICE';
  /** Facts without personal data. */
  readonly detail: Record<string, unknown>;
}

/** Puts things before the operator, in the transaction in which they came to pass. */
@Injectable()
export class OperatorFlags {
  constructor(private readonly metrics: Metrics) {}

  async raise(tx: Tx, flag: OperatorFlag): Promise<void> {
    await tx.execute(
      `INSERT INTO operator_flags (partner_id, subject_id, kind, detail, created_at)
       VALUES ($1, $2, $3, $4, app_now())`,
      [flag.partnerId, flag.subjectId, flag.kind, JSON.stringify(flag.detail)],
    );
    tx.afterCommit(() => this.metrics.operatorFlags.inc({ kind: flag.kind }));
  }
}
