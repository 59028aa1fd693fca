import { Column, Entity, PrimaryColumn } from 'typeorm';
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

  /** It signs nothing from then on. */
  @Column('timestamptz', { name: 'retired_at', nullable: true })
  readonly retiredAt: Date | null;
}
