import { existsSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { projectPath } from '../../src/platform/index.js';

const PROOFS = /`([^`]+)`(?:, )?/g;
const MIN_PIECE = 8;
const SCRIPTS = new Set(['npm run boundaries']);
const TITLED = new Set(['describe', 'it', 'test']);
const NOT_RUN = new Set(['skip', 'todo', 'skipIf', 'fails']);

/** The cells of every table row of a page, without heading rows, which begin with `#`. */
export function tableRows(page: string): string[][] {
  return page.split('\n').flatMap((line) => {
    if (!line.startsWith('|')) return [];
    const cells = line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim());
    return cells[0] === '#' || cells[0].startsWith('-') ? [] : [cells];
  });
}

/** The problems of a cell that names tests as proofs; empty if all of them exist. */
export function proofProblems(cell: string): string[] {
  const proofs = [...cell.matchAll(PROOFS)].map(([, one]) => one);
  return [
    ...(proofs.length === 0 ? ['has no proof'] : []),
    ...(cell.replaceAll(PROOFS, '') === '' ? [] : ['has more beside its proofs']),
    ...proofs.map(problemOf).filter((one) => one !== null),
  ];
}

function problemOf(proof: string): string | null {
  if (proof.startsWith('npm run ')) return SCRIPTS.has(proof) ? null : `there is no ${proof}`;
  const [path, ...pieces] = proof.split(' › ').map((part) => part.trim());
  if (pieces.length === 0) return 'names no test';
  if (!pieces.some((piece) => piece.length >= MIN_PIECE)) return 'names a test too shortly';
  if (!path.endsWith('.spec.ts') || !existsSync(projectPath(path))) return `there is no ${path}`;
  const isThere = testsOf(path).some((chain) => {
    let place = 0;
    // Each part is in its own title, from the outermost to the innermost.
    return pieces.every((piece) => {
      const at = chain.findIndex((title, index) => index >= place && title.includes(piece));
      place = at + 1;
      return at >= 0;
    });
  });
  return isThere ? null : `${path} has no test "${pieces.join(' › ')}"`;
}

const titles = new Map<string, string[][]>();

function testsOf(path: string): string[][] {
  const known = titles.get(path);
  if (known) return known;
  const file = ts.createSourceFile(
    path,
    readFileSync(projectPath(path), 'utf8'),
    ts.ScriptTarget.Latest,
    true,
  );
  const found: string[][] = [];
  const visit = (node: ts.Node, above: string[]): void => {
    const call = ts.isCallExpression(node) ? titledCall(node) : null;
    if (call?.isRun === false) return;
    const chain = call ? [...above, call.title] : above;
    if (call && call.name !== 'describe') found.push(chain);
    else ts.forEachChild(node, (child) => visit(child, chain));
  };
  visit(file, []);
  titles.set(path, found);
  return found;
}

function titledCall(node: ts.CallExpression) {
  const [title] = node.arguments;
  if (!title || !(ts.isStringLiteralLike(title) || ts.isTemplateExpression(title))) return null;
  const names: string[] = [];
  let callee: ts.Expression = node.expression;
  while (!ts.isIdentifier(callee)) {
    if (ts.isPropertyAccessExpression(callee)) names.push(callee.name.text);
    else if (!ts.isCallExpression(callee) && !ts.isTaggedTemplateExpression(callee)) return null;
    callee = ts.isTaggedTemplateExpression(callee) ? callee.tag : callee.expression;
  }
  if (!TITLED.has(callee.text)) return null;
  const text = ts.isStringLiteralLike(title) ? title.text : title.getText().slice(1, -1);
  return { name: callee.text, title: text, isRun: !names.some((name) => NOT_RUN.has(name)) };
}
