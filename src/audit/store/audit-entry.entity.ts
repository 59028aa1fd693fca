import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** Written by the trigger on the row's table (`append_audit_entry`). */
@Entity('audit_entries')
@Index('audit_entries_by_time', { synchronize: false })
export class AuditEntryRow {
  /** A journey, an instant loan, or `operator`. */
  @PrimaryColumn('text', { name: 'subject_id', primaryKeyConstraintName: 'audit_entries_pkey' })
  readonly subjectId: string;

  /** From 1. */
  @PrimaryColumn('integer', { primaryKeyConstraintName: 'audit_entries_pkey' })
  readonly position: number;

  /** JSON, byte for byte as hashed: time, event, table and row. */
  @Column('text')
  readonly entry: string;

  /**
   * SHA-256 of the hash before it and the entry; the first follows the hash of the subject's id.
   */
  @Column('bytea')
  readonly hash: Buffer;

  @Column('timestamptz', { name: 'joined_at' })
  readonly joinedAt: Date;
}
