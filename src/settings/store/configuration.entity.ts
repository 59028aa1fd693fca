import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import type { Brand, OperatingSettings } from '../operating-settings.js';

/** One row; products, lenders and partners have tables. */
@Entity('configuration')
@Check('configuration_one_row', 'one')
export class Configuration {
  @PrimaryColumn({
    type: 'boolean',
    default: true,
    primaryKeyConstraintName: 'configuration_pkey',
  })
  readonly one: boolean;

  /** Increases with every change; caches then read again. */
  @Column({ type: 'bigint', default: 0 })
  readonly revision: number;

  @Column({ name: 'file_version', type: 'integer', default: 0 })
  readonly fileVersion: number;

  @Column({ type: 'jsonb' })
  readonly brand: Brand;

  @Column({ type: 'jsonb' })
  readonly settings: OperatingSettings;

  @Column({ name: 'applied_at', type: 'timestamptz', default: () => 'app_now()' })
  readonly appliedAt: Date;

  /** Contains secrets. */
  @Column({ name: 'gateways_sealed', type: 'text', nullable: true })
  readonly gatewaysSealed: string | null;
}
