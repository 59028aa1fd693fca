import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A function that lives in the database, a trigger's too. */
export interface DatabaseFunction {
  readonly name: string;
  /** The statement that makes it, or puts it in the place of the one that is there. */
  readonly text: string;
}

const FILES = '*/store/functions/*.sql';

/**
 * The functions of every store, each from the file that is named after it: its current text.
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
