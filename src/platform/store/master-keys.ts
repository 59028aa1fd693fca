import { type DataSource, Column, Entity, PrimaryColumn } from 'typeorm';

/** Identifies a master key without containing it. */
@Entity('master_keys')
export class MasterKeyRow {
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'master_keys_pkey' })
  name: string;

  /** Opens only under this key, which reveals another key of the same name. */
  @Column({ name: 'check_sealed', type: 'text' })
  checkSealed: string;

  /** Null while the key only opens. */
  @Column({ name: 'sealing_since', type: 'timestamptz', nullable: true })
  sealingSince: Date | null;

  @Column({ name: 'created_at', type: 'timestamptz', default: () => 'app_now()' })
  createdAt: Date;
}

/** Called before any module exists. */
export async function readMasterKeys(dataSource: DataSource): Promise<MasterKeyRow[]> {
  return dataSource.getRepository(MasterKeyRow).find();
}

/** Keeps the first check value and date of sealing. */
export async function keepMasterKey(
  dataSource: DataSource,
  { name, checkSealed }: Pick<MasterKeyRow, 'name' | 'checkSealed'>,
  isSealing: boolean,
): Promise<void> {
  await dataSource.query(
    `INSERT INTO master_keys (name, check_sealed, sealing_since)
     VALUES ($1, $2, CASE WHEN $3 THEN app_now() END)
     ON CONFLICT (name) DO UPDATE
       SET sealing_since = coalesce(master_keys.sealing_since, excluded.sealing_since)`,
    [name, checkSealed, isSealing],
  );
}
