import { Check, Column, Entity, Index, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';
import type { PublicJwk } from '../protocol-keys.js';

@Entity('lender_api_keys')
export class LenderApiKey {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'lender_api_keys_pkey' })
  readonly kid: string;

  /** PKCS #8 as PEM, sealed. */
  @Column('text', { name: 'private_sealed' })
  readonly privateSealed: string;

  /** Needed even when the private key can no longer be opened. */
  @Column('jsonb', { name: 'public_jwk' })
  readonly publicJwk: PublicJwk;

  @Column('timestamptz', { name: 'created_at', default: () => 'app_now()' })
  readonly createdAt: Date;

  @Column('timestamptz', { name: 'retired_at', nullable: true })
  readonly retiredAt: Date | null;
}

@Entity('lender_messages')
@Check('lender_messages_kind', `kind IN ('ANSWER', 'OFFER_REVISION', 'LOAN_EVENT', 'STATEMENT')`)
@Index('lender_messages_once', ['lenderCode', 'kind', 'messageId'], { unique: true })
@Index('lender_messages_of_subject', ['subjectId'], { where: '(subject_id IS NOT NULL)' })
export class LenderMessage {
  @PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    generatedIdentity: 'ALWAYS',
    primaryKeyConstraintName: 'lender_messages_pkey',
  })
  readonly id: number;

  @Column({ name: 'lender_code', type: 'text' })
  readonly lenderCode: string;

  @Column({ type: 'text' })
  readonly kind: 'ANSWER' | 'OFFER_REVISION' | 'LOAN_EVENT' | 'STATEMENT';

  @Column({ name: 'message_id', type: 'text' })
  readonly messageId: string;

  /** Null for a statement. */
  @Column({ name: 'partner_id', type: 'text', nullable: true })
  readonly partnerId: string | null;

  /** Null for a statement. */
  @Column({ name: 'subject_id', type: 'text', nullable: true })
  readonly subjectId: string | null;

  /** A keyed hash, to detect another message with the same id. */
  @Column({ name: 'body_hash', type: 'text' })
  readonly bodyHash: string;

  @Column({ name: 'body_sealed', type: 'text', nullable: true })
  readonly bodySealed: string | null;

  @Column({ name: 'received_at', type: 'timestamptz', default: () => 'app_now()' })
  readonly receivedAt: Date;
}

/** The `jti` of a lender's request, valid once. */
@Entity('lender_request_ids')
@Index('lender_request_ids_old', ['usedAt'])
export class LenderRequestId {
  @PrimaryColumn({
    name: 'lender_code',
    type: 'text',
    primaryKeyConstraintName: 'lender_request_ids_pkey',
  })
  readonly lenderCode: string;

  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'lender_request_ids_pkey' })
  readonly jti: string;

  @Column({ name: 'used_at', type: 'timestamptz', default: () => 'now()' })
  readonly usedAt: Date;
}
