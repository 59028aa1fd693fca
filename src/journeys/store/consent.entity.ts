import { Check, Column, Entity, Index } from 'typeorm';
import {
  type Language,
  NowColumn,
  NullableTextColumn,
  TextColumn,
  TextKeyColumn,
} from '../../platform/index.js';
import { JourneyColumn } from './journey.entity.js';

/** A trigger copies each row to the consent log. */
@Entity('consents')
@Check('consents_language', `language IN ('en', 'hi')`)
@Index('consents_once', ['journeyId', 'textVersion'], { unique: true })
export class Consent {
  @TextKeyColumn
  readonly id: string;

  @TextColumn
  readonly partnerId: string;

  @JourneyColumn
  readonly journeyId: string;

  @TextColumn
  readonly textVersion: string;

  @TextColumn
  readonly language: Language;

  @TextColumn
  readonly shownText: string;

  /** SHA-256 (hex) of `shownText`. */
  @TextColumn
  readonly textHash: string;

  /** Null once erased. */
  @NullableTextColumn
  readonly clientAddressSealed: string | null;

  @Column('text', { array: true })
  readonly lenderCodes: readonly string[];

  @NullableTextColumn
  readonly sessionId: string | null;

  @NowColumn
  readonly givenAt: Date;
}
