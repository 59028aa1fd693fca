import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import {
  CountColumn,
  FlagColumn,
  IntegerColumn,
  NowColumn,
  TextColumn,
  TextKeyColumn,
  TimeColumn,
} from '../../platform/index.js';
import type { KeyMode } from '../key-format.js';
import type { Scope } from '../partner-key.js';
import { type Origin, PartnerColumn } from './partner.entity.js';

@Entity('api_keys')
@Index('api_keys_by_hash', ['keyHash'], { unique: true })
@Index('api_keys_by_name', ['partnerId', 'name'], { unique: true, where: `status <> 'REVOKED'` })
@Check('api_keys_origin', `origin IN ('FILE', 'COMMAND')`)
@Check('api_keys_mode', `mode IN ('test', 'live')`)
@Check('api_keys_status', `status IN ('ACTIVE', 'SUSPENDED', 'REVOKED')`)
@Check('api_keys_status_origin', `status_origin IN ('FILE', 'COMMAND')`)
@Check('api_keys_limits', 'minute_limit > 0 AND day_limit > 0')
export class ApiKey {
  @TextKeyColumn
  readonly id: string;

  @PartnerColumn
  readonly partnerId: string;

  @TextColumn
  readonly name: string;

  /** The configuration file changes only its own keys. */
  @TextColumn
  readonly origin: Origin;

  @TextColumn
  readonly mode: KeyMode;

  /** SHA-256 (hex) of the key. */
  @TextColumn
  readonly keyHash: string;

  @TextColumn
  readonly hint: string;

  @TextColumn
  readonly secretSealed: string;

  @Column('text', { array: true })
  readonly scopes: readonly Scope[];

  /** Product codes. */
  @Column('text', { array: true })
  readonly products: readonly string[];

  @IntegerColumn
  readonly minuteLimit: number;

  @IntegerColumn
  readonly dayLimit: number;

  @Column('text', { default: 'API_HEADLESS' })
  readonly defaultChannel: 'API_HOSTED' | 'API_HEADLESS';

  @Column('text', { default: 'ONLINE_PERSONAL' })
  readonly defaultProduct: string;

  /** A second loan with the same `clientReferenceId` is refused. */
  @FlagColumn
  readonly uniqueClientReferences: boolean;

  @Column('text', { default: 'ACTIVE' })
  readonly status: 'ACTIVE' | 'SUSPENDED' | 'REVOKED';

  @Column('text', { default: 'FILE' })
  readonly statusOrigin: Origin;

  /** Increases with every change of the key or its partner; admission compares it. */
  @Column('integer', { default: 1 })
  readonly version: number;

  @NowColumn
  readonly createdAt: Date;

  @NowColumn
  readonly updatedAt: Date;
}

/** Only `admit_requests` writes it. */
@Entity('api_key_windows')
export class ApiKeyWindow {
  @ForeignKey(() => ApiKey, { onDelete: 'CASCADE' })
  @TextKeyColumn
  readonly keyId: string;

  /** Unix time of the newest bucket. */
  @Column('bigint', { default: 0 })
  readonly second: number;

  /** Requests in each of the last 61 seconds, at `second % 61`. */
  @Column('integer', { array: true, default: () => 'array_fill(0, ARRAY[61])' })
  readonly buckets: number[];

  @CountColumn
  readonly minuteUsed: number;

  /** Date in India. */
  @Column('date', { default: '1970-01-01' })
  readonly day: string;

  @CountColumn
  readonly dayUsed: number;
}

@Entity('request_nonces')
// TypeORM cannot declare BRIN; the migration creates this index.
@Index('request_nonces_by_time', { synchronize: false })
export class RequestNonce {
  @TextKeyColumn
  readonly keyId: string;

  @PrimaryColumn('uuid')
  readonly nonce: string;

  @TimeColumn
  readonly seenAt: Date;
}
