import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { projectPath } from '../../platform/index.js';

/** The conditions of speculation rules that ours use. */
type Where =
  | { and: Where[] }
  | { not: Where }
  | { href_matches: string | string[] }
  | { selector_matches: string };

const ORIGIN = 'https://rinpath.example';
const { prefetch: rules } = JSON.parse(
  readFileSync(projectPath('views/screens/workbench-links.json'), 'utf8'),
) as { prefetch: { where: Where; eagerness: string }[] };
const EACH_RULE = rules.map(({ eagerness, where }) => ({ eagerness, where }));

/** Every link matches the selectors of a rule. */
function matches(where: Where, href: string): boolean {
  if ('and' in where) return where.and.every((each) => matches(each, href));
  if ('not' in where) return !matches(where.not, href);
  if ('selector_matches' in where) return true;
  return [where.href_matches]
    .flat()
    .some((pattern) => new URLPattern(pattern, ORIGIN).test(href, ORIGIN));
}

describe.each(EACH_RULE)('of the links of the workbench, $eagerness', ({ where }) => {
  const isFetched = (href: string) => matches(where, href);

  it.each([
    '/workbench',
    '/workbench/journeys?status=SANCTIONED&product=PERSONAL_LOAN',
    '/workbench/requests',
    '/workbench/requests/req_1',
  ])('%s is fetched ahead', (href) => {
    expect(isFetched(href)).toBe(true);
  });

  it.each([
    '/workbench/journeys?before=app_1',
    '/workbench/requests?before=req_1',
    '/workbench/webhooks',
    '/workbench/webhooks/sub_1?before=dlv_1',
    '/workbench/signature',
    '/workbench/sandbox',
    '/docs',
    'https://elsewhere.example/workbench',
  ])('%s is not', (href) => {
    expect(isFetched(href)).toBe(false);
  });
});
