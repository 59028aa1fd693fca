import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** Written by the trigger on the row's table (`append_audit_entry`). */
@Entity('audit_entries')
@Index('audit_entries_by_time', { synchronize: false })
export class AuditEntryRow {
  @PrimaryColumn('text', { name: 'subject_id', primaryKeyConstraintName: 'audit_entries_pkey' })
  readonly subjectId: string;

  @PrimaryColumn('integer', { primaryKeyConstraintName: 'audit_entries_pkey' })
  readonly position: number;

  /** JSON, byte for byte as hashed. */
  @Column('text')
  readonly entry: string;

  /** SHA-256 of the hash before (first: of the subject's id) and the entry. */
  @Column('bytea')
  readonly hash: Buffer;

  @Column('timestamptz', { name: 'joined_at' })
  readonly joinedAt: Date;
}
