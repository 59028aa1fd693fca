import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

@Entity('journey_audit')
@Index('journey_audit_by_journey', ['journeyId'])
export class JourneyAuditRow {
  @PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    generatedIdentity: 'ALWAYS',
    primaryKeyConstraintName: 'journey_audit_pkey',
  })
  id: number;

  @Column({ name: 'partner_id', type: 'text' })
  partnerId: string;

  @Column({ name: 'journey_id', type: 'text' })
  journeyId: string;

  @Column({ type: 'text' })
  trigger: string;

  @Column({ name: 'from_state', type: 'text', nullable: true })
  fromState: string | null;

  @Column({ name: 'to_state', type: 'text' })
  toState: string;

  @Column({ type: 'jsonb' })
  detail: object;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;
}
