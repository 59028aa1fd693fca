import { Check, Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Lender } from './lender.entity.js';

@Entity('lender_logos')
@Check('lender_logos_bytes', 'octet_length(bytes) <= 65536')
export class LenderLogo {
  @ForeignKey(() => Lender, { name: 'lender_logos_lender' })
  @PrimaryColumn('text', { name: 'lender_code', primaryKeyConstraintName: 'lender_logos_pkey' })
  readonly lenderCode: string;

  /** SHA-256 (hex) of the bytes. */
  @Column('text')
  readonly version: string;

  @Column('bytea')
  readonly bytes: Buffer;
}
