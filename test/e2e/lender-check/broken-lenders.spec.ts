import { describe, expect, it } from 'vitest';
import type { Outcome } from '../../../examples/lender-check/suite.ts';
import { CASES } from '../../../examples/lender-check/cases/index.ts';
import { BROKEN_LENDERS } from './broken-lenders.js';
import { check } from './stage.js';

const TIMEOUT_MS = 180_000;

function failed({ results }: Outcome): string[] {
  return results.filter(({ status }) => status === 'FAILED').map(({ id }) => id);
}

describe('the conformance suite', () => {
  it(
    'runs every case against the reference lender, and each passes',
    async () => {
      const outcome = await check();
      const other = outcome.results.filter(({ status }) => status !== 'PASSED');
      expect(other).toEqual([]);
      expect(outcome.results).toHaveLength(CASES.length);
    },
    TIMEOUT_MS,
  );
});

describe.concurrent('a broken lender that', () => {
  it.each(BROKEN_LENDERS)(
    '$name fails exactly its cases',
    async ({ fails, change, passesUnvisitedSteps = false }) => {
      const outcome = await check({ passesUnvisitedSteps, ...(change && { change }) });
      expect(failed(outcome)).toEqual(fails);
    },
    TIMEOUT_MS,
  );
});
