import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

@Entity('operator_flags')
@Index('operator_flags_open', ['createdAt'], { where: '(resolved_at IS NULL)' })
export class OperatorFlagRow {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id: number;

  @Column({ name: 'partner_id', type: 'text' })
  partnerId: string;

  @Column({ name: 'subject_id', type: 'text' })
  subjectId: string;

  @Column({ type: 'text' })
  kind: string;

  @Column({ type: 'jsonb' })
  detail: object;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;

  @Column({ name: 'resolved_at', type: 'timestamptz', nullable: true })
  resolvedAt: Date | null;
}
