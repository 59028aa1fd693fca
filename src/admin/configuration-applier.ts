import { Injectable, Logger } from '@nestjs/common';
import { Database, type Tx } from '../platform/index.js';
import type { Deployment } from './configuration/fields.js';
import { configurationChanges, partnerNotes } from './configuration/configuration-changes.js';
import { configurationNotes, sameVersionNotes } from './configuration/configuration-notes.js';
import { ConfigurationError } from './refusal.js';
import { readConfigurationFile } from './configuration-file.js';
import { ConfigurationReader, ConfigurationWriter } from './stored-configuration.js';
import { PaymentAccountChanges } from './payment-account-changes.js';
import { ConfiguredGateways } from '../settings/index.js';

export interface ApplyResult {
  /** OLDER: a newer version is in force, and nothing changed. */
  readonly outcome: 'APPLIED' | 'UNCHANGED' | 'OLDER';
  readonly fileVersion: number;
  readonly versionInForce: number;
  /** One line a field, without secrets. */
  readonly changes: readonly string[];
  readonly notes: readonly string[];
}

type ApplyParameters = [
  deployment: Deployment,
  variables?: Record<string, string | undefined>,
  sameAccounts?: readonly string[],
];

/** Rolls a preview back. */
class Preview extends Error {
  constructor(readonly result: ApplyResult) {
    super('a preview');
  }
}

// An arbitrary number: replicas take turns.
const APPLY_LOCK = 4_702_118;

@Injectable()
export class ConfigurationApplier {
  private readonly logger = new Logger('Configuration');

  constructor(
    private readonly database: Database,
    private readonly reader: ConfigurationReader,
    private readonly writer: ConfigurationWriter,
    private readonly gateways: ConfiguredGateways,
    private readonly accountChanges: PaymentAccountChanges,
  ) {}

  /**
   * One transaction. Keeps everything with history; ignores and logs an older version.
   * @param variables for `${env:NAME}`
   * @param sameAccounts payment accounts with only a new key
   * @throws ConfigurationError naming every error by its path
   */
  async apply(file: string, ...given: ApplyParameters): Promise<ApplyResult> {
    const result = await this.database.transaction(this.applying(file, ...given));
    this.log(file, result);
    return result;
  }

  /** @throws ConfigurationError as `apply` */
  async preview(...given: [file: string, ...ApplyParameters]): Promise<ApplyResult> {
    const work = this.applying(...given);
    try {
      return await this.database.transaction(async (tx) => {
        throw new Preview(await work(tx));
      });
    } catch (error) {
      if (error instanceof Preview) return error.result;
      throw error;
    }
  }

  private applying(
    file: string,
    ...[deployment, variables = process.env, sameAccounts = []]: ApplyParameters
  ): (tx: Tx) => Promise<ApplyResult> {
    const configuration = readConfigurationFile(file, deployment, variables);
    const notes = configurationNotes(configuration, deployment);
    return async (tx) => {
      await tx.query('SELECT pg_advisory_xact_lock($1)', [APPLY_LOCK]);
      const before = await this.reader.read(tx);
      const versionInForce = before.inForce?.fileVersion ?? 0;
      const fileVersion = configuration.version;
      if (fileVersion < versionInForce) {
        return { outcome: 'OLDER', fileVersion, versionInForce, changes: [], notes };
      }
      const gatewaysSealed = before.inForce?.gatewaysSealed ?? null;
      // The sandbox moves no real money.
      if (deployment.mode === 'production') {
        const change = { file: configuration, gatewaysSealed, sameAccounts };
        const cutOff = await this.accountChanges.mistakes(tx, change);
        if (cutOff.length > 0) throw new ConfigurationError(file, cutOff);
      }
      const { sms, payment } = configuration;
      const gateways = this.gateways.seal({ sms, payment }, gatewaysSealed);
      const written = await this.writer.write(tx, configuration, gateways);
      if (written.problems.length > 0) throw new ConfigurationError(file, written.problems);
      const { hasChanged } = written;
      const after = hasChanged ? await this.reader.read(tx) : before;
      return {
        outcome: hasChanged ? 'APPLIED' : 'UNCHANGED',
        fileVersion,
        versionInForce: fileVersion,
        changes: configurationChanges(before, after),
        notes: [
          ...(hasChanged ? sameVersionNotes(fileVersion, versionInForce) : []),
          ...notes,
          ...partnerNotes(after, configuration.partners),
        ],
      };
    };
  }

  private log(file: string, { outcome, fileVersion, versionInForce }: ApplyResult): void {
    if (outcome === 'OLDER') {
      this.logger.warn(
        `${file} is version ${fileVersion}; the newer version ${versionInForce} stays in force. ` +
          'To apply the file, raise its version.',
      );
    } else {
      const what = outcome === 'APPLIED' ? 'is now in force' : 'was already in force';
      this.logger.log(`${file} (version ${fileVersion}) ${what}.`);
    }
  }
}
