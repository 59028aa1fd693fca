import type { DynamicModule, INestApplicationContext, Type } from '@nestjs/common';
import type { AuditSource, CurrentRecord } from '../../audit/index.js';
import { JourneysRepository } from '../../journeys/index.js';
import { Database, type Environment, type KeptByReset } from '../../platform/index.js';
import type { CommandModule } from '../admin-context.js';
import type { Deployment } from '../configuration/fields.js';

/** An application's chain is its journey's; any other id is the chain's own. */
export async function auditSubject(context: INestApplicationContext, id: string): Promise<string> {
  if (!id.startsWith('app_')) return id;
  const journeys = context.get(JourneysRepository);
  const [journey] = await context
    .get(Database)
    .transaction((tx) => journeys.findOf(tx, 'applicationId', [id]));
  return journey?.id ?? id;
}

export interface AuditTrail {
  readonly sources: readonly AuditSource[];
  readonly records: readonly CurrentRecord[];
  readonly module: DynamicModule;
}

type RunOnDatabase = <Result>(
  work: (context: INestApplicationContext) => Promise<Result>,
  modules?: readonly CommandModule[],
) => Promise<Result>;

export interface CommandContext {
  readonly variables: Record<string, string | undefined>;
  /** Parsed on demand, so not for `--help`. */
  readonly environment: () => Environment;
  readonly deployment: () => Deployment;
  readonly auditTrail: AuditTrail;
  readonly keptByReset: readonly KeptByReset[];
  readonly personalDataHolders: () => readonly Type[];
  /** A change: recorded in the audit, after migrations. */
  readonly within: RunOnDatabase;
  /** A read that the audit records. @throws Refusal when the schema is old */
  readonly noting: RunOnDatabase;
  /** @throws Refusal when the schema is old */
  readonly reading: RunOnDatabase;
  readonly givenBy: () => string;
  readonly print: (text: string) => void;
  readonly wait: (milliseconds: number) => Promise<unknown>;
}

export function textTable(rows: readonly object[]): string {
  const [first] = rows;
  if (!first) return '(none)';
  const names = Object.keys(first);
  const cells = rows.map((row) => {
    const texts = new Map(Object.entries(row).map(([name, value]) => [name, String(value)]));
    return names.map((name) => texts.get(name) ?? '');
  });
  const lines = [names, ...cells];
  const widths = names.map((_, column) => Math.max(...lines.map((line) => line[column].length)));
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column]))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
