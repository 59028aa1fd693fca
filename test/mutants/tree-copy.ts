import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ts from 'typescript';
import { broken, type Mutant } from './mutant.ts';

const NOT_COPIED = new Set(['.git', '.data', 'node_modules', 'screenshots']);

/** A copy of the whole tree in a temporary folder, in which one mutant at a time is made. */
export interface TreeCopy {
  readonly dir: string;
  /** Breaks the copy, in `dist` too, where threads and spawned services come from; returns the undoing. */
  breakBy(mutant: Mutant): () => void;
  remove(): void;
}

export function copyTree(root: string): TreeCopy {
  const dir = mkdtempSync(join(tmpdir(), 'rinpath-mutants-'));
  // Under root an embedded PostgreSQL of a test runs as the user postgres, who must get in.
  chmodSync(dir, 0o755);
  for (const name of readdirSync(root)) {
    if (!NOT_COPIED.has(name)) cpSync(join(root, name), join(dir, name), { recursive: true });
  }
  linkPackages(join(root, 'node_modules'), join(dir, 'node_modules'));
  return {
    dir,
    breakBy: (mutant) => breakBy(dir, mutant),
    remove: () => rmSync(dir, { recursive: true, force: true }),
  };
}

/** One link for each package: what tools keep in `node_modules` itself is then the copy's own. */
function linkPackages(from: string, to: string): void {
  mkdirSync(to);
  for (const name of readdirSync(from)) {
    if (!name.startsWith('.vite')) symlinkSync(join(from, name), join(to, name));
  }
}

function breakBy(dir: string, mutant: Mutant): () => void {
  const path = join(dir, mutant.file);
  const text = broken(readFileSync(path, 'utf8'), mutant);
  const undoings = [overwrite(path, text)];
  const built = join(dir, 'dist', mutant.file.replace(/\.ts$/, '.js'));
  if (mutant.file.endsWith('.ts') && existsSync(built)) {
    undoings.push(overwrite(built, javaScriptOf(dir, text)));
  }
  return () => undoings.forEach((undo) => undo());
}

function overwrite(path: string, text: string): () => void {
  const before = readFileSync(path);
  writeFileSync(path, text);
  return () => writeFileSync(path, before);
}

function javaScriptOf(dir: string, text: string): string {
  const read = ts.readConfigFile(join(dir, 'tsconfig.json'), (path) => readFileSync(path, 'utf8'));
  const { compilerOptions } = read.config as { compilerOptions: object };
  const { options } = ts.convertCompilerOptionsFromJson(compilerOptions, dir);
  return ts.transpileModule(text, { compilerOptions: { ...options, sourceMap: false } }).outputText;
}
