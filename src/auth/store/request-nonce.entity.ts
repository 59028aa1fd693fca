import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

const PRIMARY_KEY = 'request_nonces_pkey';

@Entity('request_nonces')
// TypeORM cannot declare BRIN; the migration creates this index.
@Index('request_nonces_by_time', { synchronize: false })
export class RequestNonce {
  @PrimaryColumn('text', { name: 'key_id', primaryKeyConstraintName: PRIMARY_KEY })
  readonly keyId: string;

  @PrimaryColumn('uuid', { primaryKeyConstraintName: PRIMARY_KEY })
  readonly nonce: string;

  @Column('timestamptz', { name: 'seen_at' })
  readonly seenAt: Date;
}
