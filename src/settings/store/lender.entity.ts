import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { LenderTerms } from '../lender-terms.js';
import type { LenderKind, RemoteLender } from '../remote-lender.js';

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

  /** What it is in law; null where the configuration does not say. */
  @Column('text', { nullable: true })
  readonly kind: LenderKind | null;

  /** How it is reached when it is outside the process; null for one that is not. */
  @Column('jsonb', { nullable: true })
  readonly remote: RemoteLender | null;

  /** The private key (PEM) of the TLS client certificate, sealed; null without one. */
  @Column('text', { name: 'client_key_sealed', nullable: true })
  readonly clientKeySealed: string | null;

  /** The account into which the fees of its instant loans go, sealed; null: the operator's. */
  @Column('text', { name: 'payment_sealed', nullable: true })
  readonly paymentSealed: string | null;
}
