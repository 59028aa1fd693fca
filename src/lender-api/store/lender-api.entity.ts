import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { IdentityColumn, NowColumn, NullableColumn } from '../../platform/index.js';
import type { PublicJwk } from '../protocol-keys.js';

@Entity('lender_api_keys')
export class LenderApiKey {
  @PrimaryColumn('text')
  readonly kid: string;

  /** PKCS #8 as PEM, sealed. */
  @Column('text')
  readonly privateSealed: string;

  /** Needed even when the private key can no longer be opened. */
  @Column('jsonb')
  readonly publicJwk: PublicJwk;

  @NowColumn
  readonly createdAt: Date;

  @NullableColumn('timestamptz')
  readonly retiredAt: Date | null;
}

@Entity('lender_messages')
@Check('lender_messages_kind', `kind IN ('ANSWER', 'OFFER_REVISION', 'LOAN_EVENT', 'STATEMENT')`)
@Index('lender_messages_once', ['lenderCode', 'kind', 'messageId'], { unique: true })
@Index('lender_messages_of_subject', ['subjectId'], { where: '(subject_id IS NOT NULL)' })
export class LenderMessage {
  @IdentityColumn
  readonly id: number;

  @Column('text')
  readonly lenderCode: string;

  @Column('text')
  readonly kind: 'ANSWER' | 'OFFER_REVISION' | 'LOAN_EVENT' | 'STATEMENT';

  @Column('text')
  readonly messageId: string;

  /** Null for a statement. */
  @NullableColumn('text')
  readonly partnerId: string | null;

  /** Null for a statement. */
  @NullableColumn('text')
  readonly subjectId: string | null;

  /** A keyed hash, to detect another message with the same id. */
  @Column('text')
  readonly bodyHash: string;

  @NullableColumn('text')
  readonly bodySealed: string | null;

  @NowColumn
  readonly receivedAt: Date;
}

/** The `jti` of a lender's request, valid once. */
@Entity('lender_request_ids')
@Index('lender_request_ids_old', ['usedAt'])
export class LenderRequestId {
  @PrimaryColumn('text')
  readonly lenderCode: string;

  @PrimaryColumn('text')
  readonly jti: string;

  @Column('timestamptz', { default: () => 'now()' })
  readonly usedAt: Date;
}
