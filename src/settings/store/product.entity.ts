import { Check, Column, Entity } from 'typeorm';
import type { OwnTexts } from '../own-texts.js';
import type { Paise } from '../../loans/index.js';
import {
  IntegerColumn,
  JsonColumn,
  PaiseColumn,
  TextColumn,
  TextKeyColumn,
} from '../../platform/index.js';
import type { JourneyStep } from '../../journey-steps/index.js';

@Entity('products')
@Check('products_channel', `channel IN ('ONLINE', 'OFFLINE')`)
@Check(
  'products_amounts',
  `0 < minimum_amount AND minimum_amount <= default_amount
    AND default_amount <= maximum_amount`,
)
export class Product {
  @TextKeyColumn
  readonly code: string;

  @IntegerColumn
  readonly position: number;

  @TextColumn
  readonly displayName: string;

  @JsonColumn
  readonly texts: OwnTexts;

  @TextColumn
  readonly category: string;

  @TextColumn
  readonly channel: 'ONLINE' | 'OFFLINE';

  @TextColumn
  readonly provider: string;

  @TextColumn
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
