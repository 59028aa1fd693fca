import type { CaseResult } from '../case.ts';
import type { Outcome } from '../suite.ts';

/** JUnit XML, a test suite for each group. */
export function junitReport({ results, startedAt }: Outcome): string {
  const groups = Map.groupBy(results, ({ group }) => group);
  const suites = [...groups].map(([group, cases]) => {
    const head = `  <testsuite name="${escape(group)}" ${counts(cases)} timestamp="${startedAt.toISOString()}">`;
    return [head, ...cases.map((one) => testCase(one)), '  </testsuite>'].join('\n');
  });
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="RLP/1 conformance" ${counts(results)}>
${suites.join('\n')}
</testsuites>
`;
}

function counts(results: readonly CaseResult[]): string {
  const failed = results.filter(({ status }) => status === 'FAILED').length;
  const skipped = results.filter(({ status }) => status === 'NOT_RUN').length;
  const time = results.reduce((sum, { seconds }) => sum + seconds, 0).toFixed(3);
  return `tests="${results.length}" failures="${failed}" errors="0" skipped="${skipped}" time="${time}"`;
}

function testCase({ id, group, title, status, seconds, why, rule, findings }: CaseResult): string {
  const name = escape(`${id} ${title}`);
  const head = `    <testcase classname="${escape(group)}" name="${name}" time="${seconds.toFixed(3)}"`;
  if (status === 'PASSED') return `${head}/>`;
  if (status === 'NOT_RUN') {
    return `${head}>\n      <skipped message="${escape(why ?? '')}"/>\n    </testcase>`;
  }
  const failed = findings.filter(({ holds }) => !holds);
  const text = failed
    .map(({ expected, seen }) => `expected: ${expected}\nseen: ${seen}`)
    .join('\n');
  return `${head}>\n      <failure message="${escape(rule)}">${escape(text)}</failure>\n    </testcase>`;
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

/** A lender's text may contain characters that XML forbids. */
function escape(text: string): string {
  return Array.from(text)
    .map((sign) => (isInXml(sign.codePointAt(0) ?? 0) ? (ENTITIES[sign] ?? sign) : '\uFFFD'))
    .join('');
}

function isInXml(code: number): boolean {
  if (code < 0x20) return code === 0x09 || code === 0x0a || code === 0x0d;
  return !(code >= 0xd800 && code <= 0xdfff) && code !== 0xfffe && code !== 0xffff;
}
