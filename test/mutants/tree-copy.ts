import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ts from 'typescript';
import { broken, type Mutant } from './list.ts';

const NOT_COPIED = new Set(['.git', '.data', 'node_modules', 'screenshots']);

/** A copy of the tree in a temporary folder. */
export function copyTree(root: string): string {
  const dir = mkdtempSync(join(tmpdir(), 'rinpath-mutants-'));
  // Under root, the embedded PostgreSQL runs as the user postgres, who needs access.
  chmodSync(dir, 0o755);
  for (const name of readdirSync(root)) {
    if (!NOT_COPIED.has(name)) cpSync(join(root, name), join(dir, name), { recursive: true });
  }
  // One link per package, so that caches in `node_modules` belong to the copy.
  const packages = join(root, 'node_modules');
  mkdirSync(join(dir, 'node_modules'));
  for (const name of readdirSync(packages)) {
    if (!name.startsWith('.vite'))
      symlinkSync(join(packages, name), join(dir, 'node_modules', name));
  }
  return dir;
}

/** Applies a mutant, in `dist` too, from which worker threads and services load. Returns the undo function. */
export function breakTree(dir: string, mutant: Mutant): () => void {
  const path = join(dir, mutant.file);
  const text = broken(readFileSync(path, 'utf8'), mutant);
  const undo = [overwrite(path, text)];
  const built = join(dir, 'dist', mutant.file.replace(/\.ts$/, '.js'));
  if (mutant.file.endsWith('.ts') && existsSync(built)) {
    undo.push(overwrite(built, javaScriptOf(dir, text)));
  }
  return () => undo.forEach((one) => one());
}

function overwrite(path: string, text: string): () => void {
  const before = readFileSync(path);
  writeFileSync(path, text);
  return () => writeFileSync(path, before);
}

function javaScriptOf(dir: string, text: string): string {
  const { config } = ts.readConfigFile(join(dir, 'tsconfig.json'), (path) =>
    readFileSync(path, 'utf8'),
  );
  const { compilerOptions } = config as { compilerOptions: object };
  const { options } = ts.convertCompilerOptionsFromJson(compilerOptions, dir);
  return ts.transpileModule(text, { compilerOptions: { ...options, sourceMap: false } }).outputText;
}
