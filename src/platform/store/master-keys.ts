import { type DataSource, Column, Entity, PrimaryColumn } from 'typeorm';

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

/** The master keys that the database has met; before any module runs, so on the data source itself. */
export async function readMasterKeys(dataSource: DataSource): Promise<MasterKeyRow[]> {
  return dataSource.getRepository(MasterKeyRow).find();
}

/** Keeps the check value that was there first, and since when a key seals. */
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
