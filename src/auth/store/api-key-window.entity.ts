import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { ApiKey } from './api-key.entity.js';

/** Both rate windows of a key; only `admit_requests` writes it. */
@Entity('api_key_windows')
export class ApiKeyWindow {
  @ForeignKey(() => ApiKey, { name: 'api_key_windows_key', onDelete: 'CASCADE' })
  @PrimaryColumn('text', {
    name: 'key_id',
    primaryKeyConstraintName: 'api_key_windows_pkey',
  })
  readonly keyId: string;

  /** Unix time of the newest bucket. */
  @Column('bigint', { default: 0 })
  readonly second: number;

  /** Requests in each of the last 61 seconds, at `second % 61`. */
  @Column('integer', { array: true, default: () => 'array_fill(0, ARRAY[61])' })
  readonly buckets: number[];

  @Column('integer', { name: 'minute_used', default: 0 })
  readonly minuteUsed: number;

  /** In India. */
  @Column('date', { default: '1970-01-01' })
  readonly day: string;

  @Column('integer', { name: 'day_used', default: 0 })
  readonly dayUsed: number;
}
