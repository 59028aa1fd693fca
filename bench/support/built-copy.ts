import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** The bundler writes beside its input: a link would change the project's own files. */
const COPIED = ['dist', 'build'];

/** A changed line of the built service; its text occurs once. */
export interface Edit {
  /** In `dist/src`. */
  readonly file: string;
  readonly find: string;
  readonly replace: string;
}

/** A copy of the built service. */
export interface BuiltCopy {
  /** Its `dist`, with a trailing slash. */
  readonly dist: URL;
  remove(): void;
}

/** Describes the edits that no longer match the built service. */
export function staleEdits(edits: readonly Edit[]): string[] {
  return edits.flatMap(({ file, find }) => {
    const path = join(ROOT, 'dist/src', file);
    if (!existsSync(path)) return [`there is no ${file}`];
    const times = readFileSync(path, 'utf8').split(find).length - 1;
    return times === 1 ? [] : [staleWords(file, find, times)];
  });
}

function staleWords(file: string, find: string, times: number): string {
  return `${find} is ${times} times in ${file}, not once`;
}

/**
 * Copies the built service and removes something from the copy and its bundle.
 * @param name of the removed part
 * @throws Error when a line to change does not occur exactly once
 */
export function builtWithout(name: string, edits: readonly Edit[]): BuiltCopy {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'rinpath-without-')));
  for (const entry of readdirSync(ROOT)) {
    if (COPIED.includes(entry)) cpSync(join(ROOT, entry), join(root, entry), { recursive: true });
    else symlinkSync(join(ROOT, entry), join(root, entry));
  }
  for (const { file, find, replace } of edits) {
    const path = join(root, 'dist/src', file);
    const parts = readFileSync(path, 'utf8').split(find);
    if (parts.length !== 2) throw new Error(`${name}: ${staleWords(file, find, parts.length - 1)}`);
    writeFileSync(path, parts.join(replace));
  }
  execFileSync(process.execPath, [join(root, 'build/bundle.ts')]);
  return {
    dist: pathToFileURL(join(root, 'dist/')),
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}
