import { expect, it } from 'vitest';
import { projectPath } from '../../src/platform/index.js';
import { AREAS } from './areas.ts';
import { staleMutants } from './stale-mutants.ts';

it('every mutant can still be made: its text stands once, its specs are there, its id is its own', () => {
  const mutants = Object.values(AREAS).flat();
  expect(staleMutants(projectPath('.'), mutants)).toEqual([]);
  expect(mutants.length).toBeGreaterThan(100);
});
