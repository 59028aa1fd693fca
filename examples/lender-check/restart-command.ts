import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { NotRun } from './case.ts';

/**
 * Runs the command in a shell. What it leaves running in the background is not waited for.
 * @throws NotRun when it fails
 */
export async function runCommand(command: string): Promise<void> {
  const child = spawn(command, { shell: true, stdio: ['ignore', 'ignore', 'inherit'] });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new NotRun(`the restart command ended with ${code ?? 'a signal'}`);
}
