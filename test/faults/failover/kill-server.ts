import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Kills the server and all its processes at one moment, like a machine that is lost. Does nothing if it has ended
 * already.
 */
export function killServer(clusterDir: string): void {
  const postmaster = postmasterOf(clusterDir);
  if (postmaster === undefined) return;
  const own = childrenOf(postmaster);
  for (const pid of [postmaster, ...own]) signalIfThere(pid, 'SIGKILL');
}

/** Stops the server at once, and removes its shared memory. */
export function quitServer(clusterDir: string): void {
  const postmaster = postmasterOf(clusterDir);
  if (postmaster !== undefined) signalIfThere(postmaster, 'SIGQUIT');
}

/** Whether the server is running. */
export function isServerThere(clusterDir: string): boolean {
  return postmasterOf(clusterDir) !== undefined;
}

function postmasterOf(clusterDir: string): number | undefined {
  try {
    const file = readFileSync(join(clusterDir, 'postmaster.pid'), 'utf8');
    const pid = Number(file.split('\n')[0]);
    return isOf(clusterDir, pid) ? pid : undefined;
  } catch {
    return undefined;
  }
}

function isOf(clusterDir: string, pid: number): boolean {
  if (!existsSync('/proc/self')) return true;
  return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(clusterDir);
}

function childrenOf(parent: number): number[] {
  return readProcesses().filter((pid) => parentOf(pid) === parent);
}

function readProcesses(): number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}

function parentOf(pid: number): number {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name is in brackets and may contain anything; the state and the parent follow.
    return Number(line.slice(line.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return 0;
  }
}

function signalIfThere(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
