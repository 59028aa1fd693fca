import { Column, Entity, PrimaryColumn } from 'typeorm';

const PRIMARY_KEY = { primaryKeyConstraintName: 'schema_functions_pkey' };

/** A text of a database function that was installed once: the current one, or one before it. */
@Entity('schema_functions')
export class InstalledFunction {
  @PrimaryColumn({ type: 'text', ...PRIMARY_KEY })
  readonly name: string;

  /** SHA-256 (hex) of the text. */
  @PrimaryColumn({ type: 'text', ...PRIMARY_KEY })
  readonly checksum: string;

  @Column({ name: 'installed_at', type: 'timestamptz', default: () => 'app_now()' })
  readonly installedAt: Date;
}
