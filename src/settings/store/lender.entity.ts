import { Check, Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { NullableColumn } from '../../platform/index.js';
import type { LenderTerms } from '../lender-terms.js';
import type { LenderKind, RemoteLender } from '../remote-lender.js';

@Entity('lenders')
export class Lender {
  @PrimaryColumn('text')
  readonly code: string;

  @Column('integer')
  readonly position: number;

  /** The legal name, on the Key Facts Statement. */
  @Column('text')
  readonly name: string;

  /** The adapter's name. */
  @Column('text')
  readonly adapter: string;

  @Column('boolean')
  readonly isEnabled: boolean;

  @Column('jsonb')
  readonly terms: LenderTerms;

  /** Null: unknown. */
  @NullableColumn('text')
  readonly kind: LenderKind | null;

  /** Null for a lender inside the process. */
  @NullableColumn('jsonb')
  readonly remote: RemoteLender | null;

  /** Of the TLS client certificate (PEM), sealed. */
  @NullableColumn('text')
  readonly clientKeySealed: string | null;

  /** For fees of its instant loans, sealed; null: the operator's. */
  @NullableColumn('text')
  readonly paymentSealed: string | null;
}

@Entity('lender_logos')
@Check('lender_logos_bytes', 'octet_length(bytes) <= 65536')
export class LenderLogo {
  @ForeignKey(() => Lender, { name: 'lender_logos_lender' })
  @PrimaryColumn('text')
  readonly lenderCode: string;

  /** SHA-256 (hex) of the bytes. */
  @Column('text')
  readonly version: string;

  @Column('bytea')
  readonly bytes: Buffer;
}
