import { existsSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { projectPath } from '../../../src/platform/index.js';

interface Row {
  id: string;
  rule: string;
  source: string;
  proof: string;
}

const PAGE = 'docs/conformance.md';
const ID = /^[A-Z]+-\d+$/;
/** One or more, in code marks, with a comma between: path, ›, a piece of a title, maybe › another. */
const PROOFS = /`([^`]+)`(?:, )?/g;
const MIN_PIECE = 8;
/** Checks of the code itself, which are no tests. */
const SCRIPTS = new Set(['npm run boundaries']);
const TITLED = new Set(['describe', 'it', 'test']);
const NOT_RUN = new Set(['skip', 'todo', 'skipIf', 'fails']);

/** The rows of every table of the page. */
function rowsOf(page: string): Row[] {
  return page.split('\n').flatMap((line) => {
    if (!line.startsWith('|')) return [];
    const [id, rule, source, proof = ''] = line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim());
    return id === '#' || id.startsWith('-') ? [] : [{ id, rule, source, proof }];
  });
}

const titles = new Map<string, string[][]>();

/** Every test of a file as the titles that lead to it; those of `each` with their placeholders. */
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

/** What is wrong with one proof; null when it names a test that is there. */
function problemOf(proof: string): string | null {
  if (proof.startsWith('npm run ')) return SCRIPTS.has(proof) ? null : `there is no ${proof}`;
  const [path, ...pieces] = proof.split(' › ').map((part) => part.trim());
  if (pieces.length === 0) return 'names no test';
  if (!pieces.some((piece) => piece.length >= MIN_PIECE)) return 'names a test too shortly';
  if (!path.endsWith('.spec.ts') || !existsSync(projectPath(path))) return `there is no ${path}`;
  const isThere = testsOf(path).some((chain) => {
    let place = 0;
    // Every piece in a title of its own, from the outside to the inside.
    return pieces.every((piece) => {
      const at = chain.findIndex((title, index) => index >= place && title.includes(piece));
      place = at + 1;
      return at >= 0;
    });
  });
  return isThere ? null : `${path} has no test "${pieces.join(' › ')}"`;
}

function problemsOf({ id, rule, source, proof }: Row) {
  const problems = [];
  if (!ID.test(id)) problems.push('has no id like AUTH-3');
  if (rule.length < MIN_PIECE || source === '') problems.push('says too little');
  const proofs = [...proof.matchAll(PROOFS)].map(([, one]) => one);
  if (proofs.length === 0) problems.push('has no proof');
  if (proof.replaceAll(PROOFS, '') !== '') problems.push('has more beside its proofs');
  return [...problems, ...proofs.map(problemOf).filter((one) => one !== null)];
}

const table = (rows: string[]) =>
  rowsOf(['| # | What | Source | Proof |', '| - | - | - | - |', ...rows].join('\n'));
const here = 'test/e2e/contract/conformance.spec.ts';

describe('docs/conformance.md', () => {
  const rows = rowsOf(readFileSync(projectPath(PAGE), 'utf8'));

  it('names for every rule a test that is there', () => {
    expect(rows.length).toBeGreaterThan(150);
    const problems = rows.flatMap((row) => problemsOf(row).map((one) => `${row.id}: ${one}`));
    expect(problems).toEqual([]);
  });

  it('gives every rule an id of its own', () => {
    const ids = rows.map(({ id }) => id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });
});

describe('the reading of the table', () => {
  it.each([
    ['', 'has no proof'],
    ['`test/e2e/none.spec.ts › some test`', 'there is no test/e2e/none.spec.ts'],
    ['`src/main.ts › some test`', 'there is no src/main.ts'],
    [`\`${here}\``, 'names no test'],
    ['`npm run nothing`', 'there is no npm run nothing'],
    [`\`${here} › it\``, 'names a test too shortly'],
    [`\`${here} › something else\``, `${here} has no test "something else"`],
    [
      `\`${here} › finds what › the reading of\``,
      `${here} has no test "finds what › the reading of"`,
    ],
    [`\`${here} › the reading of\` and so on`, 'has more beside its proofs'],
  ])('notices the proof %s', (proof, problem) => {
    const [row] = table([`| X-1 | A rule that holds | spec | ${proof} |`]);
    expect(problemsOf(row)).toEqual([problem]);
  });

  it('finds what is there, by pieces of titles and by templates', () => {
    const proofs = [
      `\`${here} › the reading of the table › finds what is\``,
      `\`${here} › notices the proof %s\``,
    ];
    const [row] = table([`| X-1 | A rule that holds | spec | ${proofs.join(', ')} |`]);
    expect(problemsOf(row)).toEqual([]);
  });
});
