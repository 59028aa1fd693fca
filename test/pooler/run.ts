/**
 * Runs specs with their services behind PgBouncer in transaction mode; by default those of calls, webhooks and replicas.
 *
 *     node test/pooler/run.ts [--pgbouncer <path>] [spec files or folders …]
 */
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startOwnServer } from '../faults/run-database.ts';
import { run } from '../support/standby.ts';
import { PgBouncer } from './pg-bouncer.ts';

const SPECS = [
  'test/e2e/contract',
  'test/e2e/webhooks',
  'test/e2e/replicas',
  'test/e2e/auth',
  'test/e2e/connections',
  'test/e2e/leads',
];
const SETTINGS = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'];
const ROLE_SETTINGS = [
  'statement_timeout = 15000',
  'idle_in_transaction_session_timeout = 15000',
  'jit = off',
];

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { pgbouncer: { type: 'string', default: 'pgbouncer' } },
  });
  const server = await startOwnServer(SETTINGS);
  try {
    const hba = join(server.clusterDir, 'pg_hba.conf');
    writeFileSync(hba, 'host all all 127.0.0.1/32 trust\n');
    await run(server.url, 'SELECT pg_reload_conf()');
    for (const setting of ROLE_SETTINGS) {
      await run(server.url, `ALTER ROLE rinpath SET ${setting}`);
    }
    const pooler = await PgBouncer.before(server.url, values.pgbouncer);
    try {
      console.log(`PgBouncer ${pooler.version}, named statements: ${pooler.keepsStatements}`);
      return await runSpecs(positionals.length > 0 ? positionals : SPECS, {
        TEST_DATABASE_URL: server.url,
        TEST_POOLER_URL: pooler.url,
        TEST_POOLER_KEEPS_STATEMENTS: String(pooler.keepsStatements),
      });
    } finally {
      await pooler.stop();
    }
  } finally {
    await server.stop();
  }
}

function runSpecs(specs: readonly string[], env: Record<string, string>): Promise<number> {
  const vitest = spawn('vitest', ['run', ...specs], {
    stdio: 'inherit',
    env: { ...process.env, ...env },
  });
  return new Promise((resolve, reject) => {
    vitest.once('error', reject);
    vitest.once('close', (code) => resolve(code ?? 1));
  });
}

process.exitCode = await main();
