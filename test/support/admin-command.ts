import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SCHEMA } from '../../src/schema.js';
import { runCommandLine } from '../../src/admin/command-line.js';
import { AUDIT_TRAIL } from '../../src/audit-trail.js';
import { lenderAdapters } from '../../src/lender-connectors.js';
import { personalDataHolders } from '../../src/personal-data-holders.js';
import { TEST_MASTER_KEY } from './service.js';

export interface CommandOutcome {
  /** 0 done, 1 refused, 2 used wrongly. */
  readonly code: number;
  readonly out: string;
  readonly error: string;
}

/** Runs `npm run admin -- …` in this process, beside a service on the same database. */
export function runAdmin(databaseUrl: string, ...parameters: string[]): Promise<CommandOutcome> {
  return runAdminWith({}, databaseUrl, ...parameters);
}

/** The same with further variables in its environment. */
export async function runAdminWith(
  more: Record<string, string>,
  databaseUrl: string,
  ...parameters: string[]
): Promise<CommandOutcome> {
  const dataDir = mkdtempSync(join(tmpdir(), 'rinpath-admin-'));
  const printed: string[] = [];
  const complained: string[] = [];
  try {
    const code = await runCommandLine(parameters, {
      schema: SCHEMA,
      lenderAdapters,
      personalDataHolders,
      auditTrail: AUDIT_TRAIL,
      variables: {
        DATABASE_URL: databaseUrl,
        DATA_DIR: dataDir,
        MASTER_KEY: TEST_MASTER_KEY,
        ...more,
      },
      print: (text) => void printed.push(text),
      complain: (text) => void complained.push(text),
    });
    return { code, out: printed.join('\n'), error: complained.join('\n') };
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}
