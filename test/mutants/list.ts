import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/** A rule, and a change of the code that breaks it. */
export interface Mutant {
  readonly rule: string;
  readonly file: string;
  readonly find: string;
  readonly replace: string;
  /** As in `mutants.txt`. */
  readonly specs: readonly string[];
}

/** @param text in the format of `mutants.txt` */
export function readMutants(text: string): Mutant[] {
  const mutants: Mutant[] = [];
  let [file, rule, find] = ['', '', ''];
  let specs: string[] = [];
  for (const line of text.split('\n')) {
    const rest = line.slice(2).replaceAll('⏎', '\n');
    if (line.startsWith('==')) {
      const [path = '', names = ''] = rest.trim().split(' : ');
      [file, specs] = [path, names.split(' ')];
    } else if (line.startsWith('-')) find = rest;
    else if (line.startsWith('+')) mutants.push({ rule, file, find, replace: rest, specs });
    else if (line !== '' && !line.startsWith('#')) rule = line;
  }
  return mutants;
}

export function specsOf(root: string, { file, specs }: Mutant): string[] {
  return specs.flatMap((spec) => {
    if (spec === '.') return globSync(file.replace(/\.ts$/, '.spec.ts'), { cwd: root });
    const start = spec.startsWith('src/') ? spec : `test/e2e/${spec}`;
    return globSync(`${start}*.spec.ts`, { cwd: root });
  });
}

/** @throws Error if the file does not contain the text exactly once */
export function broken(text: string, { file, find, replace }: Mutant): string {
  const pieces = text.split(find);
  if (find !== '' && pieces.length === 2) return pieces.join(replace);
  throw new Error(`is ${pieces.length - 1} times in ${file}, not once: ${find}`);
}

/** The mutants that no longer fit the tree. */
export function problemsOf(root: string, mutants: readonly Mutant[]): string[] {
  return mutants.flatMap((mutant) => {
    const { rule, file } = mutant;
    const problems = specsOf(root, mutant).length === 0 ? [`${rule}: no spec`] : [];
    try {
      if (!existsSync(join(root, file))) throw new Error(`there is no ${file}`);
      const original = readFileSync(join(root, file), 'utf8');
      if (broken(original, mutant) === original) throw new Error('changes nothing');
    } catch (error) {
      problems.push(`${rule}: ${(error as Error).message}`);
    }
    return problems;
  });
}

/** A mutant that does not compile would prove nothing about the tests. */
export function syntaxProblems(root: string, mutants: readonly Mutant[]): string[] {
  return mutants.flatMap((mutant) => {
    if (!mutant.file.endsWith('.ts')) return [];
    const text = broken(readFileSync(join(root, mutant.file), 'utf8'), mutant);
    const { diagnostics } = ts.transpileModule(text, { reportDiagnostics: true });
    return diagnostics?.length ? [`${mutant.rule}: does not compile`] : [];
  });
}
