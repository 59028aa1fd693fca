import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { Paise } from '../../loans/index.js';
import { NullableColumn, PaiseColumn } from '../../platform/index.js';
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
  @PrimaryColumn('text')
  @ForeignKey(() => Redirect)
  readonly redirectId: string;

  @Column('text')
  readonly partnerId: string;

  @Column('text')
  @ForeignKey(() => Journey)
  readonly journeyId: string;

  @Column('text')
  readonly lenderCode: string;

  @PaiseColumn()
  readonly amount: Paise;

  /** As shown before the payment. */
  @Column('text')
  readonly feeOnDecline: FeeOnDecline;

  /** Null until the applicant goes to pay. */
  @NullableColumn('text')
  readonly orderId: string | null;

  @Column('boolean', { default: false })
  readonly isTryFailed: boolean;

  @NullableColumn('text')
  readonly gatewayPaymentId: string | null;

  @NullableColumn('timestamptz')
  readonly paidAt: Date | null;

  @Column('timestamptz')
  readonly expiresAt: Date;

  /** When the order was cancelled for lateness. */
  @NullableColumn('timestamptz')
  readonly calledOffAt: Date | null;
}
