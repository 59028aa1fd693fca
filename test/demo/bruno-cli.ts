import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Not a dependency, because it needs 508 packages and 275 MB. */
const CLI = '@usebruno/cli@4.1.0';

/**
 * Installs Bruno's command line, unless an earlier run did.
 * @returns the program's path
 * @throws Error when npm fails
 */
export function brunoCli(): string {
  const folder = join(tmpdir(), `rinpath-${CLI.replaceAll(/\W+/g, '-')}`);
  const program = join(folder, 'node_modules/.bin/bru');
  if (existsSync(program)) return program;
  const options = ['--no-save', '--no-audit', '--no-fund', '--ignore-scripts'];
  const { status } = spawnSync('npm', ['install', '--prefix', folder, ...options, CLI], {
    stdio: 'inherit',
  });
  if (status !== 0) throw new Error(`npm install ${CLI} ended with ${status}`);
  return program;
}
