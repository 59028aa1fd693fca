import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import { CountColumn, JsonColumn, NowColumn, NullableTextColumn } from '../../platform/index.js';
import type { Brand, OperatingSettings } from '../operating-settings.js';

/** One row; products, lenders and partners have tables. */
@Entity('configuration')
@Check('configuration_one_row', 'one')
export class Configuration {
  @PrimaryColumn('boolean', { default: true })
  readonly one: boolean;

  /** Increases with every change; caches then read again. */
  @Column('bigint', { default: 0 })
  readonly revision: number;

  @CountColumn
  readonly fileVersion: number;

  @JsonColumn
  readonly brand: Brand;

  @JsonColumn
  readonly settings: OperatingSettings;

  @NowColumn
  readonly appliedAt: Date;

  /** Contains secrets. */
  @NullableTextColumn
  readonly gatewaysSealed: string | null;
}
