import type { INestApplicationContext, Type } from '@nestjs/common';
import type { AuditTrail } from '../audit-trail.js';
import type { CommandModule } from '../admin-context.js';
import type { Deployment } from '../configuration/deployment.js';
import type { Environment } from '../../platform/index.js';

/** What a command is given. */
export interface CommandContext {
  readonly variables: Record<string, string | undefined>;
  /** Parses the variables: only when a command needs them, so not for `--help`. */
  readonly environment: () => Environment;
  /** What a configuration file is checked against, of the same variables. */
  readonly deployment: () => Deployment;
  /** The audit trail as the composition root has it. */
  readonly auditTrail: AuditTrail;
  /** The modules that keep personal data of applicants. */
  readonly personalDataHolders: () => readonly Type[];
  /**
   * Does `work`, which changes something, on the service's own database, whose schema is brought up
   * to date first.
   * @param modules what it needs of the service beyond the administration itself
   */
  readonly within: <Result>(
    work: (context: INestApplicationContext) => Promise<Result>,
    modules?: readonly CommandModule[],
  ) => Promise<Result>;
  /**
   * Does `work`, which reads and is noted in the audit, on the database as it is.
   * @param modules what it needs of the service beyond the administration itself
   * @throws Refusal when its schema is behind
   */
  readonly noting: <Result>(
    work: (context: INestApplicationContext) => Promise<Result>,
    modules?: readonly CommandModule[],
  ) => Promise<Result>;
  /**
   * Does `work`, which only reads, on the database as it is.
   * @param modules what it needs of the service beyond the administration itself
   * @throws Refusal when its schema is behind
   */
  readonly reading: <Result>(
    work: (context: INestApplicationContext) => Promise<Result>,
    modules?: readonly CommandModule[],
  ) => Promise<Result>;
  /** Who gives the command. */
  readonly givenBy: () => string;
  readonly print: (text: string) => void;
}
