import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { type Language, NowColumn, NullableColumn } from '../../platform/index.js';
import { Journey } from './journey.entity.js';

/** A trigger copies each row to the consent log. */
@Entity('consents')
@Check('consents_language', `language IN ('en', 'hi')`)
@Index('consents_once', ['journeyId', 'textVersion'], { unique: true })
export class Consent {
  @PrimaryColumn('text')
  readonly id: string;

  @Column('text')
  readonly partnerId: string;

  @Column('text')
  @ForeignKey(() => Journey)
  readonly journeyId: string;

  @Column('text')
  readonly textVersion: string;

  @Column('text')
  readonly language: Language;

  @Column('text')
  readonly shownText: string;

  /** SHA-256 (hex) of `shownText`. */
  @Column('text')
  readonly textHash: string;

  /** Null once erased. */
  @NullableColumn('text')
  readonly clientAddressSealed: string | null;

  @Column('text', { array: true })
  readonly lenderCodes: readonly string[];

  @NullableColumn('text')
  readonly sessionId: string | null;

  @NowColumn
  readonly givenAt: Date;
}
