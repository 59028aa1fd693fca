import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { LenderTerms } from '../lender-terms.js';

/** A lender and what it lends on, as the configuration has set it. */
@Entity('lenders')
export class Lender {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'lenders_pkey' })
  readonly code: string;

  /** Its place in the configuration. */
  @Column('integer')
  readonly position: number;

  /** The legal name, as the Key Facts Statement shows it. */
  @Column('text')
  readonly name: string;

  /** Under which name the adapter that speaks to it is bound. */
  @Column('text')
  readonly adapter: string;

  @Column('boolean', { name: 'is_enabled' })
  readonly isEnabled: boolean;

  @Column('jsonb')
  readonly terms: LenderTerms;
}
