import type { FieldProblem } from '../../platform/index.js';

type Variables = Record<string, string | undefined>;

const REFERENCE = /\$\{env:([^}]*)\}/g;
/** What the template has where an operator writes their own text. */
const PLACE = 'FILL_IN_';

/**
 * Puts environment variables in the place of `${env:NAME}` in every text of a parsed file, so that
 * secrets need not stand in it. It comes after the parsing: no value can be read as YAML.
 * @returns the file with them, and every variable that is missing, by the path that names it
 */
export function expandEnvironment(
  plain: unknown,
  variables: Variables,
): { expanded: unknown; problems: FieldProblem[] } {
  const problems: FieldProblem[] = [];
  const expand = (value: unknown, path: string): unknown => {
    if (typeof value === 'string') return expandText(value, path);
    if (Array.isArray(value)) return value.map((item, index) => expand(item, `${path}[${index}]`));
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value);
    const below = (name: string) => (path === '' ? name : `${path}.${name}`);
    return Object.fromEntries(entries.map(([name, item]) => [name, expand(item, below(name))]));
  };
  const expandText = (text: string, field: string): string =>
    text.replace(REFERENCE, (reference, name: string) => {
      const value = variables[name];
      if (value !== undefined && value !== '') return value;
      problems.push({ field, message: missing(name) });
      return reference;
    });
  return { expanded: expand(plain, ''), problems };
}

function missing(name: string): string {
  return name.startsWith(PLACE)
    ? `is not filled in: write your own text in the place of \${env:${name}}`
    : `needs the environment variable ${name}, which is not set`;
}
