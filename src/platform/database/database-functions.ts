import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface DatabaseFunction {
  readonly name: string;
  /** `CREATE OR REPLACE`. */
  readonly text: string;
}

const FILES = '*/store/functions/*.sql';

/**
 * From the files of every store.
 * @param src the folder that holds the modules
 */
export function readDatabaseFunctions(src: URL): DatabaseFunction[] {
  const folder = fileURLToPath(src);
  return globSync(FILES, { cwd: folder })
    .toSorted()
    .map((path) => ({
      name: basename(path, '.sql'),
      text: readFileSync(join(folder, path), 'utf8'),
    }));
}
