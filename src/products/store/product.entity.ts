import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import type { JourneyStep } from '../product.js';

/** A product as the configuration has set it; read through `ProductCatalogue`. */
@Entity('products')
@Check('products_channel', `channel IN ('ONLINE', 'OFFLINE')`)
@Check(
  'products_amounts',
  `0 < minimum_amount AND minimum_amount <= default_amount
    AND default_amount <= maximum_amount`,
)
export class ProductRow {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'products_pkey' })
  code: string;

  /** Its place in the list. */
  @Column('integer')
  position: number;

  @Column('text', { name: 'display_name' })
  displayName: string;

  @Column('text')
  category: string;

  @Column('text')
  channel: 'ONLINE' | 'OFFLINE';

  @Column('text')
  provider: string;

  @Column('text')
  icon: string;

  @Column('boolean', { name: 'is_enabled' })
  isEnabled: boolean;

  @Column('text', { array: true })
  steps: JourneyStep[];

  /** Paise, as the other two. */
  @Column('bigint', { name: 'minimum_amount' })
  minimumAmount: number;

  @Column('bigint', { name: 'maximum_amount' })
  maximumAmount: number;

  @Column('bigint', { name: 'default_amount' })
  defaultAmount: number;
}
