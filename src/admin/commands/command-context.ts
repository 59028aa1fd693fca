import type { DynamicModule, INestApplicationContext, Type } from '@nestjs/common';
import type { AuditSource, CurrentRecord } from '../../audit/index.js';
import type { Environment } from '../../platform/index.js';
import type { CommandModule } from '../admin-context.js';
import type { Deployment } from '../configuration/fields.js';

export interface AuditTrail {
  readonly sources: readonly AuditSource[];
  readonly records: readonly CurrentRecord[];
  readonly module: DynamicModule;
}

/** @param modules needed beyond the administration itself */
type RunOnDatabase = <Result>(
  work: (context: INestApplicationContext) => Promise<Result>,
  modules?: readonly CommandModule[],
) => Promise<Result>;

export interface CommandContext {
  readonly variables: Record<string, string | undefined>;
  /** Parsed only when a command needs them, so not for `--help`. */
  readonly environment: () => Environment;
  readonly deployment: () => Deployment;
  readonly auditTrail: AuditTrail;
  readonly personalDataHolders: () => readonly Type[];
  /** Runs a change, noted in the audit; the schema is migrated first. */
  readonly within: RunOnDatabase;
  /** Runs a read that the audit notes. @throws Refusal when the schema is behind */
  readonly noting: RunOnDatabase;
  /** Runs a read. @throws Refusal when the schema is behind */
  readonly reading: RunOnDatabase;
  /** The operator's name. */
  readonly givenBy: () => string;
  readonly print: (text: string) => void;
}
