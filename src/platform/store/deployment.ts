import type { DataSource } from 'typeorm';
import type { Mode } from '../config/environment.js';
import type { DeploymentRow } from './deployment.entity.js';

/** In which mode the database was first opened; null before its first migration. */
export async function readDeploymentMode(dataSource: DataSource): Promise<Mode | null> {
  const [table] = await dataSource.query<{ name: string | null }[]>(
    `SELECT to_regclass('deployment') AS name`,
  );
  if (!table?.name) return null;
  const [row] = await dataSource.query<Pick<DeploymentRow, 'mode'>[]>(
    'SELECT mode FROM deployment',
  );
  return row?.mode ?? null;
}

/** The first mode stays. */
export async function keepDeploymentMode(dataSource: DataSource, mode: Mode): Promise<void> {
  await dataSource.query('INSERT INTO deployment (mode) VALUES ($1) ON CONFLICT DO NOTHING', [
    mode,
  ]);
}
