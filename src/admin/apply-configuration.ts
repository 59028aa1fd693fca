import { Injectable, Logger } from '@nestjs/common';
import { Database, GatewayBook, type Tx } from '../platform/index.js';
import { writeLenders, writeProducts } from './catalogue-writer.js';
import type { Configuration } from './configuration/configuration.js';
import type { Deployment } from './configuration/deployment.js';
import { brandOf } from './configuration/brand-of.js';
import { gatewaysOf } from './configuration/gateways-of.js';
import { settingsNotes, settingsOf } from './configuration/settings-of.js';
import { ConfigurationError } from './configuration-error.js';
import { readConfigurationFile } from './configuration-file.js';
import { FileKeysWriter } from './file-keys-writer.js';
import { writePartners } from './partner-writer.js';

/** What became of a file. */
export interface ApplyResult {
  /** OLDER: a newer version is in force, and nothing was done. */
  readonly outcome: 'APPLIED' | 'UNCHANGED' | 'OLDER';
  readonly fileVersion: number;
  /** The version of the file that is in force now. */
  readonly versionInForce: number;
  /** What is right and worth a word all the same. */
  readonly notes: readonly string[];
}

// Any number that nothing else locks: two replicas that apply a file take turns.
const APPLY_LOCK = 4_702_118;

/** Puts a configuration file into force. */
@Injectable()
export class ConfigurationApplier {
  private readonly logger = new Logger('Configuration');

  constructor(
    private readonly database: Database,
    private readonly fileKeys: FileKeysWriter,
    private readonly gateways: GatewayBook,
  ) {}

  /**
   * Applies a file in one transaction: all of it or nothing. Applying it again changes nothing;
   * nothing that has history is removed; an older version of the file is left alone, and logged.
   * @param variables where `${env:NAME}` is looked up
   * @throws ConfigurationError naming every mistake of the file by its path
   */
  async apply(
    file: string,
    deployment: Deployment,
    variables: Record<string, string | undefined> = process.env,
  ): Promise<ApplyResult> {
    const configuration = readConfigurationFile(file, deployment, variables);
    const notes = settingsNotes(configuration.settings, deployment.mode);
    const result = await this.database.transaction(async (tx): Promise<ApplyResult> => {
      await tx.query('SELECT pg_advisory_xact_lock($1)', [APPLY_LOCK]);
      const versionInForce = await readVersionInForce(tx);
      const fileVersion = configuration.version;
      if (fileVersion < versionInForce) {
        return { outcome: 'OLDER', fileVersion, versionInForce, notes };
      }
      const hasChanged = await this.write(tx, file, configuration, deployment);
      const outcome = hasChanged ? 'APPLIED' : 'UNCHANGED';
      return { outcome, fileVersion, versionInForce: fileVersion, notes };
    });
    this.log(file, result);
    return result;
  }

  private async write(
    tx: Tx,
    file: string,
    configuration: Configuration,
    deployment: Deployment,
  ): Promise<boolean> {
    const { products, lenders, partners } = configuration;
    let changed = await writeProducts(tx, products);
    changed += await writeLenders(tx, lenders);
    changed += await writePartners(tx, partners);
    const keys = await this.fileKeys.write(tx, partners);
    if (keys.problems.length > 0) throw new ConfigurationError(file, keys.problems);
    changed += keys.changed;
    const sealed = await this.sealedGateways(tx, configuration);
    return writeRevision(tx, configuration, sealed, deployment, changed > 0);
  }

  /** As they are kept when they are the same: sealed again they would look like a change. */
  private async sealedGateways(tx: Tx, configuration: Configuration): Promise<string> {
    const settings = gatewaysOf(configuration);
    const [row] = await tx.query<{ sealed: string | null }>(
      'SELECT gateways_sealed AS sealed FROM configuration',
    );
    const kept = row?.sealed ?? null;
    return kept !== null && this.gateways.holds(kept, settings)
      ? kept
      : this.gateways.seal(settings);
  }

  private log(file: string, { outcome, fileVersion, versionInForce }: ApplyResult): void {
    if (outcome === 'OLDER') {
      this.logger.warn(
        `${file} is version ${fileVersion}; version ${versionInForce} is in force and stays.`,
      );
    } else {
      const what = outcome === 'APPLIED' ? 'is in force now' : 'was in force already';
      this.logger.log(`${file}, version ${fileVersion}, ${what}.`);
    }
  }
}

async function readVersionInForce(tx: Tx): Promise<number> {
  const [row] = await tx.query<{ file_version: number }>('SELECT file_version FROM configuration');
  return row?.file_version ?? 0;
}

/** Writes the brand and the settings; the revision moves when anything at all has changed. */
async function writeRevision(
  tx: Tx,
  { version, brand, settings }: Configuration,
  gatewaysSealed: string,
  { mode }: Deployment,
  hasChanged: boolean,
): Promise<boolean> {
  const written = await tx.execute(
    `INSERT INTO configuration AS kept (revision, file_version, brand, settings, gateways_sealed)
     VALUES (1, $1, $2, $3, $5)
     ON CONFLICT (one) DO UPDATE SET
       revision = kept.revision + 1, file_version = excluded.file_version,
       brand = excluded.brand, settings = excluded.settings,
       gateways_sealed = excluded.gateways_sealed, applied_at = app_now()
     WHERE $4 OR (kept.file_version, kept.brand, kept.settings, kept.gateways_sealed)
       IS DISTINCT FROM (excluded.file_version, excluded.brand, excluded.settings,
         excluded.gateways_sealed)`,
    [
      version,
      JSON.stringify(brandOf(brand)),
      JSON.stringify(settingsOf(settings, mode)),
      hasChanged,
      gatewaysSealed,
    ],
  );
  return written > 0;
}
