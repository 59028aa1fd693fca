import { createHash } from 'node:crypto';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BUNDLE, bundleInto } from '../../build/bundle.ts';
import { databaseVariables } from './database-variables.ts';

const DIST = fileURLToPath(new URL('../../dist/', import.meta.url));

/**
 * The main file of the built service. If a built file changed since the build, as a mutant does, a new bundle is made.
 * @throws Error if nothing is built
 */
export async function builtService(): Promise<string> {
  const folder = join(DIST, BUNDLE);
  if (!existsSync(folder)) throw new Error(`${folder} is not there: run \`npm run build\``);
  const files = builtFiles();
  const madeAt = statSync(folder).mtimeMs;
  if (files.every(({ changedAt }) => changedAt <= madeAt)) return join(folder, 'main.js');
  const name = `${BUNDLE}-${digestOf(files)}`;
  if (!existsSync(join(DIST, name))) await bundleInto(name);
  return join(DIST, name, 'main.js');
}

/** The variables of a built service in the sandbox, but for its master key. */
export function serviceVariables(port: number, databaseUrl: string, dataDir: string) {
  return {
    MODE: 'sandbox',
    PORT: String(port),
    BASE_URL: `http://127.0.0.1:${port}`,
    DATA_DIR: dataDir,
    LOG_LEVEL: 'warn',
    ...databaseVariables(databaseUrl),
  };
}

interface BuiltFile {
  readonly file: string;
  readonly changedAt: number;
  readonly size: number;
}

function builtFiles(): BuiltFile[] {
  return ['src', 'migrations'].flatMap((part) => {
    const files = readdirSync(join(DIST, part), { recursive: true, encoding: 'utf8' });
    return files.map((file) => {
      const { mtimeMs, size } = statSync(join(DIST, part, file));
      return { file: join(part, file), changedAt: mtimeMs, size };
    });
  });
}

function digestOf(files: readonly BuiltFile[]): string {
  const hash = createHash('sha256');
  for (const { file, changedAt, size } of files) hash.update(`${file} ${changedAt} ${size}\n`);
  return hash.digest('hex').slice(0, 16);
}
