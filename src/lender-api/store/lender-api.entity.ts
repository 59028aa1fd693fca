import { Check, Column, Entity, Index } from 'typeorm';
import {
  IdentityColumn,
  JsonColumn,
  NowColumn,
  NullableTextColumn,
  NullableTimeColumn,
  TextColumn,
  TextKeyColumn,
} from '../../platform/index.js';
import type { PublicJwk } from '../protocol-keys.js';

@Entity('lender_api_keys')
export class LenderApiKey {
  @TextKeyColumn
  readonly kid: string;

  /** PKCS #8 as PEM, sealed. */
  @TextColumn
  readonly privateSealed: string;

  /** Needed even when the private key can no longer be opened. */
  @JsonColumn
  readonly publicJwk: PublicJwk;

  @NowColumn
  readonly createdAt: Date;

  @NullableTimeColumn
  readonly retiredAt: Date | null;
}

@Entity('lender_messages')
@Check('lender_messages_kind', `kind IN ('ANSWER', 'OFFER_REVISION', 'LOAN_EVENT', 'STATEMENT')`)
@Index('lender_messages_once', ['lenderCode', 'kind', 'messageId'], { unique: true })
@Index('lender_messages_of_subject', ['subjectId'], { where: '(subject_id IS NOT NULL)' })
export class LenderMessage {
  @IdentityColumn
  readonly id: number;

  @TextColumn
  readonly lenderCode: string;

  @TextColumn
  readonly kind: 'ANSWER' | 'OFFER_REVISION' | 'LOAN_EVENT' | 'STATEMENT';

  @TextColumn
  readonly messageId: string;

  /** Null for a statement. */
  @NullableTextColumn
  readonly partnerId: string | null;

  /** Null for a statement. */
  @NullableTextColumn
  readonly subjectId: string | null;

  /** A keyed hash, to detect another message with the same id. */
  @TextColumn
  readonly bodyHash: string;

  @NullableTextColumn
  readonly bodySealed: string | null;

  @NowColumn
  readonly receivedAt: Date;
}

/** The `jti` of a lender's request, valid once. */
@Entity('lender_request_ids')
@Index('lender_request_ids_old', ['usedAt'])
export class LenderRequestId {
  @TextKeyColumn
  readonly lenderCode: string;

  @TextKeyColumn
  readonly jti: string;

  @Column('timestamptz', { default: () => 'now()' })
  readonly usedAt: Date;
}
