import { Check, Column, Entity, ForeignKey } from 'typeorm';
import {
  IntegerColumn,
  JsonColumn,
  NullableColumn,
  NullableTextColumn,
  TextColumn,
  TextKeyColumn,
} from '../../platform/index.js';
import type { LenderTerms } from '../lender-terms.js';
import type { LenderKind, RemoteLender } from '../remote-lender.js';

@Entity('lenders')
export class Lender {
  @TextKeyColumn
  readonly code: string;

  @IntegerColumn
  readonly position: number;

  /** The legal name, on the Key Facts Statement. */
  @TextColumn
  readonly name: string;

  /** The adapter's name. */
  @TextColumn
  readonly adapter: string;

  @Column('boolean')
  readonly isEnabled: boolean;

  @JsonColumn
  readonly terms: LenderTerms;

  /** Null: unknown. */
  @NullableTextColumn
  readonly kind: LenderKind | null;

  /** Null for a lender inside the process. */
  @NullableColumn('jsonb')
  readonly remote: RemoteLender | null;

  /** Of the TLS client certificate (PEM), sealed. */
  @NullableTextColumn
  readonly clientKeySealed: string | null;

  /** For fees of its instant loans, sealed; null: the operator's. */
  @NullableTextColumn
  readonly paymentSealed: string | null;
}

@Entity('lender_logos')
@Check('lender_logos_bytes', 'octet_length(bytes) <= 65536')
export class LenderLogo {
  @ForeignKey(() => Lender, { name: 'lender_logos_lender' })
  @TextKeyColumn
  readonly lenderCode: string;

  /** SHA-256 (hex) of the bytes. */
  @TextColumn
  readonly version: string;

  @Column('bytea')
  readonly bytes: Buffer;
}
