import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('audit_roots')
export class AuditRoot {
  /** From 1, without a gap. */
  @PrimaryColumn('integer', { primaryKeyConstraintName: 'audit_roots_pkey' })
  readonly number: number;

  /** The last whole day in India before; a very large day has several trees. */
  @Column('date')
  readonly day: string;

  @Column('integer', { name: 'tree_size' })
  readonly treeSize: number;

  /** In hex. */
  @Column('text')
  readonly root: string;

  /** A compact JWS over all of this and the root before. */
  @Column('text', { name: 'signed_root' })
  readonly signedRoot: string;

  @Column('timestamptz', { name: 'signed_at', default: () => 'app_now()' })
  readonly signedAt: Date;
}
