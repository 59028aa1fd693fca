import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { LenderTerms } from '../lender-terms.js';

/** A lender as the configuration has set it; read through `LenderBook`. */
@Entity('lenders')
export class LenderRow {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'lenders_pkey' })
  code: string;

  /** Its place in the configuration. */
  @Column('integer')
  position: number;

  /** The legal name. */
  @Column('text')
  name: string;

  /** Under which name the adapter that speaks to it is bound. */
  @Column('text')
  adapter: string;

  @Column('boolean', { name: 'is_enabled' })
  isEnabled: boolean;

  @Column('jsonb')
  terms: LenderTerms;
}
