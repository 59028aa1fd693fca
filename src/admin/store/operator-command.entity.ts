import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** Without secrets and personal data. */
@Entity('operator_commands')
export class OperatorCommand {
  @PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    generatedIdentity: 'ALWAYS',
    primaryKeyConstraintName: 'operator_commands_pkey',
  })
  readonly id: number;

  /** Id of a journey or an instant loan, or `operator`. */
  @Column('text', { name: 'subject_id' })
  readonly subjectId: string;

  /** For example `keys suspend`. */
  @Column('text')
  readonly command: string;

  /** Personal values are only named. */
  @Column('jsonb')
  readonly parameters: Record<string, unknown>;

  @Column('text', { name: 'given_by' })
  readonly givenBy: string;

  @Column('timestamptz', { name: 'created_at', default: () => 'app_now()' })
  readonly createdAt: Date;
}
