import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import {
  IntegerColumn,
  NowColumn,
  TextColumn,
  TextKeyColumn,
  TimeColumn,
} from '../../platform/index.js';

/** Written by a trigger (`append_audit_entry`). */
@Entity('audit_entries')
@Index('audit_entries_by_time', { synchronize: false })
export class AuditEntryRow {
  @TextKeyColumn
  readonly subjectId: string;

  @PrimaryColumn('integer')
  readonly position: number;

  /** JSON, byte for byte as hashed. */
  @TextColumn
  readonly entry: string;

  /** SHA-256 of the previous hash (first: of the subject's id) and the entry. */
  @Column('bytea')
  readonly hash: Buffer;

  @TimeColumn
  readonly joinedAt: Date;
}

@Entity('audit_leaves')
@Index('audit_leaves_of_root', ['rootNumber', 'leafIndex'], { unique: true })
export class AuditLeaf {
  @TextKeyColumn
  readonly subjectId: string;

  @PrimaryColumn('integer')
  readonly rootNumber: number;

  @IntegerColumn
  readonly leafIndex: number;

  @IntegerColumn
  readonly position: number;

  @Column('bytea')
  readonly hash: Buffer;
}

@Entity('audit_roots')
export class AuditRoot {
  /** From 1, without a gap. */
  @PrimaryColumn('integer')
  readonly number: number;

  /** A whole day in India; a very large day has several trees. */
  @Column('date')
  readonly day: string;

  @IntegerColumn
  readonly treeSize: number;

  /** Hex. */
  @TextColumn
  readonly root: string;

  /** A compact JWS over this row and the previous root. */
  @TextColumn
  readonly signedRoot: string;

  @NowColumn
  readonly signedAt: Date;
}
