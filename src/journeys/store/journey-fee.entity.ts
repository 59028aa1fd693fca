import { Check, Entity, ForeignKey, Index } from 'typeorm';
import type { Paise } from '../../loans/index.js';
import {
  FlagColumn,
  NullableTextColumn,
  NullableTimeColumn,
  PaiseColumn,
  TextColumn,
  TextKeyColumn,
  TimeColumn,
} from '../../platform/index.js';
import type { FeeOnDecline } from '../../settings/index.js';
import { JourneyColumn } from './journey.entity.js';
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
  @TextKeyColumn
  @ForeignKey(() => Redirect)
  readonly redirectId: string;

  @TextColumn
  readonly partnerId: string;

  @JourneyColumn
  readonly journeyId: string;

  @TextColumn
  readonly lenderCode: string;

  @PaiseColumn()
  readonly amount: Paise;

  /** As shown before the payment. */
  @TextColumn
  readonly feeOnDecline: FeeOnDecline;

  /** Null until the applicant goes to pay. */
  @NullableTextColumn
  readonly orderId: string | null;

  @FlagColumn
  readonly isTryFailed: boolean;

  @NullableTextColumn
  readonly gatewayPaymentId: string | null;

  @NullableTimeColumn
  readonly paidAt: Date | null;

  @TimeColumn
  readonly expiresAt: Date;

  /** When the order was cancelled for lateness. */
  @NullableTimeColumn
  readonly calledOffAt: Date | null;
}
