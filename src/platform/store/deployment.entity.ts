import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import type { Mode } from '../config/environment.js';

/** In which mode the database was first opened; it stays so. */
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
