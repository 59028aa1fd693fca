export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** No array either. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return isObject(value) && !Array.isArray(value);
}
