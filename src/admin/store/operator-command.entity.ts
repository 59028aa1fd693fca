import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** A command that was given to change something; without secrets and without personal data. */
@Entity('operator_commands')
export class OperatorCommand {
  @PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    generatedIdentity: 'ALWAYS',
    primaryKeyConstraintName: 'operator_commands_pkey',
  })
  readonly id: number;

  /** The journey or instant loan that it names, or `operator`. */
  @Column('text', { name: 'subject_id' })
  readonly subjectId: string;

  /** `keys suspend` */
  @Column('text')
  readonly command: string;

  /** What it was given; of what may be personal only that it was given. */
  @Column('jsonb')
  readonly parameters: Record<string, unknown>;

  /** The user of the operating system. */
  @Column('text', { name: 'given_by' })
  readonly givenBy: string;

  @Column('timestamptz', { name: 'created_at', default: () => 'app_now()' })
  readonly createdAt: Date;
}
