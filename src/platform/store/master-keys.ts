import type { DataSource } from 'typeorm';
import { MasterKeyRow } from './master-key.entity.js';

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
