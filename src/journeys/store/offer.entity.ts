import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { Paise } from '../../loans/index.js';
import { NowColumn, PaiseColumn } from '../../platform/index.js';
import type { LoanFigures } from '../domain/journey.js';
import type { OfferTerms } from '../../lenders/index.js';
import { Journey } from './journey.entity.js';

@Entity('journey_offers')
@Index('journey_offers_once', ['journeyId', 'round', 'lenderCode', 'lenderReference'], {
  unique: true,
})
export class Offer {
  @PrimaryColumn('text')
  readonly id: string;

  @Column('text')
  readonly partnerId: string;

  @Column('text')
  @ForeignKey(() => Journey)
  readonly journeyId: string;

  @Column('integer')
  readonly round: number;

  @Column('text')
  readonly lenderCode: string;

  @Column('text')
  readonly lenderReference: string;

  @Column('text')
  readonly sellerName: string;

  @PaiseColumn()
  readonly principal: Paise;

  @PaiseColumn()
  readonly minimumAmount: Paise;

  @Column('jsonb')
  readonly figures: LoanFigures;

  @Column('jsonb')
  readonly terms: OfferTerms;

  @Column('timestamptz')
  readonly validUntil: Date;

  @NowColumn
  readonly createdAt: Date;
}
