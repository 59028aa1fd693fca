import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { NullableColumn } from '../../platform/index.js';
import { ApiKey } from '../../auth/store/api-key.entity.js';

/** A single-use link, and the session that it opened. */
@Entity('workbench_sessions')
@Index('workbench_sessions_by_token', ['tokenHash'], { unique: true })
@Index('workbench_sessions_by_age', ['createdAt'])
@Check('workbench_sessions_opened', 'num_nonnulls(token_hash, opened_at, expires_at) IN (0, 3)')
export class WorkbenchSession {
  /** SHA-256 (hex) of the link's token. */
  @PrimaryColumn('text')
  readonly linkHash: string;

  @Column('text')
  readonly partnerId: string;

  /** Signed the call for the link. */
  @ForeignKey(() => ApiKey)
  @Column('text')
  readonly keyId: string;

  @Column('timestamptz')
  readonly linkExpiresAt: Date;

  /** SHA-256 (hex) of the cookie's token; null until the link is used. */
  @NullableColumn('text')
  readonly tokenHash: string | null;

  @NullableColumn('timestamptz')
  readonly openedAt: Date | null;

  @NullableColumn('timestamptz')
  readonly expiresAt: Date | null;

  @NullableColumn('timestamptz')
  readonly endedAt: Date | null;

  @Column('timestamptz')
  readonly createdAt: Date;
}
