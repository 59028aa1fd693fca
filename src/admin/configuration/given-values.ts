import { type FieldProblem, withoutInvisible } from '../../platform/index.js';

type Variables = Record<string, string | undefined>;

const REFERENCE = /\$\{env:([^}]*)\}/g;
/** The template's mark for a missing text. */
const PLACE = 'FILL_IN_';
const LEFT_OUT: readonly unknown[] = [undefined, null, ''];

/**
 * Replaces `${env:NAME}` after the parsing, so that no variable is parsed as YAML. Trims texts and removes invisible
 * characters. Omits null, blank texts and texts with a missing variable.
 * @returns also missing variables, by path
 */
export function givenValues(
  plain: unknown,
  variables: Variables,
): { given: unknown; problems: FieldProblem[] } {
  const problems: FieldProblem[] = [];
  const read = (value: unknown, path: string): unknown => {
    if (typeof value === 'string') return expanded(value, path);
    if (Array.isArray(value)) return value.map((item, index) => read(item, `${path}[${index}]`));
    if (typeof value !== 'object' || value === null) return value;
    const values = Object.entries(value).map(
      ([name, item]) => [name, read(item, path === '' ? name : `${path}.${name}`)] as const,
    );
    return Object.fromEntries(values.filter(([, item]) => !LEFT_OUT.includes(item)));
  };
  const expanded = (text: string, field: string): string | undefined => {
    const missing = [...text.matchAll(REFERENCE)].filter(([, name]) => !variables[name]);
    for (const [, name] of missing) problems.push({ field, message: missingMessage(name) });
    if (missing.length > 0) return undefined;
    return withoutInvisible(text.replace(REFERENCE, (_, name: string) => variables[name]!)).trim();
  };
  return { given: read(plain, ''), problems };
}

function missingMessage(name: string): string {
  return name.startsWith(PLACE)
    ? `is not filled in: replace \${env:${name}} with your own text`
    : `needs the environment variable ${name}, which is not set`;
}
