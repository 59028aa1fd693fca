import ts from 'typescript';
import { dirname, join } from 'node:path/posix';

const STARTERS = new Map([
  ['test/support/service.ts', ['startService', 'startTwoReplicas']],
  ['test/support/spawned-service.ts', ['spawnService']],
  ['test/support/test-database.ts', ['createTestDatabase', 'createEmptyDatabase']],
]);
const SHARED = 'test/support/shared-service.ts';
// Only ever lowered.
const MAX_ISOLATED = 80;
const REASON = '// Isolated: ';

interface Import {
  readonly from: string;
  readonly names: readonly string[];
}

/** Specs share the service of their worker. */
export function isolatedSpecProblems(texts: ReadonlyMap<string, string>): string[] {
  const imports = new Map([...texts].map(([path, text]) => [path, importsOf(path, text)]));
  const starting = new Set<string>();
  for (let size = -1; size < starting.size;) {
    size = starting.size;
    for (const [path, all] of imports) {
      if (path !== SHARED && all.some((one) => starts(one, starting))) starting.add(path);
    }
  }
  const specs = [...texts].filter(([path]) => path.endsWith('.spec.ts'));
  const isolated = specs.filter(([path]) => path.includes('.isolated.'));
  const problems = specs.flatMap(([path, text]) => {
    const isNamed = path.includes('.isolated.');
    if (starting.has(path) && !isNamed)
      return [`${path}:1 starts a service or a database: share one, or name it *.isolated.spec.ts`];
    if (isNamed && !text.startsWith(REASON))
      return [`${path}:1 an isolated spec begins with "${REASON}" and the reason`];
    return [];
  });
  if (isolated.length <= MAX_ISOLATED) return problems;
  return [
    ...problems,
    `test:1 ${isolated.length} isolated specs: ${MAX_ISOLATED} are allowed, share a service`,
  ];
}

function starts({ from, names }: Import, starting: ReadonlySet<string>): boolean {
  const starters = STARTERS.get(from);
  return starters ? names.some((name) => starters.includes(name)) : starting.has(from);
}

function importsOf(path: string, text: string): Import[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest);
  return file.statements.filter(ts.isImportDeclaration).flatMap((declaration) => {
    const specifier = (declaration.moduleSpecifier as ts.StringLiteral).text;
    const clause = declaration.importClause;
    if (!specifier.startsWith('.') || !clause || clause.isTypeOnly) return [];
    const bindings = clause.namedBindings;
    if (!bindings || !ts.isNamedImports(bindings)) return [];
    const values = bindings.elements.filter((element) => !element.isTypeOnly);
    if (values.length === 0) return [];
    const from = join(dirname(path), specifier).replace(/js$/, 'ts');
    return [{ from, names: values.map(({ name, propertyName }) => (propertyName ?? name).text) }];
  });
}
