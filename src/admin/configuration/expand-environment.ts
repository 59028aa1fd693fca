import type { FieldProblem } from '../../platform/index.js';

type Variables = Record<string, string | undefined>;

const REFERENCE = /\$\{env:([^}]*)\}/g;
/** The template's mark for a text to fill in. */
const PLACE = 'FILL_IN_';

/**
 * Replaces `${env:NAME}` in the texts of a parsed file. After the parsing, so that no value is read
 * as YAML.
 * @returns also each missing variable, by the path that names it
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
