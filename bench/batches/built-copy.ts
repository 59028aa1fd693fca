import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Batch } from './batch-list.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** The built service in a folder of its own. */
export interface BuiltCopy {
  /** Its `dist`, with a slash at the end. */
  readonly dist: URL;
  remove(): void;
}

/**
 * Copies the built service without a batch. All but the code is that of the project.
 * @throws Error when a line that is to be changed does not stand there once
 */
export function builtWithout({ name, edits }: Batch): BuiltCopy {
  const root = mkdtempSync(join(tmpdir(), 'rinpath-without-a-batch-'));
  for (const entry of readdirSync(ROOT)) {
    if (entry !== 'dist') symlinkSync(join(ROOT, entry), join(root, entry));
  }
  cpSync(join(ROOT, 'dist'), join(root, 'dist'), { recursive: true });
  for (const { file, find, replace } of edits) {
    const path = join(root, 'dist/src', file);
    const parts = readFileSync(path, 'utf8').split(find);
    if (parts.length !== 2) {
      throw new Error(`${name}: its text stands ${parts.length - 1} times in ${file}, not once`);
    }
    writeFileSync(path, parts.join(replace));
  }
  return {
    dist: pathToFileURL(join(root, 'dist/')),
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}
