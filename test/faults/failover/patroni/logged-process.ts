import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { RunningProcess } from '../../../support/needed-process.ts';

interface LoggedOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** The folder of `<name>.log`. */
  readonly logs: string;
}

/** A process of the run whose output is kept in a file. */
export function loggedProcess(
  name: string,
  [file, ...words]: readonly string[],
  { env = {}, logs }: LoggedOptions,
): RunningProcess {
  const log = openSync(join(logs, `${name}.log`), 'a');
  try {
    return new RunningProcess(name, file, words, {
      stdio: ['ignore', log, log],
      // A fixed locale: the run parses the output.
      env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8', ...env },
    });
  } finally {
    closeSync(log);
  }
}
