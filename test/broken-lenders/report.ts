import { CASES } from '../../examples/lender-check/cases/index.ts';
import { type BrokenResult, failsExactly } from './broken-run.ts';

/** One line for each lender, and the totals. */
export function brokenTable(results: readonly BrokenResult[]): string {
  const good = results.filter(failsExactly).length;
  const seen = new Set(results.flatMap(({ failed }) => failed ?? []));
  const unseen = CASES.map(({ id }) => id).filter((id) => !seen.has(id));
  return [
    ...results.map(lineOf),
    `${good} of ${results.length} broken lenders failed exactly their cases.`,
    `${seen.size} of ${CASES.length} cases failed at least once. Never: ${unseen.join(' ')}`,
  ].join('\n');
}

function lineOf(result: BrokenResult): string {
  const { lender, failed, notRun, seconds, problem } = result;
  const what = problem ?? (failed?.join(' ') || 'nothing');
  const expected = failsExactly(result) ? '' : ` EXPECTED ${lender.fails.join(' ')}`;
  return `${lender.name}: ${what} (${notRun} not run, ${seconds.toFixed(1)} s)${expected}`;
}
