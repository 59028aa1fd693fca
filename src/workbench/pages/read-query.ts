/**
 * A parameter of a page's address: of one that is given twice the first; null when absent or empty, or with
 * a NUL in it, which no text of the database can have.
 */
export function parameter(query: Record<string, unknown>, name: string): string | null {
  const [first]: unknown[] = [query[name]].flat();
  const text = typeof first === 'string' ? first.trim() : '';
  return text === '' || text.includes('\0') ? null : text;
}

/** A parameter that must be one of the choices; null when it is none of them. */
export function choice<Choice extends string>(
  query: Record<string, unknown>,
  name: string,
  choices: readonly Choice[],
): Choice | null {
  const given = parameter(query, name);
  return choices.find((one) => one === given) ?? null;
}

/** An address with those parameters that have a value. */
export function address(path: string, parameters: Record<string, string | null>): string {
  const given = Object.entries(parameters).filter(([, value]) => value !== null);
  const query = new URLSearchParams(given as [string, string][]).toString();
  return query === '' ? path : `${path}?${query}`;
}
