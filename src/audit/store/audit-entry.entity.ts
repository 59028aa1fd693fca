import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** One entry of a chain. The database writes it (`append_audit_entry`), by a trigger on the row's table. */
@Entity('audit_entries')
@Index('audit_entries_by_time', { synchronize: false })
export class AuditEntryRow {
  /** The journey, the instant loan, or `operator`. */
  @PrimaryColumn('text', { name: 'subject_id', primaryKeyConstraintName: 'audit_entries_pkey' })
  readonly subjectId: string;

  /** From 1 on. */
  @PrimaryColumn('integer', { primaryKeyConstraintName: 'audit_entries_pkey' })
  readonly position: number;

  /** JSON, byte for byte as it was hashed: when, what happened, in which table, and the row. */
  @Column('text')
  readonly entry: string;

  /** SHA-256 of the hash before it and the entry; before the first stands the hash of the subject's id. */
  @Column('bytea')
  readonly hash: Buffer;

  /** As the entry has it. */
  @Column('timestamptz', { name: 'joined_at' })
  readonly joinedAt: Date;
}
