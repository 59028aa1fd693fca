import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';
import type { JourneyState } from '../domain/journey-state.js';

@Entity('journey_audit')
@Index('journey_audit_by_journey', ['journeyId'])
export class JourneyAuditRow {
  @PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    generatedIdentity: 'ALWAYS',
    primaryKeyConstraintName: 'journey_audit_pkey',
  })
  readonly id: number;

  @Column({ name: 'partner_id', type: 'text' })
  readonly partnerId: string;

  @Column({ name: 'journey_id', type: 'text' })
  readonly journeyId: string;

  @Column({ type: 'text' })
  readonly trigger: string;

  @Column({ name: 'from_state', type: 'text', nullable: true })
  readonly fromState: JourneyState | null;

  @Column({ name: 'to_state', type: 'text' })
  readonly toState: JourneyState;

  @Column({ type: 'jsonb' })
  readonly detail: object;

  @Column({ name: 'created_at', type: 'timestamptz', default: () => 'app_now()' })
  readonly createdAt: Date;
}
