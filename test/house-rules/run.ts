/** Part of `npm run boundaries`: the house rules that the linter cannot check. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { isolatedSpecProblems } from './isolated-specs.ts';

interface Ban {
  readonly what: string;
  readonly fix: string;
  readonly isAllowedIn: (path: string) => boolean;
  readonly isBrokenBy: (node: ts.Node) => boolean;
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const BANS: readonly Ban[] = [
  {
    what: 'new Date() or Date()',
    fix: 'inject Clock: what reads the machine’s time does not travel with the sandbox',
    isAllowedIn: (path) =>
      !path.startsWith('src/') || path.startsWith('src/platform/') || path.endsWith('.spec.ts'),
    isBrokenBy: (node) =>
      (ts.isNewExpression(node) || ts.isCallExpression(node)) &&
      node.expression.getText() === 'Date' &&
      (ts.isCallExpression(node) || !node.arguments?.length),
  },
  {
    what: 'forwardRef',
    fix: 'imports run one way: declare a port below, or raise a Signal',
    isAllowedIn: () => false,
    isBrokenBy: (node) => ts.isIdentifier(node) && node.text === 'forwardRef',
  },
  {
    what: 'synchronize: true',
    fix: 'write a migration: the schema is the migrations’ work alone',
    isAllowedIn: () => false,
    isBrokenBy: (node) =>
      ts.isPropertyAssignment(node) &&
      /^['"]?synchronize['"]?$/.test(node.name.getText()) &&
      node.initializer.kind !== ts.SyntaxKind.FalseKeyword,
  },
  {
    what: 'a constructor with more than eight parameters',
    fix: 'part of its work belongs in a class of its own',
    isAllowedIn: (path) => !path.startsWith('src/') || path.endsWith('.spec.ts'),
    isBrokenBy: (node) => ts.isConstructorDeclaration(node) && node.parameters.length > 8,
  },
  {
    what: '@Post on a page',
    fix: '@FormPost: a form has a CSRF token, and an invalid one is shown again with 200',
    isAllowedIn: (path) => !/^src\/(applicant-web|workbench\/pages)\//.test(path),
    isBrokenBy: (node) => ts.isDecorator(node) && /^@Post\b/.test(node.getText()),
  },
  {
    what: 'a module of the service that is not there',
    fix: 'benches load parts of the built service by path: correct it',
    isAllowedIn: (path) => !path.startsWith('bench/'),
    isBrokenBy: (node) =>
      ts.isStringLiteral(node) &&
      /^src\/.*\.js$/.test(node.text) &&
      !existsSync(join(ROOT, node.text.replace(/js$/, 'ts'))),
  },
];

const files = ['src', 'migrations', 'test', 'bench', 'data'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => `${folder}/${path}`),
);

const texts = new Map(files.map((path) => [path, readFileSync(join(ROOT, path), 'utf8')]));

let found = 0;
for (const [path, text] of texts) {
  const bans = BANS.filter(({ isAllowedIn }) => !isAllowedIn(path));
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const visit = (node: ts.Node) => {
    for (const { what, fix } of bans.filter(({ isBrokenBy }) => isBrokenBy(node))) {
      const { line } = file.getLineAndCharacterOfPosition(node.getStart());
      process.stderr.write(`${path}:${line + 1} ${what}: ${fix}\n`);
      found += 1;
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
}
for (const problem of isolatedSpecProblems(texts)) {
  process.stderr.write(`${problem}\n`);
  found += 1;
}
process.stdout.write(`house rules: ${found} places break one\n`);
process.exitCode = found > 0 ? 1 : 0;
