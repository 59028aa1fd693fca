import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { PublicJwk } from '../signing/protocol-keys.js';

/** A key with which the service signs what it says to lenders. */
@Entity('lender_api_keys')
export class LenderApiKey {
  /** Its name on the wire. */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'lender_api_keys_pkey' })
  readonly kid: string;

  /** PKCS #8 as PEM, sealed for the purpose `lender_api_keys.private`. */
  @Column('text', { name: 'private_sealed' })
  readonly privateSealed: string;

  /** What it is checked with, which must be told also when the private key can no longer be opened. */
  @Column('jsonb', { name: 'public_jwk' })
  readonly publicJwk: PublicJwk;

  @Column('timestamptz', { name: 'created_at', default: () => 'app_now()' })
  readonly createdAt: Date;

  /** From when on nothing new is signed with it. */
  @Column('timestamptz', { name: 'retired_at', nullable: true })
  readonly retiredAt: Date | null;
}
