/** Whether parsed JSON nests deeper than so many levels: recursive code could not read it. */
export function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((member) => isDeeper(member, levels - 1));
}
