/**
 * One table, one store: finds every place in src that names a table outside the `store/` folder of its entity. It reads
 * strings and templates, because they contain the SQL, the SQL of database functions, and imports.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import ts from 'typescript';

export interface Trespass {
  readonly file: string;
  readonly line: number;
  readonly what: string;
}

interface SourceFile {
  readonly path: string;
  readonly tree: ts.SourceFile;
}

/** Words after which SQL names a table. */
const BEFORE_A_TABLE = String.raw`(?:FROM|JOIN|INTO|UPDATE|ONLY|TABLE|USING|REFERENCES|TRUNCATE|ON)\s+|NULL::|,\s*`;

const A_PURPOSE = /^\w+(\.\w+)+$/;

export function findTrespasses(root: string): Trespass[] {
  const files = sourcePaths(root, '.ts').map((path) => parse(root, path));
  const owners = new Map(files.flatMap(tablesOf));
  const functions = sourcePaths(root, '.sql').flatMap((path) =>
    trespassesOfSql(root, path, owners),
  );
  const homeless = [...owners]
    .filter(([, path]) => !isStore(dirname(path)))
    .map(([table, file]) => ({ file, line: 1, what: `${table} has no store` }));
  return [...homeless, ...files.flatMap((file) => trespassesOf(file, owners)), ...functions];
}

function sourcePaths(root: string, suffix: string): string[] {
  return readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith(suffix) && !path.endsWith('.spec.ts'))
    .map((path) => join('src', path))
    .toSorted();
}

function parse(root: string, path: string): SourceFile {
  const text = readFileSync(join(root, path), 'utf8');
  return { path, tree: ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true) };
}

function tablesOf({ path, tree }: SourceFile): [table: string, path: string][] {
  const found: [string, string][] = [];
  visit(tree, (node) => {
    if (!ts.isDecorator(node) || !ts.isCallExpression(node.expression)) return;
    const { expression, arguments: given } = node.expression;
    if (expression.getText(tree) !== 'Entity') return;
    if (given[0] && ts.isStringLiteralLike(given[0])) found.push([given[0].text, path]);
  });
  return found;
}

function trespassesOf(file: SourceFile, owners: ReadonlyMap<string, string>): Trespass[] {
  const found: Trespass[] = [];
  const add = (node: ts.Node, what: string) => {
    const line = file.tree.getLineAndCharacterOfPosition(node.getStart(file.tree)).line + 1;
    found.push({ file: file.path, line, what });
  };
  visit(file.tree, (node) => {
    const imported = importedFrom(node, file.path);
    if (imported?.endsWith('.entity.ts') && !mayImport(file.path, imported, node)) {
      add(node, `imports ${relative('src', imported)}`);
    }
    const text = textOf(node);
    if (text === null) return;
    const created = /\bCREATE\s+TABLE\s+(?:IF\s+NOT\s+EXISTS\s+)?(\w+)/i.exec(text)?.[1];
    if (created) add(node, `creates ${created}`);
    for (const [table, path] of owners) {
      if (!isIn(file.path, storeOf(path)) && names(text, table)) add(node, `names ${table}`);
    }
  });
  return found;
}

function trespassesOfSql(
  root: string,
  file: string,
  owners: ReadonlyMap<string, string>,
): Trespass[] {
  const lines = readFileSync(join(root, file), 'utf8').split('\n');
  return [...owners]
    .filter(([, path]) => !isIn(file, storeOf(path)))
    .flatMap(([table]) => {
      const line = lines.findIndex((text) => names(text.replace(/--.*/, ''), table)) + 1;
      return line === 0 ? [] : [{ file, line, what: `names ${table}` }];
    });
}

/** A name of several words is always the table; a single word only where SQL names a table. */
function names(text: string, table: string): boolean {
  if (A_PURPOSE.test(text)) return false;
  const isPlainWord = !table.includes('_');
  const before = isPlainWord ? `(?:${BEFORE_A_TABLE})` : String.raw`\b`;
  if (isPlainWord && !/\b(SELECT|INSERT|UPDATE|DELETE|FROM|JOIN|LOCK|TRUNCATE|NULL::)/.test(text)) {
    return false;
  }
  return new RegExp(String.raw`${before}${table}\b`).test(text);
}

function textOf(node: ts.Node): string | null {
  if (ts.isStringLiteralLike(node)) {
    return isModuleName(node) || isMetricName(node) ? null : node.text;
  }
  if (!ts.isTemplateExpression(node)) return null;
  return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join(' ');
}

function isModuleName({ parent }: ts.Node): boolean {
  return ts.isImportDeclaration(parent) || ts.isExportDeclaration(parent);
}

function isMetricName(node: ts.Node): boolean {
  const { parent: made } = node;
  if (!ts.isCallExpression(made) || made.arguments[0] !== node) return false;
  const { expression } = made;
  return (
    ts.isPropertyAccessExpression(expression) &&
    ['counter', 'gauge', 'histogram'].includes(expression.name.text)
  );
}

function importedFrom(node: ts.Node, path: string): string | null {
  if (!ts.isImportDeclaration(node) && !ts.isExportDeclaration(node)) return null;
  const from = node.moduleSpecifier;
  if (!from || !ts.isStringLiteral(from) || !from.text.startsWith('.')) return null;
  return normalize(join(dirname(path), from.text)).replace(/\.js$/, '.ts');
}

/**
 * The whole module and its index may use a row's type. Only the store and other entities' foreign keys may use its
 * class, because TypeORM opens the table with it.
 */
function mayImport(path: string, entity: string, node: ts.Node): boolean {
  if (path.endsWith('.entity.ts') || isIn(path, storeOf(entity))) return true;
  return isOfTypes(node) && isIn(path, join(...entity.split('/').slice(0, 2)));
}

function isOfTypes(node: ts.Node): boolean {
  if (ts.isExportDeclaration(node)) {
    const { exportClause } = node;
    if (node.isTypeOnly || !exportClause || !ts.isNamedExports(exportClause))
      return node.isTypeOnly;
    return exportClause.elements.every(({ isTypeOnly }) => isTypeOnly);
  }
  if (!ts.isImportDeclaration(node)) return false;
  return node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword;
}

function storeOf(entity: string): string {
  const folder = dirname(entity);
  return isStore(folder) ? folder : join(...entity.split('/').slice(0, 2), 'store');
}

function isStore(folder: string): boolean {
  return folder.split('/').includes('store');
}

function isIn(path: string, folder: string): boolean {
  return path.startsWith(`${folder}/`);
}

function visit(node: ts.Node, look: (node: ts.Node) => void): void {
  look(node);
  ts.forEachChild(node, (child) => visit(child, look));
}
