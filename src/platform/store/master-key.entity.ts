import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A master key that this database has met, by its name; never the key itself. */
@Entity('master_keys')
export class MasterKeyRow {
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'master_keys_pkey' })
  name: string;

  /** Opens under this key alone, so that a wrong one of the same name is told. */
  @Column({ name: 'check_sealed', type: 'text' })
  checkSealed: string;

  /** Since when values may be sealed with it; null while it only opens. */
  @Column({ name: 'sealing_since', type: 'timestamptz', nullable: true })
  sealingSince: Date | null;

  @Column({ name: 'created_at', type: 'timestamptz', default: () => 'app_now()' })
  createdAt: Date;
}
