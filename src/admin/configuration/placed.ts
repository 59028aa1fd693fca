import type { FieldProblem } from '../../platform/index.js';

/** A part of the file with the path at which it stands. */
export interface Placed<Section> {
  readonly path: string;
  readonly section: Section;
}

/** The items of a list with their paths, less those that have a mistake of shape already. */
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

/** Every item whose text another item before it has already, at `path.field`. */
export function repeated(
  items: readonly { path: string; text: string }[],
  message: string,
): FieldProblem[] {
  const seen = new Set<string>();
  return items.flatMap(({ path, text }) => {
    if (seen.has(text)) return [{ field: path, message }];
    seen.add(text);
    return [];
  });
}

function isWithin(field: string, path: string): boolean {
  return field === path || isInside(field, path);
}

/** Whether a field stands somewhere below a path. */
export function isInside(field: string, path: string): boolean {
  return field.startsWith(`${path}.`) || field.startsWith(`${path}[`);
}
