import { Entity, Index } from 'typeorm';
import type { Paise } from '../../loans/index.js';
import {
  IntegerColumn,
  JsonColumn,
  NowColumn,
  PaiseColumn,
  TextColumn,
  TextKeyColumn,
  TimeColumn,
} from '../../platform/index.js';
import type { LoanFigures } from '../domain/journey.js';
import type { OfferTerms } from '../../lenders/index.js';
import { JourneyColumn } from './journey.entity.js';

@Entity('journey_offers')
@Index('journey_offers_once', ['journeyId', 'round', 'lenderCode', 'lenderReference'], {
  unique: true,
})
export class Offer {
  @TextKeyColumn
  readonly id: string;

  @TextColumn
  readonly partnerId: string;

  @JourneyColumn
  readonly journeyId: string;

  @IntegerColumn
  readonly round: number;

  @TextColumn
  readonly lenderCode: string;

  @TextColumn
  readonly lenderReference: string;

  @TextColumn
  readonly sellerName: string;

  @PaiseColumn()
  readonly principal: Paise;

  @PaiseColumn()
  readonly minimumAmount: Paise;

  @JsonColumn
  readonly figures: LoanFigures;

  @JsonColumn
  readonly terms: OfferTerms;

  @TimeColumn
  readonly validUntil: Date;

  @NowColumn
  readonly createdAt: Date;
}
