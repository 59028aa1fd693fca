import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const MAX_LINES = 300;

interface Source {
  /** From the project's root: `src/auth/index.ts`. */
  readonly path: string;
  readonly text: string;
}

interface Ban {
  /** What to do instead. */
  readonly mend: string;
  readonly isBroken: (node: ts.Node) => boolean;
}

const BANS: Record<string, Ban> = {
  'Date.now()': {
    mend: 'inject Clock',
    isBroken: (node) =>
      ts.isPropertyAccessExpression(node) && /^Date\s*\.\s*now$/.test(node.getText()),
  },
  'new Date() without arguments': {
    mend: 'inject Clock',
    isBroken: (node) =>
      ts.isNewExpression(node) && node.expression.getText() === 'Date' && !node.arguments?.length,
  },
  'Date() as a function': {
    mend: 'inject Clock',
    isBroken: (node) => ts.isCallExpression(node) && node.expression.getText() === 'Date',
  },
  'randomUUID()': {
    mend: 'inject IdGenerator, or RandomSource for a secret',
    isBroken: (node) => ts.isIdentifier(node) && node.text === 'randomUUID',
  },
  'forwardRef()': {
    mend: 'imports run one way: declare a port below, or raise a Signal',
    isBroken: (node) => ts.isIdentifier(node) && node.text === 'forwardRef',
  },
  'as any': {
    mend: 'give it its type, or unknown',
    isBroken: (node) => ts.isAsExpression(node) && node.type.kind === ts.SyntaxKind.AnyKeyword,
  },
  'synchronize: true': {
    mend: 'write a migration',
    isBroken: (node) =>
      ts.isPropertyAssignment(node) &&
      /^['"]?synchronize['"]?$/.test(node.name.getText()) &&
      node.initializer.kind !== ts.SyntaxKind.FalseKeyword,
  },
};

const CLOCK_BANS = [
  'Date.now()',
  'new Date() without arguments',
  'Date() as a function',
  'randomUUID()',
];

function sourcesIn(folder: string): Source[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => ({ path: relative(ROOT, file), text: readFileSync(file, 'utf8') }));
}

/** Where a source breaks the named bans, as `path:line ban: what to do instead`. */
function breachesIn({ path, text }: Source, names: string[]): string[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node) => {
    for (const name of names.filter((one) => BANS[one].isBroken(node))) {
      const { line } = file.getLineAndCharacterOfPosition(node.getStart());
      found.push(`${path}:${line + 1} ${name}: ${BANS[name].mend}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

describe('the house rules', () => {
  const sources = sourcesIn('src');
  const written = sources.filter(({ path }) => !path.endsWith('.spec.ts'));

  it('let no file of src outside platform read the time or make an id by itself', () => {
    const outside = written.filter(({ path }) => !path.startsWith('src/platform/'));
    expect(outside.length).toBeGreaterThan(0);
    expect(outside.flatMap((source) => breachesIn(source, CLOCK_BANS))).toEqual([]);
  });

  it('let nothing of src, the migrations and the tests go round the module order, types or schema', () => {
    const all = [...sources, ...sourcesIn('migrations'), ...sourcesIn('test')];
    const names = Object.keys(BANS).filter((name) => !CLOCK_BANS.includes(name));
    expect(all.flatMap((source) => breachesIn(source, names))).toEqual([]);
  });

  it(`let no file of src be longer than ${MAX_LINES} lines`, () => {
    const lengths = written.map(({ path, text }) => ({ path, lines: text.split('\n').length - 1 }));
    expect(lengths.filter(({ lines }) => lines > MAX_LINES)).toEqual([]);
  });

  it.each([
    ['Date.now()', 'const t = Date.now();'],
    ['Date.now()', 'const now = Date.now;'],
    ['new Date() without arguments', 'const d = new Date();'],
    ['new Date() without arguments', 'const d = new Date;'],
    ['Date() as a function', 'const d = Date();'],
    ['randomUUID()', 'import { randomUUID as id } from "node:crypto";'],
    ['randomUUID()', 'globalThis.crypto.randomUUID();'],
    ['forwardRef()', 'inject(forwardRef(() => A));'],
    ['as any', 'const a = {} as any;'],
    ['synchronize: true', 'const o = { synchronize: true };'],
    ['synchronize: true', 'const o = { "synchronize": !production };'],
  ])('notice %s in: %s', (name, text) => {
    expect(breachesIn({ path: 'x.ts', text }, Object.keys(BANS))).toEqual([
      `x.ts:1 ${name}: ${BANS[name].mend}`,
    ]);
  });

  it.each([
    'const d = new Date(0);',
    'const d = new Date(clock.now());',
    '// new Date() and Date.now()',
    'const text = "new Date() as any";',
    'const o = { synchronize: false };',
    'const d: Date = clock.now();',
  ])('have nothing against: %s', (text) => {
    expect(breachesIn({ path: 'x.ts', text }, Object.keys(BANS))).toEqual([]);
  });
});
