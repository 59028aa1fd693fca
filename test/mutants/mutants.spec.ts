import {
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
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { projectPath } from '../../src/platform/index.js';
import { problemsOf, readMutants } from './list.ts';
import { runMutants } from './mutant-run.ts';

it('every mutant fits the code: its text is there once, and it has a spec', () => {
  const mutants = readMutants(readFileSync(projectPath('test/mutants/mutants.txt'), 'utf8'));
  expect(problemsOf(projectPath('.'), mutants)).toEqual([]);
  expect(mutants.length).toBeGreaterThan(100);
});

const CODE = `export const most = 3;
export const least = 1;
`;
const FILES = {
  'package.json': '{ "type": "module" }',
  'tsconfig.json': '{ "compilerOptions": { "module": "nodenext", "target": "es2024" } }',
  'vitest.config.ts': `export default { test: { include: ['src/*.spec.ts'] } };`,
  'src/room.ts': CODE,
  'src/room.spec.ts': `import { expect, it } from 'vitest';
import { most } from './room.js';
const { most: built } = await import(new URL('../dist/src/room.js', import.meta.url).href);
it('has room for three', () => expect([most, built]).toEqual([3, 3]));
`,
  'dist/src/room.js': 'export const most = 3;\n',
};
const TWO = `== src/room.ts : .
Three fit
- most = 3
+ most = 2
One is enough
- least = 1
+ least = 0
`;

let temporary: string;
let root: string;

beforeAll(() => {
  temporary = mkdtempSync(join(tmpdir(), 'rinpath-toy-'));
  vi.stubEnv('TMPDIR', temporary);
  root = join(temporary, 'tree');
  for (const folder of ['src', 'dist/src']) mkdirSync(join(root, folder), { recursive: true });
  symlinkSync(projectPath('node_modules'), join(root, 'node_modules'));
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(root, name), text);
});

afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(temporary, { recursive: true, force: true });
});

function run(mutants: string, hasBaseline: boolean) {
  const options = { jobs: 1, timeoutMs: 60_000, environment: {}, log: () => undefined };
  const { signal } = new AbortController();
  return runMutants({ ...options, root, mutants: readMutants(mutants), hasBaseline, signal });
}

it('a mutant is killed by a failing test, or survives; the tree stays as it was', async () => {
  const results = await run(TWO, false);
  expect(results.map(({ outcome, by }) => [outcome, by])).toEqual([
    ['KILLED', 'has room for three'],
    ['SURVIVED', '1 tests passed'],
  ]);
  expect(readFileSync(join(root, 'src/room.ts'), 'utf8')).toBe(CODE);
  expect(readdirSync(temporary)).toEqual(['tree']);
});

it('nothing runs when a spec fails on unbroken code', async () => {
  const spec = join(root, 'src/room.spec.ts');
  writeFileSync(spec, FILES['src/room.spec.ts'].replace('[3, 3]', '[4, 4]'));
  await expect(run(TWO, true)).rejects.toThrow('Fails on unbroken code: has room for three');
});

it.each([
  ['- most = 4\n+ most = 2', 'R: is 0 times in src/room.ts, not once: most = 4'],
  ['- export\n+ import', 'R: is 2 times in src/room.ts, not once: export'],
  ['- most = 3\n+ most = 3', 'R: changes nothing'],
  ['- most = 3\n+ most = (3', 'R: does not compile'],
])('a list with %j is refused', async (change, problem) => {
  await expect(run(`== src/room.ts : .\nR\n${change}`, false)).rejects.toThrow(problem);
});
