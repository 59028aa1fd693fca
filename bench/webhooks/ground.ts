import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { startFlags, startVariables } from '../support/built-service.ts';

/** Shared by every section. */
export interface Ground {
  readonly serverUrl: string;
  readonly dataDir: string;
  readonly receiver: ChildProcess;
  readonly receiverPorts: readonly number[];
}

/** Starts one of these files as a process, with its order in a variable and the flags of `npm start`. */
export function forkWith(file: string, variables: Record<string, string>): ChildProcess {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), {
    env: { ...process.env, ...startVariables(), ...variables },
    execArgv: startFlags(),
  });
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  child.once('exit', () => process.off('exit', kill));
  return child;
}

/** @throws Error when it ends before it responds */
export async function answerOf(child: ChildProcess): Promise<unknown[]> {
  const settled = new AbortController();
  const { signal } = settled;
  const ended = once(child, 'exit', { signal }).then(([code]) => {
    throw new Error(`it ended with ${String(code)} before it answered`);
  });
  try {
    return await Promise.race([once(child, 'message', { signal }), ended]);
  } finally {
    settled.abort();
  }
}
