import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { NowColumn, NullableColumn } from '../../platform/index.js';
import { Application } from '../../leads/store/application.entity.js';
import { Journey } from '../../journeys/store/journey.entity.js';

@Entity('instant_loans')
@Index('instant_loans_by_journey', ['journeyId'], { unique: true })
export class InstantLoan {
  /** The application. */
  @PrimaryColumn('text')
  @ForeignKey(() => Application, { name: 'instant_loans_application' })
  readonly id: string;

  @Column('text')
  readonly partnerId: string;

  @Column('text')
  @ForeignKey(() => Journey)
  readonly journeyId: string;

  @Column('text')
  readonly smsId: string;

  /** The call's `smsSent`; null until decided. */
  @NullableColumn('boolean')
  readonly isSmsSent: boolean | null;

  @NowColumn
  readonly createdAt: Date;
}
