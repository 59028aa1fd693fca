import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { NotRun } from './case.ts';

export const RESTART_SECONDS = 120;

/**
 * Runs the command in a shell. Does not wait for its background processes.
 * @throws NotRun when it fails, or exceeds the limit and is killed with its processes
 */
export async function runCommand(command: string, seconds = RESTART_SECONDS): Promise<void> {
  // A separate process group: the shell's children would outlive the shell and keep our stderr open.
  const child = spawn(command, {
    shell: true,
    detached: true,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    process.kill(-child.pid!, 'SIGKILL');
  }, seconds * 1000);
  const [code] = (await once(child, 'exit')) as [number | null];
  clearTimeout(timer);
  if (isLate) throw new NotRun(`the restart command was ended: it took longer than ${seconds} s`);
  if (code !== 0) throw new NotRun(`the restart command ended with ${code ?? 'a signal'}`);
}
