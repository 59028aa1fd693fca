import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The chain of all of them. */
export const AUDIT_INTAKE_SUBJECT = 'audit';

/** How far the rows from before a table joined have been taken in. */
@Entity('audit_intakes')
export class AuditIntake {
  /** The table. */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'audit_intakes_pkey' })
  readonly source: string;

  @Column('text', { name: 'subject_id', default: AUDIT_INTAKE_SUBJECT })
  readonly subjectId: string;

  /** The key of the last row that was looked at. */
  @Column('text', { name: 'last_key', nullable: true })
  readonly lastKey: string | null;

  /** Null while there may be more. */
  @Column('timestamptz', { name: 'done_at', nullable: true })
  readonly doneAt: Date | null;
}
