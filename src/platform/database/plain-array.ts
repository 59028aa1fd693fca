type Plain = string | number | boolean | null | undefined;

/** What stands in an array without quotes, whatever surrounds it; the server takes `NULL` for none. */
const NEEDS_NO_QUOTES = /^(?!null$)[\w.:+-]+$/i;

/**
 * A list of ids, numbers or truths as the text of a PostgreSQL array: one text for a column of a batch
 * costs the driver, and whatever passes it on, a fraction of as many values.
 * @throws Error for a text that would need quotes
 */
export function plainArray(values: readonly Plain[]): string {
  return `{${values.map(plainText).join(',')}}`;
}

function plainText(value: Plain): string {
  if (value === null || value === undefined) return 'NULL';
  if (typeof value !== 'string') return String(value);
  if (!NEEDS_NO_QUOTES.test(value)) throw new Error('a text that needs quotes in an array');
  return value;
}
