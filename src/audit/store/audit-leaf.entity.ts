import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

@Entity('audit_leaves')
@Index('audit_leaves_of_root', ['rootNumber', 'leafIndex'], { unique: true })
export class AuditLeaf {
  @PrimaryColumn('text', { name: 'subject_id', primaryKeyConstraintName: 'audit_leaves_pkey' })
  readonly subjectId: string;

  @PrimaryColumn('integer', { name: 'root_number', primaryKeyConstraintName: 'audit_leaves_pkey' })
  readonly rootNumber: number;

  @Column('integer', { name: 'leaf_index' })
  readonly leafIndex: number;

  @Column('integer')
  readonly position: number;

  @Column('bytea')
  readonly hash: Buffer;
}
