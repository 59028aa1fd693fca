import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { ApiKey } from '../../auth/store/api-key.entity.js';

/** A single-use link, and the session that it opened. */
@Entity('workbench_sessions')
@Index('workbench_sessions_by_token', ['tokenHash'], { unique: true })
@Index('workbench_sessions_by_age', ['createdAt'])
@Check('workbench_sessions_opened', 'num_nonnulls(token_hash, opened_at, expires_at) IN (0, 3)')
export class WorkbenchSession {
  /** SHA-256 (hex) of the link's token. */
  @PrimaryColumn('text', {
    name: 'link_hash',
    primaryKeyConstraintName: 'workbench_sessions_pkey',
  })
  readonly linkHash: string;

  @Column('text', { name: 'partner_id' })
  readonly partnerId: string;

  /** Signed the call for the link. */
  @ForeignKey(() => ApiKey, { name: 'workbench_sessions_key' })
  @Column('text', { name: 'key_id' })
  readonly keyId: string;

  @Column('timestamptz', { name: 'link_expires_at' })
  readonly linkExpiresAt: Date;

  /** SHA-256 (hex) of the cookie's token; null until the link is used. */
  @Column('text', { name: 'token_hash', nullable: true })
  readonly tokenHash: string | null;

  @Column('timestamptz', { name: 'opened_at', nullable: true })
  readonly openedAt: Date | null;

  @Column('timestamptz', { name: 'expires_at', nullable: true })
  readonly expiresAt: Date | null;

  @Column('timestamptz', { name: 'ended_at', nullable: true })
  readonly endedAt: Date | null;

  @Column('timestamptz', { name: 'created_at' })
  readonly createdAt: Date;
}
