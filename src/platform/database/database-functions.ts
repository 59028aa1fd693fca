import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface DatabaseFunction {
  readonly name: string;
  readonly text: string;
}

const FILES = '*/store/functions/*.sql';

export function readDatabaseFunctions(src: URL): DatabaseFunction[] {
  const folder = fileURLToPath(src);
  return globSync(FILES, { cwd: folder })
    .toSorted()
    .map((path) => ({
      name: basename(path, '.sql'),
      text: readFileSync(join(folder, path), 'utf8'),
    }));
}
