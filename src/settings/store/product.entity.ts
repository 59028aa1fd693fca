import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import type { OwnTexts } from '../own-texts.js';
import type { Paise } from '../../loans/index.js';
import { PaiseColumn } from '../../platform/index.js';
import type { JourneyStep } from '../../journey-steps/index.js';

@Entity('products')
@Check('products_channel', `channel IN ('ONLINE', 'OFFLINE')`)
@Check(
  'products_amounts',
  `0 < minimum_amount AND minimum_amount <= default_amount
    AND default_amount <= maximum_amount`,
)
export class Product {
  @PrimaryColumn('text')
  readonly code: string;

  @Column('integer')
  readonly position: number;

  @Column('text')
  readonly displayName: string;

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

  @Column('boolean')
  readonly isEnabled: boolean;

  /** Empty for a product without journeys. */
  @Column('text', { array: true })
  readonly steps: readonly JourneyStep[];

  @PaiseColumn()
  readonly minimumAmount: Paise;

  @PaiseColumn()
  readonly maximumAmount: Paise;

  /** When the caller gives no amount. */
  @PaiseColumn()
  readonly defaultAmount: Paise;
}
