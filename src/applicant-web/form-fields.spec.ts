import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

function matches(files: string, pattern: RegExp): string[][] {
  return globSync(files).flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(pattern)].map(([, ...groups]) => groups.map(String)),
  );
}

/** How `ui/field` marks them. */
const DESIGNED: Readonly<Record<string, string>> = {
  'type="tel"': "type='tel'",
  'prefix="₹"': 'isMoney=true',
};

const shown = (mark: string) => [
  ...matches('views/**/*.hbs', new RegExp(`\\{\\{> field name="(\\w+)"[^}]*${mark}`, 'g')),
  ...matches(
    'views/**/*.hbs',
    new RegExp(`\\{\\{>.? ?ui/field name='(\\w+)'[^}]*(?:${DESIGNED[mark]})`, 'g'),
  ),
];

const read = new Map(
  matches('src/applicant-web/**/*.ts', /@FormField\(\{([^}]*)\}\)\s+(\w+)[?:]/g).map(
    ([terms = '', name = '']) => [name, /as: '(\w+)'/.exec(terms)?.[1]],
  ),
);

describe.each([
  ['a telephone', 'type="tel"', 'mobile', 1],
  ['rupees', 'prefix="₹"', 'rupees', 2],
])('every field that is shown as %s', (_, mark, as, least) => {
  it(`is read as ${as}`, () => {
    const names = shown(mark).map(([name = '']) => name);
    expect(names.length).toBeGreaterThanOrEqual(least);
    expect(names.map((name) => [name, read.get(name)])).toEqual(names.map((name) => [name, as]));
  });
});
