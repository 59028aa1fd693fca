import type { CaseResult } from '../case.ts';
import type { Outcome } from '../suite.ts';

const MARKS = { PASSED: 'passed ', FAILED: 'FAILED ', NOT_RUN: 'not run' } as const;

/** The report for people: every case in its group; failures with the expected and actual result. */
export function terminalReport(outcome: Outcome): string {
  const lines: string[] = [];
  let group = '';
  for (const result of outcome.results) {
    if (result.group !== group) {
      group = result.group;
      lines.push('', group);
    }
    lines.push(...describeResult(result));
  }
  return [...lines, '', ...summary(outcome), ''].join('\n');
}

function describeResult(result: CaseResult): readonly string[] {
  const { id, title, status, rule, why, findings } = result;
  const lines = [`  ${MARKS[status]}  ${id}  ${title}`];
  if (status === 'NOT_RUN') lines.push(`           ${why}`);
  if (status === 'FAILED') {
    lines.push(`           rule:     ${rule}`);
    for (const { expected, seen } of findings.filter(({ holds }) => !holds)) {
      lines.push(`           expected: ${expected}`, `           seen:     ${seen}`);
    }
  }
  return lines;
}

function summary({ results, unexplained, url, seconds }: Outcome): readonly string[] {
  const count = (status: CaseResult['status']) =>
    results.filter((result) => result.status === status).length;
  const [passed, failed, notRun] = [count('PASSED'), count('FAILED'), count('NOT_RUN')];
  const lines = [
    `${url}: ${passed} passed, ${failed} failed, ${notRun} not run, in ${seconds.toFixed(1)} s`,
  ];
  if (unexplained.length > 0) {
    const ids = unexplained.map(({ id }) => id).join(', ');
    lines.push(`Not run, so not proven: ${ids}. Add what they need to the profile.`);
  }
  return lines;
}
