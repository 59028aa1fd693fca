import type { FieldProblem } from '../../platform/index.js';

/** A part of the file with its path. */
export interface Placed<Section> {
  readonly path: string;
  readonly section: Section;
}

/** Less those that have a mistake of shape. */
export function soundItems<Section extends object>(
  items: readonly Section[] | undefined,
  listPath: string,
  problems: readonly FieldProblem[],
): Placed<Section>[] {
  if (!Array.isArray(items)) return [];
  const placed = items.map((section: Section, index) => ({
    path: `${listPath}[${index}]`,
    section,
  }));
  return placed.filter(({ path }) => !problems.some(({ field }) => isWithin(field, path)));
}

/** None without a message. */
export function mistake(field: string, message: string | null | undefined): FieldProblem[] {
  return message ? [{ field, message }] : [];
}

/** @param items each with the path of its text */
export function repeated(
  items: readonly { path: string; text: string }[],
  message: string,
): FieldProblem[] {
  const seen = new Set<string>();
  return items.flatMap(({ path, text }) => {
    if (seen.has(text)) return mistake(path, message);
    seen.add(text);
    return [];
  });
}

function isWithin(field: string, path: string): boolean {
  return field === path || isInside(field, path);
}

export function isInside(field: string, path: string): boolean {
  return field.startsWith(`${path}.`) || field.startsWith(`${path}[`);
}
