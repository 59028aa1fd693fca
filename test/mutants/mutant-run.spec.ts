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
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { projectPath } from '../../src/platform/index.js';
import type { Mutant } from './mutant.ts';
import { type MutantRunOptions, runMutants } from './mutant-run.ts';
import { reportOf } from './report.ts';
import { staleMutants } from './stale-mutants.ts';

const CODE = `export const most = 3;
export const least = 1;
export function isRoom(taken: number): boolean {
  return taken < most;
}
export function waits(): number {
  let rounds = 0;
  while (rounds < least) rounds += 1;
  return rounds;
}
`;
const SPEC = `import { expect, it } from 'vitest';
import { isRoom, waits } from './room.js';
it('three fit', () => expect([2, 3].map(isRoom)).toEqual([true, false]));
it('one round is waited for', () => expect(waits()).toBe(1));
`;
const CONFIGURATION = `export default { test: { include: ['src/*.spec.ts'] } };\n`;

let temporary: string;
let root: string;

beforeAll(() => {
  temporary = mkdtempSync(join(tmpdir(), 'rinpath-toy-'));
  vi.stubEnv('TMPDIR', temporary);
  root = join(temporary, 'tree');
  mkdirSync(join(root, 'src'), { recursive: true });
  mkdirSync(join(root, 'dist/src'), { recursive: true });
  symlinkSync(projectPath('node_modules'), join(root, 'node_modules'));
  const files = {
    'package.json': '{ "type": "module" }',
    'tsconfig.json': typeOptions(),
    'vitest.config.ts': CONFIGURATION,
    'src/room.ts': CODE,
    'src/room.spec.ts': SPEC,
    'src/built.spec.ts':
      `import { expect, it } from 'vitest';\n` +
      `const { most } = await import(new URL('../dist/src/room.js', import.meta.url).href);\n` +
      `it('is built with three', () => expect(most).toBe(3));\n`,
    'dist/src/room.js': 'export const most = 3;\n',
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(root, name), text);
});

afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(temporary, { recursive: true, force: true });
});

/** The project's; of the toy only what is broken is type-checked, which needs no types of packages. */
function typeOptions(): string {
  const path = projectPath('tsconfig.json');
  const { config } = ts.parseConfigFileTextToJson(path, readFileSync(path, 'utf8'));
  const { compilerOptions } = config as { compilerOptions: object };
  return JSON.stringify({
    compilerOptions: { ...compilerOptions, types: [] },
    include: ['src/room.ts'],
  });
}

function mutant(changes: Partial<Mutant>): Mutant {
  return {
    id: 'two-fit',
    rule: 'Three fit',
    file: 'src/room.ts',
    find: 'most = 3',
    replace: 'most = 2',
    specs: ['src/room.spec.ts'],
    ...changes,
  };
}

function run(mutants: readonly Mutant[], options: Partial<MutantRunOptions> = {}) {
  return runMutants({
    root,
    mutants,
    jobs: 1,
    timeoutMs: 60_000,
    hasBaseline: false,
    environment: {},
    signal: new AbortController().signal,
    tell: () => undefined,
    ...options,
  });
}

describe('a broken copy', () => {
  it('is killed by the first test that fails, survives when none does, is not believed when none ran, and leaves the tree as it was', async () => {
    const told: string[] = [];
    const mutants = [
      mutant({}),
      mutant({ id: 'less-waits', only: 'three fit', find: 'least = 1', replace: 'least = 0' }),
      mutant({ id: 'two-are-built', specs: ['src/built.spec.ts'] }),
      mutant({ id: 'untested', only: 'nothing of the sort' }),
    ];
    const results = await run(mutants, { jobs: 2, tell: (line) => told.push(line) });
    expect(results.map(({ mutant: { id }, outcome, by }) => [id, outcome, by])).toEqual([
      ['two-fit', 'KILLED', 'src/room.spec.ts: three fit'],
      ['less-waits', 'SURVIVED', '1 tests passed'],
      ['two-are-built', 'KILLED', 'src/built.spec.ts: is built with three'],
      ['untested', 'NOT_RUN', 'no test has such a title'],
    ]);
    expect(told).toHaveLength(4);
    expect(readFileSync(join(root, 'src/room.ts'), 'utf8')).toBe(CODE);
    expect(readdirSync(temporary)).toEqual(['tree']);
  });

  it('that never ends is timed out', async () => {
    const endless = mutant({ id: 'endless', find: 'rounds += 1', replace: 'rounds += 0' });
    const [{ outcome }] = await run([endless], { timeoutMs: 2_000 });
    expect(outcome).toBe('TIMED_OUT');
  });
});

describe('a list is refused', () => {
  it('when a text is not found once, a spec or a file is away, or an id stands twice', () => {
    const stale = [
      mutant({ find: 'most = 4' }),
      mutant({ id: 'many', find: 'return' }),
      mutant({ id: 'away', file: 'src/away.ts' }),
      mutant({ id: 'no-spec', specs: ['src/away.spec.ts'] }),
      mutant({ id: 'same', replace: 'most = 3' }),
      mutant({}),
    ];
    expect(staleMutants(root, stale)).toEqual([
      'two-fit: its text stands 0 times in src/room.ts, not once',
      'many: its text stands 2 times in src/room.ts, not once',
      'away: there is no src/away.ts',
      'no-spec: there is no src/away.spec.ts',
      'same: it changes nothing',
      'two-fit: the id stands twice',
    ]);
  });

  it('when a copy would not compile, since the compiler sees that before any test', async () => {
    const mutants = [
      mutant({ id: 'text', replace: "most = '3'" }),
      mutant({ id: 'no-end', replace: 'most = (3' }),
    ];
    await expect(run(mutants)).rejects.toThrow(
      /^text: its copy does not compile: .*\nno-end: its copy does not compile: /,
    );
  });

  it('when a spec fails without anything being broken', async () => {
    const spec = 'src/room.spec.ts';
    writeFileSync(join(root, spec), SPEC.replace('toBe(1)', 'toBe(2)'));
    await expect(run([mutant({})], { hasBaseline: true })).rejects.toThrow(
      'Without anything broken this fails: src/room.spec.ts: one round is waited for',
    );
    writeFileSync(join(root, spec), SPEC);
  });

  it('when a filter lets no test of a spec through', async () => {
    const mutants = [mutant({ only: 'nothing of the sort' })];
    await expect(run(mutants, { hasBaseline: true })).rejects.toThrow(
      'two-fit: src/room.spec.ts has no test that its filter lets through',
    );
  });
});

describe('the report', () => {
  const result = (outcome: 'KILLED' | 'SURVIVED' | 'TIMED_OUT', equivalent?: string) => ({
    mutant: mutant(equivalent === undefined ? {} : { equivalent }),
    outcome,
    by: 'three fit',
    seconds: 1,
  });

  it.each([
    ['a kill', result('KILLED'), true],
    ['a survivor', result('SURVIVED'), false],
    ['a survivor that is explained', result('SURVIVED', 'It is the same.'), true],
    ['a kill of what is explained', result('KILLED', 'It is the same.'), false],
    ['a time-out', result('TIMED_OUT'), false],
  ])('of %s', (_, one, isGood) => {
    const report = reportOf([one], 2);
    expect(report.isGood).toBe(isGood);
    expect(report.lines.some((line) => line.startsWith('FINDING'))).toBe(!isGood);
    expect(JSON.parse(report.json)).toMatchObject({ figures: { mutants: 1, seconds: 2 } });
  });
});
