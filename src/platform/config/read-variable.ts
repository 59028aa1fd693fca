export type Mode = 'sandbox' | 'production';

export type Variables = Record<string, string | undefined>;

/** Adds what is wrong to `problems`. */
export function parseInteger(
  variables: Variables,
  name: string,
  fallback: number,
  [least, most]: [number, number],
  problems: string[],
): number {
  const text = variables[name];
  if (!text) return fallback;
  const value = Number(text);
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  problems.push(`${name} must be a whole number from ${least} to ${most}`);
  return fallback;
}

export function parseChoice(
  variables: Variables,
  name: string,
  fallback: string,
  allowed: string[],
  problems: string[],
): string {
  const value = variables[name] || fallback;
  if (!allowed.includes(value)) problems.push(`${name} must be one of ${allowed.join(', ')}`);
  return value;
}

export function parseBoolean(
  variables: Variables,
  name: string,
  fallback: boolean,
  problems: string[],
): boolean {
  return parseChoice(variables, name, String(fallback), ['true', 'false'], problems) === 'true';
}
