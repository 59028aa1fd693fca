import { Entity, ForeignKey, Index } from 'typeorm';
import { NowColumn, NullableColumn, TextColumn, TextKeyColumn } from '../../platform/index.js';
import { Application } from '../../leads/store/application.entity.js';
import { JourneyColumn } from '../../journeys/store/journey.entity.js';

@Entity('instant_loans')
@Index('instant_loans_by_journey', ['journeyId'], { unique: true })
export class InstantLoan {
  /** The application. */
  @TextKeyColumn
  @ForeignKey(() => Application, { name: 'instant_loans_application' })
  readonly id: string;

  @TextColumn
  readonly partnerId: string;

  @JourneyColumn
  readonly journeyId: string;

  @TextColumn
  readonly smsId: string;

  /** The call's `smsSent`; null until decided. */
  @NullableColumn('boolean')
  readonly isSmsSent: boolean | null;

  @NowColumn
  readonly createdAt: Date;
}
