import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import type { OwnTexts } from '../own-texts.js';
import type { Paise } from '../../loans/index.js';
import { paise } from '../../platform/index.js';
import type { JourneyStep } from '../../journey-steps/index.js';

/** What a partner may offer to an applicant, as the configuration has set it. */
@Entity('products')
@Check('products_channel', `channel IN ('ONLINE', 'OFFLINE')`)
@Check(
  'products_amounts',
  `0 < minimum_amount AND minimum_amount <= default_amount
    AND default_amount <= maximum_amount`,
)
export class Product {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'products_pkey' })
  readonly code: string;

  /** Its place in the list. */
  @Column('integer')
  readonly position: number;

  @Column('text', { name: 'display_name' })
  readonly displayName: string;

  /** The name in other languages than English. */
  @Column('jsonb')
  readonly texts: OwnTexts;

  @Column('text')
  readonly category: string;

  @Column('text')
  readonly channel: 'ONLINE' | 'OFFLINE';

  @Column('text')
  readonly provider: string;

  @Column('text')
  readonly icon: string;

  @Column('boolean', { name: 'is_enabled' })
  readonly isEnabled: boolean;

  /** Empty for a product that has no journey. */
  @Column('text', { array: true })
  readonly steps: readonly JourneyStep[];

  @Column('bigint', { name: 'minimum_amount', transformer: paise })
  readonly minimumAmount: Paise;

  @Column('bigint', { name: 'maximum_amount', transformer: paise })
  readonly maximumAmount: Paise;

  /** What is taken when the caller names no amount. */
  @Column('bigint', { name: 'default_amount', transformer: paise })
  readonly defaultAmount: Paise;
}
