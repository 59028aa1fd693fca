import { type DataSource, Check, Column, Entity, PrimaryColumn } from 'typeorm';
import { rowsIfThere } from '../database/data-source.js';
import type { Mode } from '../config/environment.js';

/** The mode in which the database was first opened. */
@Entity('deployment')
@Check('deployment_one_row', 'one')
@Check('deployment_mode', `mode IN ('sandbox', 'production')`)
export class DeploymentRow {
  @PrimaryColumn({
    type: 'boolean',
    default: true,
    primaryKeyConstraintName: 'deployment_pkey',
  })
  one: boolean;

  @Column({ type: 'text' })
  mode: Mode;

  @Column({ name: 'created_at', type: 'timestamptz', default: () => 'app_now()' })
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
