import { Column, Entity, Index } from 'typeorm';
import {
  IdentityColumn,
  JsonColumn,
  NowColumn,
  NullableTextColumn,
  NullableTimeColumn,
  TextColumn,
} from '../../platform/index.js';
import type { FlagKind } from '../flag-catalogue.js';

@Entity('operator_flags')
@Index('operator_flags_of_subject', ['subjectId'])
@Index('operator_flags_open', ['createdAt'], { where: '(resolved_at IS NULL)' })
@Index('operator_flags_one_open', ['subjectId', 'kind', 'cause'], {
  unique: true,
  where: '(resolved_at IS NULL)',
})
export class OperatorFlag {
  @IdentityColumn
  readonly id: number;

  @TextColumn
  readonly partnerId: string;

  @TextColumn
  readonly subjectId: string;

  @TextColumn
  readonly kind: FlagKind;

  /** Separates flags of one kind and subject; may be empty. */
  @TextColumn
  readonly cause: string;

  @Column('integer', { default: 1 })
  readonly count: number;

  /** Facts of the last occurrence and, as `first`, of the first; no personal data. */
  @JsonColumn
  readonly detail: object;

  @NowColumn
  readonly createdAt: Date;

  @NowColumn
  readonly lastSeenAt: Date;

  @NullableTimeColumn
  readonly resolvedAt: Date | null;

  /** By the operator; null when the service closed the flag. */
  @NullableTextColumn
  readonly note: string | null;

  @NullableTextColumn
  readonly resolvedBy: string | null;
}
