import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Partner } from './partner.entity.js';

/** The PNG beside a partner's name. */
@Entity('partner_logos')
@Index('partner_logos_by_version', ['version'])
@Check('partner_logos_bytes', 'octet_length(bytes) <= 16384')
export class PartnerLogo {
  @ForeignKey(() => Partner, { name: 'partner_logos_partner' })
  @PrimaryColumn('text', { name: 'partner_id', primaryKeyConstraintName: 'partner_logos_pkey' })
  readonly partnerId: string;

  /** SHA-256 (hex) of the bytes, part of the picture's address: it can be cached forever. */
  @Column('text')
  readonly version: string;

  /** Pixels, both. */
  @Column('integer')
  readonly width: number;

  @Column('integer')
  readonly height: number;

  @Column('bytea')
  readonly bytes: Buffer;
}
