import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SCHEMA } from '../../src/schema.js';
import { type CommandSurroundings, runCommandLine } from '../../src/admin/command-line.js';
import { AUDIT_TRAIL, lenderAdapters, personalDataHolders } from '../../src/composition.js';
import { PRODUCTION_DEPLOYMENT, PRODUCTION_VARIABLES } from './deployments.js';
import { TEST_MASTER_KEY } from './service.js';

export interface CommandOutcome {
  readonly code: number;
  readonly out: string;
  readonly error: string;
}

/** Runs `npm run admin -- …` in this process, beside a service on the same database. */
export function runAdmin(databaseUrl: string, ...parameters: string[]): Promise<CommandOutcome> {
  return runAdminWith({}, databaseUrl, ...parameters);
}

/** The same with further environment variables. */
export async function runAdminWith(
  more: Record<string, string>,
  databaseUrl: string,
  ...parameters: string[]
): Promise<CommandOutcome> {
  const dataDir = mkdtempSync(join(tmpdir(), 'rinpath-admin-'));
  try {
    return await runCommand(parameters, {
      DATABASE_URL: databaseUrl,
      DATA_DIR: dataDir,
      MASTER_KEY: TEST_MASTER_KEY,
      ...more,
    });
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** The same with exactly this environment. */
export async function runCommand(
  parameters: readonly string[],
  variables: Record<string, string>,
  build: Partial<Pick<CommandSurroundings, 'schema' | 'lenderAdapters' | 'wait'>> = {},
): Promise<CommandOutcome> {
  const printed: string[] = [];
  const complained: string[] = [];
  const code = await runCommandLine(parameters, {
    schema: SCHEMA,
    lenderAdapters,
    personalDataHolders,
    auditTrail: AUDIT_TRAIL,
    wait: () => Promise.resolve(),
    ...build,
    variables,
    print: (text) => void printed.push(text),
    complain: (text) => void complained.push(text),
  });
  return { code, out: printed.join('\n'), error: complained.join('\n') };
}

/** The same for a production deployment. */
export function runInProduction(
  parameters: readonly string[],
  variables: Record<string, string>,
): Promise<CommandOutcome> {
  return runCommand(
    parameters,
    { ...PRODUCTION_VARIABLES, MASTER_KEY: TEST_MASTER_KEY, ...variables },
    { lenderAdapters: () => PRODUCTION_DEPLOYMENT.lenderAdapters },
  );
}
