import { Check, Entity, ForeignKey, Index } from 'typeorm';
import {
  NullableTextColumn,
  NullableTimeColumn,
  TextColumn,
  TextKeyColumn,
  TimeColumn,
} from '../../platform/index.js';
import { ApiKey } from '../../auth/store/api-key.entity.js';

/** A single-use link, and the session that it opened. */
@Entity('workbench_sessions')
@Index('workbench_sessions_by_token', ['tokenHash'], { unique: true })
@Index('workbench_sessions_by_age', ['createdAt'])
@Check('workbench_sessions_opened', 'num_nonnulls(token_hash, opened_at, expires_at) IN (0, 3)')
export class WorkbenchSession {
  /** SHA-256 (hex) of the link's token. */
  @TextKeyColumn
  readonly linkHash: string;

  @TextColumn
  readonly partnerId: string;

  /** Signed the call for the link. */
  @ForeignKey(() => ApiKey)
  @TextColumn
  readonly keyId: string;

  @TimeColumn
  readonly linkExpiresAt: Date;

  /** SHA-256 (hex) of the cookie's token; null until the link is used. */
  @NullableTextColumn
  readonly tokenHash: string | null;

  @NullableTimeColumn
  readonly openedAt: Date | null;

  @NullableTimeColumn
  readonly expiresAt: Date | null;

  @NullableTimeColumn
  readonly endedAt: Date | null;

  @TimeColumn
  readonly createdAt: Date;
}
