import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { MASTER_KEY } from './replica.ts';

/** The findings of `admin audit verify` in a run's database; none if the audit and the rows agree. */
export async function auditFindings(databaseUrl: string): Promise<string[]> {
  const main = fileURLToPath(new URL('../../dist/bundle/admin-main.js', import.meta.url));
  const child = spawn(process.execPath, [main, 'audit', 'verify'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: process.env['PATH'], DATABASE_URL: databaseUrl, MASTER_KEY },
  });
  const [out, [code]] = await Promise.all([
    text(child.stdout),
    once(child, 'exit') as Promise<[number | null]>,
  ]);
  return code === 0 ? [] : [`audit verify ended with ${code}: ${out}`];
}
