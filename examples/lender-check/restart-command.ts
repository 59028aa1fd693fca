import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { NotRun } from './case.ts';

export const RESTART_SECONDS = 120;

/**
 * Runs the command in a shell. What it leaves running in the background is not waited for.
 * @throws NotRun when it fails, or takes too long and is ended
 */
export async function runCommand(command: string, seconds = RESTART_SECONDS): Promise<void> {
  const child = spawn(command, {
    shell: true,
    stdio: ['ignore', 'ignore', 'inherit'],
    timeout: seconds * 1000,
    killSignal: 'SIGKILL',
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (child.killed) {
    throw new NotRun(`the restart command was ended: it took longer than ${seconds} s`);
  }
  if (code !== 0) throw new NotRun(`the restart command ended with ${code ?? 'a signal'}`);
}
