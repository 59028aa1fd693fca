import type { KeyUse } from '../../auth/index.js';

/**
 * The first of a repeated parameter. Null when absent or empty, or with a NUL, which PostgreSQL's
 * texts cannot hold.
 */
export function parameter(query: Record<string, unknown>, name: string): string | null {
  const [first]: unknown[] = [query[name]].flat();
  const text = typeof first === 'string' ? first.trim() : '';
  return text === '' || text.includes('\0') ? null : text;
}

/** Null for anything else. */
export function choice<Choice extends string>(
  query: Record<string, unknown>,
  name: string,
  choices: readonly Choice[],
): Choice | null {
  const given = parameter(query, name);
  return choices.find((one) => one === given) ?? null;
}

export function address(path: string, parameters: Record<string, string | null>): string {
  const given = Object.entries(parameters).filter(([, value]) => value !== null);
  const query = new URLSearchParams(given as [string, string][]).toString();
  return query === '' ? path : `${path}?${query}`;
}

export function options(values: readonly string[], chosen: string | null) {
  return values.map((value) => ({ value, isChosen: value === chosen }));
}

export function keyOptions(keys: readonly KeyUse[], chosen: string | null) {
  return keys.map(({ id, name, hint }) => ({
    value: id,
    title: `${name} (${hint})`,
    isChosen: id === chosen,
  }));
}
