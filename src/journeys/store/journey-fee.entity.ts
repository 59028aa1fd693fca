import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { Paise } from '../../loans/index.js';
import { paise } from '../../platform/index.js';
import type { FeeOnDecline } from '../../settings/index.js';
import { Journey } from './journey.entity.js';
import { Redirect } from './redirect.entity.js';

/** The amount, terms and payment of one choice's fee. */
@Entity('journey_fees')
@Check(
  'journey_fees_paid',
  `(paid_at IS NULL) = (gateway_payment_id IS NULL) AND (paid_at IS NULL OR order_id IS NOT NULL)`,
)
@Index('journey_fees_by_journey', ['journeyId'])
@Index('journey_fees_expiring', ['expiresAt'], {
  where: 'paid_at IS NULL AND called_off_at IS NULL',
})
export class JourneyFee {
  @PrimaryColumn({
    name: 'redirect_id',
    type: 'text',
    primaryKeyConstraintName: 'journey_fees_pkey',
  })
  @ForeignKey(() => Redirect, 'id', { name: 'journey_fees_redirect' })
  readonly redirectId: string;

  @Column({ name: 'partner_id', type: 'text' })
  readonly partnerId: string;

  @Column({ name: 'journey_id', type: 'text' })
  @ForeignKey(() => Journey, 'id', { name: 'journey_fees_journey' })
  readonly journeyId: string;

  @Column({ name: 'lender_code', type: 'text' })
  readonly lenderCode: string;

  @Column({ type: 'bigint', transformer: paise })
  readonly amount: Paise;

  /** As shown before the payment. */
  @Column({ name: 'fee_on_decline', type: 'text' })
  readonly feeOnDecline: FeeOnDecline;

  /** Null until the applicant goes to pay. */
  @Column({ name: 'order_id', type: 'text', nullable: true })
  readonly orderId: string | null;

  @Column({ name: 'is_try_failed', type: 'boolean', default: false })
  readonly isTryFailed: boolean;

  @Column({ name: 'gateway_payment_id', type: 'text', nullable: true })
  readonly gatewayPaymentId: string | null;

  @Column({ name: 'paid_at', type: 'timestamptz', nullable: true })
  readonly paidAt: Date | null;

  @Column({ name: 'expires_at', type: 'timestamptz' })
  readonly expiresAt: Date;

  /** When the order was cancelled for lateness. */
  @Column({ name: 'called_off_at', type: 'timestamptz', nullable: true })
  readonly calledOffAt: Date | null;
}
