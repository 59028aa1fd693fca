import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { keptText } from './kept-text.js';

let dir: string;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'rinpath-kept-'));
});

afterEach(() => rmSync(dir, { recursive: true, force: true }));

it('makes a text once and answers it ever after', () => {
  const file = join(dir, 'deep', 'secret');
  expect(keptText(file, () => 'first')).toBe('first');
  expect(keptText(file, () => 'second')).toBe('first');
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

it('answers what another process made a moment earlier, and leaves nothing behind', () => {
  const file = join(dir, 'secret');
  const made = keptText(file, () => {
    keptText(file, () => 'the other one');
    return 'this one';
  });
  expect(made).toBe('the other one');
  expect(readdirSync(dir)).toEqual(['secret']);
});
