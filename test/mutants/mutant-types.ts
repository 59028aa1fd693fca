import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { broken, type Mutant } from './mutant.ts';

// What a broken copy no longer uses is not a mistake of its types: it stays in the file on purpose.
const UNUSED = new Set([6133, 6138, 6192, 6196, 6198]);

/**
 * Mutants whose file no longer parses or type-checks. Vitest strips types, so their copies would run; but
 * the compiler refuses such code before any test does, and a mutant is to say something of the tests.
 */
export function mistypedMutants(root: string, mutants: readonly Mutant[]): string[] {
  const files: Overlay = new Map();
  const service = ts.createLanguageService(hostOf(root, files));
  return wavesOf(mutants.filter(({ file }) => file.endsWith('.ts'))).flatMap((wave) => {
    const originals = wave.map((mutant) => overlay(root, files, mutant));
    const complaints = wave.flatMap((mutant) =>
      complaintOf(service, join(root, mutant.file), mutant),
    );
    for (const putBack of originals) putBack();
    return complaints;
  });
}

/** Each with one mutant of a file at most: what is checked together is bound once. */
function wavesOf(mutants: readonly Mutant[]): Mutant[][] {
  const waves: Mutant[][] = [];
  for (const ofFile of Map.groupBy(mutants, ({ file }) => file).values()) {
    ofFile.forEach((mutant, index) => (waves[index] ??= []).push(mutant));
  }
  return waves;
}

type Overlay = Map<string, { text: string; version: number }>;

function overlay(root: string, files: Overlay, mutant: Mutant): () => void {
  const path = join(root, mutant.file);
  const original = readFileSync(path, 'utf8');
  const version = (files.get(path)?.version ?? 0) + 1;
  files.set(path, { text: broken(original, mutant), version });
  return () => files.set(path, { text: original, version: version + 1 });
}

function complaintOf(service: ts.LanguageService, path: string, { id }: Mutant): string[] {
  const found = [
    ...service.getSyntacticDiagnostics(path),
    ...service.getSemanticDiagnostics(path),
  ].find(({ code }) => !UNUSED.has(code));
  if (!found) return [];
  const message = ts.flattenDiagnosticMessageText(found.messageText, ' ');
  return [`${id}: its copy does not compile: ${message}`];
}

function hostOf(root: string, files: Overlay): ts.LanguageServiceHost {
  const { sys } = ts;
  const readFile = (path: string) => sys.readFile(path);
  const read = ts.readConfigFile(join(root, 'tsconfig.json'), readFile);
  const { fileNames, options } = ts.parseJsonConfigFileContent(read.config, sys, root);
  const textOf = (path: string) => files.get(path)?.text ?? readFile(path);
  return {
    getScriptFileNames: () => fileNames,
    getScriptVersion: (path) => String(files.get(path)?.version ?? 0),
    getScriptSnapshot: (path) => {
      const text = textOf(path);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    getCurrentDirectory: () => root,
    getCompilationSettings: () => options,
    getDefaultLibFileName: (of) => ts.getDefaultLibFilePath(of),
    fileExists: (path) => sys.fileExists(path),
    readFile: textOf,
    readDirectory: (...asked) => sys.readDirectory(...asked),
    directoryExists: (path) => sys.directoryExists(path),
    getDirectories: (path) => sys.getDirectories(path),
    realpath: (path) => sys.realpath?.(path) ?? path,
  };
}
