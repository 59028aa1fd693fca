import { applyDecorators } from '@nestjs/common';
import { Check, Column, Entity, ForeignKey, Index } from 'typeorm';
import {
  IntegerColumn,
  NowColumn,
  NullableTextColumn,
  TextColumn,
  TextKeyColumn,
} from '../../platform/index.js';

export type Origin = 'FILE' | 'COMMAND';

export const PartnerColumn = applyDecorators(
  TextColumn,
  ForeignKey(() => Partner),
);

@Entity('partners')
@Check('partners_status', `status IN ('ACTIVE', 'SUSPENDED')`)
@Check('partners_status_origin', `status_origin IN ('FILE', 'COMMAND')`)
export class Partner {
  @TextKeyColumn
  readonly id: string;

  @TextColumn
  readonly name: string;

  @Column('text', { default: 'ACTIVE' })
  readonly status: 'ACTIVE' | 'SUSPENDED';

  /** Only a command lifts a suspension by command. */
  @Column('text', { default: 'FILE' })
  readonly statusOrigin: Origin;

  /** The last hosted screen sends the applicant there. */
  @NullableTextColumn
  readonly returnUrl: string | null;

  /** Origins of the `returnUrl` of a single loan. */
  @Column('text', { array: true, default: '{}' })
  readonly returnOrigins: readonly string[];

  @Column('text', { array: true, default: '{}' })
  readonly alertEmails: readonly string[];

  @NowColumn
  readonly createdAt: Date;
}

@Entity('partner_logos')
@Index('partner_logos_by_version', ['version'])
@Check('partner_logos_bytes', 'octet_length(bytes) <= 16384')
export class PartnerLogo {
  @ForeignKey(() => Partner)
  @TextKeyColumn
  readonly partnerId: string;

  /** SHA-256 (hex), part of the image's address: browsers may cache it forever. */
  @TextColumn
  readonly version: string;

  /** Width and height in pixels. */
  @IntegerColumn
  readonly width: number;

  @IntegerColumn
  readonly height: number;

  @Column('bytea')
  readonly bytes: Buffer;
}
