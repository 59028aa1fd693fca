import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Application } from '../../leads/store/application.entity.js';
import { Journey } from '../../journeys/store/journey.entity.js';

@Entity('instant_loans')
@Index('instant_loans_by_journey', ['journeyId'], { unique: true })
export class InstantLoan {
  /** The application. */
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'instant_loans_pkey' })
  @ForeignKey(() => Application, 'id', { name: 'instant_loans_application' })
  readonly id: string;

  @Column({ name: 'partner_id', type: 'text' })
  readonly partnerId: string;

  @Column({ name: 'journey_id', type: 'text' })
  @ForeignKey(() => Journey, 'id', { name: 'instant_loans_journey' })
  readonly journeyId: string;

  @Column({ name: 'sms_id', type: 'text' })
  readonly smsId: string;

  /** The call's `smsSent`; null until decided. */
  @Column({ name: 'is_sms_sent', type: 'boolean', nullable: true })
  readonly isSmsSent: boolean | null;

  @Column({ name: 'created_at', type: 'timestamptz', default: () => 'app_now()' })
  readonly createdAt: Date;
}
