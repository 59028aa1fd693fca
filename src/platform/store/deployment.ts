import { Check, type DataSource, Entity, PrimaryColumn } from 'typeorm';
import { NowColumn, NullableTimeColumn, TextColumn, TextKeyColumn } from '../database/columns.js';
import type { Mode } from '../config/environment.js';
import { rowsIfThere } from '../database/data-source.js';

/** The mode in which the database was first opened. */
@Entity('deployment')
@Check('deployment_one_row', 'one')
@Check('deployment_mode', `mode IN ('sandbox', 'production')`)
export class DeploymentRow {
  @PrimaryColumn('boolean', { default: true })
  one: boolean;

  @TextColumn
  mode: Mode;

  @NowColumn
  createdAt: Date;
}

/** Null before the first migration. */
export async function readDeploymentMode(dataSource: DataSource): Promise<Mode | null> {
  const [row] = await rowsIfThere<Pick<DeploymentRow, 'mode'>>(dataSource, 'deployment', 'mode');
  return row?.mode ?? null;
}

/** The first mode stays. */
export async function keepDeploymentMode(dataSource: DataSource, mode: Mode): Promise<void> {
  await dataSource.query('INSERT INTO deployment (mode) VALUES ($1) ON CONFLICT DO NOTHING', [
    mode,
  ]);
}

/** Identifies a master key without containing it. */
@Entity('master_keys')
export class MasterKeyRow {
  @TextKeyColumn
  name: string;

  /** Opens only under this key, which reveals another key of the same name. */
  @TextColumn
  checkSealed: string;

  /** Null while the key only opens. */
  @NullableTimeColumn
  sealingSince: Date | null;

  @NowColumn
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
