import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { type Origin, Partner } from './partner.entity.js';

/** An API key; the key itself is kept as a hash, its secret sealed. */
@Entity('api_keys')
@Index('api_keys_by_hash', ['keyHash'], { unique: true })
@Index('api_keys_by_name', ['partnerId', 'name'], { unique: true, where: `status <> 'REVOKED'` })
@Check('api_keys_origin', `origin IN ('FILE', 'COMMAND')`)
@Check('api_keys_mode', `mode IN ('test', 'live')`)
@Check('api_keys_status', `status IN ('ACTIVE', 'SUSPENDED', 'REVOKED')`)
@Check('api_keys_status_origin', `status_origin IN ('FILE', 'COMMAND')`)
@Check('api_keys_limits', 'minute_limit > 0 AND day_limit > 0')
export class ApiKey {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'api_keys_pkey' })
  id: string;

  @ForeignKey(() => Partner, { name: 'api_keys_partner' })
  @Column('text', { name: 'partner_id' })
  partnerId: string;

  @Column('text')
  name: string;

  /** The file touches the keys that it made, and no others. */
  @Column('text')
  origin: Origin;

  @Column('text')
  mode: 'test' | 'live';

  /** SHA-256 (hex) of the whole key. */
  @Column('text', { name: 'key_hash' })
  keyHash: string;

  /** As much of the key as may be shown. */
  @Column('text')
  hint: string;

  /** Sealed by the keyring for the purpose `api_keys.secret`. */
  @Column('text', { name: 'secret_sealed' })
  secretSealed: string;

  @Column('text', { array: true })
  scopes: string[];

  /** Catalogue codes. */
  @Column('text', { array: true })
  products: string[];

  @Column('integer', { name: 'minute_limit' })
  minuteLimit: number;

  @Column('integer', { name: 'day_limit' })
  dayLimit: number;

  @Column('text', { name: 'default_channel', default: 'API_HEADLESS' })
  defaultChannel: 'API_HOSTED' | 'API_HEADLESS';

  @Column('text', { name: 'default_product', default: 'ONLINE_PERSONAL' })
  defaultProduct: string;

  @Column('text', { default: 'ACTIVE' })
  status: 'ACTIVE' | 'SUSPENDED' | 'REVOKED';

  @Column('text', { name: 'status_origin', default: 'FILE' })
  statusOrigin: Origin;

  /** Moves with every change of the key or of its partner; admission compares it. */
  @Column('integer', { default: 1 })
  version: number;

  @Column('timestamptz', { name: 'created_at', default: () => 'app_now()' })
  createdAt: Date;

  @Column('timestamptz', { name: 'updated_at', default: () => 'app_now()' })
  updatedAt: Date;
}
