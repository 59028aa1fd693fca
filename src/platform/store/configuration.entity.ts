import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import type { Brand } from '../config/brand.js';
import type { OperatingSettings } from '../config/operating-settings.js';

@Entity('configuration')
@Check('configuration_one_row', 'one')
export class ConfigurationRow {
  @PrimaryColumn({
    type: 'boolean',
    default: true,
    primaryKeyConstraintName: 'configuration_pkey',
  })
  one: boolean;

  @Column({ type: 'bigint', default: 0 })
  revision: number;

  @Column({ name: 'file_version', type: 'integer', default: 0 })
  fileVersion: number;

  @Column({ type: 'jsonb' })
  brand: Brand;

  @Column({ type: 'jsonb' })
  settings: OperatingSettings;

  @Column({ name: 'applied_at', type: 'timestamptz', default: () => 'app_now()' })
  appliedAt: Date;

  @Column({ name: 'gateways_sealed', type: 'text', nullable: true })
  gatewaysSealed: string | null;
}
