import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

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
