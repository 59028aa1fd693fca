import { expect, it } from 'vitest';
import { BATCHES } from '../../bench/batches/batch-list.ts';
import { SWITCHED } from '../../bench/request-log.ts';
import { staleEdits } from '../../bench/support/built-copy.ts';

it('what a bench takes out of the built service is there once', () => {
  expect(BATCHES.length).toBeGreaterThan(7);
  const edits = [...BATCHES.flatMap((batch) => batch.edits), SWITCHED];
  expect(staleEdits(edits)).toEqual([]);
});
