/**
 * Serialises plain JSON data with the keys of every object sorted by UTF-16 code unit and no white
 * space, so that the same facts always give the same text and a hash of it is stable. (The form is that
 * of RFC 8785.) Members that are undefined are left out, as storing and reading back would do.
 * @throws TypeError for anything that JSON cannot hold faithfully: NaN, infinities, functions, bigint,
 * instances of classes such as Date or Decimal, undefined in a list.
 */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') {
    return JSON.stringify(value);
  }
  if (typeof value === 'number' && Number.isFinite(value)) {
    return JSON.stringify(value);
  }
  if (Array.isArray(value)) {
    return `[${value.map((item) => canonicalJson(item)).join(',')}]`;
  }
  if (isPlainObject(value)) {
    return `{${members(value).join(',')}}`;
  }
  throw new TypeError(`Not plain JSON: ${typeof value}`);
}

function members(value: Record<string, unknown>): string[] {
  return Object.keys(value)
    .filter((key) => value[key] !== undefined)
    .toSorted()
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key])}`);
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) {
    return false;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
