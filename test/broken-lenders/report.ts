import { CASES } from '../../examples/lender-check/cases/index.ts';
import { type BrokenResult, failsExactly } from './broken-run.ts';

const HEAD = ['A lender that', 'fails', 'not run', 'seconds', ''];

/** A line for each lender, and what it comes to. */
export function brokenTable(results: readonly BrokenResult[]): string {
  const good = results.filter(failsExactly).length;
  const seen = new Set(results.flatMap(({ failed }) => failed ?? []));
  const unseen = CASES.map(({ id }) => id).filter((id) => !seen.has(id));
  return [
    ...aligned([HEAD, ...results.map(row)]),
    '',
    `${good} of ${results.length} broken lenders failed exactly their cases.`,
    `${seen.size} of ${CASES.length} cases failed at least once.`,
    ...(unseen.length > 0 ? [`Never: ${unseen.join(' ')}`] : []),
    '',
  ].join('\n');
}

function row(result: BrokenResult): string[] {
  const { lender, failed, notRun, seconds, problem } = result;
  const seen = problem ?? (failed?.join(' ') || 'nothing');
  const verdict = failsExactly(result) ? '' : `EXPECTED ${lender.fails.join(' ')}`;
  return [lender.name, seen, String(notRun), seconds.toFixed(1), verdict];
}

function aligned(rows: readonly string[][]): string[] {
  const widths = HEAD.map((_, column) =>
    Math.max(...rows.map((cells) => (cells[column] ?? '').length)),
  );
  const isNumber = (column: number) => column === 2 || column === 3;
  const pad = (cell: string, column: number) =>
    isNumber(column) ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0);
  return rows.map((cells) => cells.map(pad).join('  ').trimEnd());
}
