import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { startFlags, startVariables } from '../support/built-service.ts';

/** What every section works on. */
export interface Ground {
  readonly serverUrl: string;
  readonly dataDir: string;
  readonly receiver: ChildProcess;
  readonly receiverPorts: readonly number[];
}

/** A process of one of the files here, told what to do by a variable; Node as `npm start` has it. */
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

/** @throws Error when it ends before it answers */
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
