import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { projectPath } from '../../../src/platform/index.js';

const SEGMENT = '000000010000000000000004';
const HEADER = 'one cluster, its timeline, its position '.padEnd(40);

describe('the script that archives WAL', () => {
  const folders: string[] = [];
  let archive: string;

  beforeEach(() => {
    archive = mkdtempSync(join(tmpdir(), 'rinpath-archive-'));
    folders.push(archive);
  });

  afterAll(() => {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  });

  function archived(name: string, content: string): number | null {
    const own = mkdtempSync(join(tmpdir(), 'rinpath-wal-'));
    folders.push(own);
    const file = join(own, name);
    writeFileSync(file, content);
    const script = projectPath('deploy/patroni/archive-wal');
    return spawnSync('sh', [script, file, join(archive, name)], { stdio: 'ignore' }).status;
  }

  function kept(): Record<string, string> {
    const names = readdirSync(archive).toSorted();
    return Object.fromEntries(
      names.map((name) => [name, readFileSync(join(archive, name), 'utf8')]),
    );
  }

  it('keeps beside the first what another node has after the last that they had in common', () => {
    const first = `${HEADER}common, and what a lost primary wrote`;
    const second = `${HEADER}common`;
    expect([first, second, first, second].map((one) => archived(SEGMENT, one))).toEqual([
      0, 0, 0, 0,
    ]);
    expect(kept()).toEqual({ [SEGMENT]: first, [`${SEGMENT}.1`]: second });
  });

  it.each([
    ['the segment of another cluster', SEGMENT, `${HEADER}rest`, `another ${HEADER}rest`],
    ['another history of the same timeline', '00000002.history', HEADER, `${HEADER}1 0/47C0000`],
  ])('refuses %s', (_, name, one, another) => {
    expect([archived(name, one), archived(name, another)]).toEqual([0, 1]);
    expect(kept()).toEqual({ [name]: one });
  });
});
